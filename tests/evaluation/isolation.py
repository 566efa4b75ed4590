"""Run thousands of random searches and report any that finds another project's chunk.

    python -m tests.evaluation.isolation [--searches 10000] [--seed N]

Fifty projects of five users, alike in nearly every word, on a real server; documents change all the while (see
`tests/graphql/access/crowd.py`). Exit code 1 when there was a leak; the same seed makes the same searches again.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.graphql.access.crowd import crowded
from tests.graphql.access.isolating import searched

_SHOWN = 20


def main(searches: int, seed: int) -> bool:
    """Whether nothing leaked."""
    print(f"seed {seed}")
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, crowded(Path(folder)) as crowd:
        filled = time.perf_counter()
        seen = asyncio.run(searched(crowd, seed, searches))
        ended = time.perf_counter()
    chunks = sum(sum(shop.chunks.values()) for shop in crowd.shops)
    print(f"projects {len(crowd.shops)}   chunks in them {chunks}   filled in {filled - start:.1f} s")
    print(f"searches {seen.searches:,} in {ended - filled:.1f} s   {dict(seen.counts)}")
    print(f"leaks {len(seen.leaks)}", *seen.leaks[:_SHOWN], sep="\n")
    return not seen.leaks


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--searches", type=int, default=10_000, help="how many, refused ones too")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="of a run to repeat")
    arguments = parser.parse_args()
    sys.exit(not main(arguments.searches, arguments.seed))
