"""`python -m tests.fuzz --seed N --count N [--on postgresql]`: the long run, against a server of its own."""

import argparse
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager

from app.settings import Settings
from tests import postgres
from tests.fuzz import running
from tests.serving import serve


def main() -> int:
    """Run it; the exit status is the number of failures, capped."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="which values go where")
    parser.add_argument("--count", type=int, default=10_000, help="values for the schema; a fifth as many for /v1")
    parser.add_argument("--on", choices=("sqlite", "postgresql"), default="sqlite", help="which database")
    given = parser.parse_args()
    wrong = list[str]()
    for openai, count in ((False, given.count), (True, given.count // 5)):
        with _fresh_database(given.on) as database, serve(Settings.model_validate({"database_url": database})) as url:
            report = running.run(url, given.seed, count, openai=openai)
        print(f"{'/v1' if openai else '/graphql'}: {report.requests:,} requests, {len(report.wrong)} wrong")
        for code, number in sorted(report.codes.items()):
            print(f"  {code:40} {number:6}")
        wrong += report.wrong
    for line in dict.fromkeys(wrong):
        print(f"WRONG {line}")
    return 1 if wrong else 0


@contextmanager
def _fresh_database(kind: str) -> Generator[str]:
    if kind == "postgresql":
        with postgres.fresh_database() as url:
            yield url
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/footnote.db"


if __name__ == "__main__":
    sys.exit(main())
