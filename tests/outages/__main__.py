"""Four servers on one PostgreSQL, 200 people who read, and everything that they stand on taken away in between.

`python -m tests.outages` prints counts, and exits with 1 if a promise was broken: every answer is whole, or says that
it was interrupted; a reader has it all, in order, whichever servers told it; every event reaches the broker.
`--seed` repeats the moments of a run.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.bench.measured import Row, table
from tests.outages.checks import Event, check_events, check_readers, count_records
from tests.outages.counting_model import whole_text
from tests.outages.stage import (
    READERS,
    SERVERS,
    TOKENS,
    Stage,
    build_stage,
    make_project,
    read_kept_events,
    take_messages,
    wait_for_delivery,
)

_TURNS = 2
_LOOK_SECONDS = 0.1
# All answers are to have ended, and all events to have arrived, within this time.
_PATIENCE_SECONDS = 540.0


class Story:
    """Prints what happens, with its time."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def tell(self, text: str) -> None:
        """Print a line."""
        print(f"{time.monotonic() - self._began:6.1f} s  {text}", flush=True)


async def run(seed: int, place: Path) -> int:
    """Run it once in a folder; returns the number of broken promises."""
    numbers, story = random.Random(seed), Story()  # noqa: S311
    story.tell(f"seed {seed}")
    with ExitStack() as stack:
        stage = await build_stage(stack, place)
        crowd, project = stage.crowd, await make_project(stage)
        story.tell(f"{SERVERS} servers, PostgreSQL and RabbitMQ run; {READERS} people ask")
        people = [
            asyncio.create_task(crowd.converse(number, project, _TURNS, enableRag=number % 2 == 0, grounding="OPEN"))
            for number in range(READERS)
        ]
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await _go_wrong(stage, story, numbers)
            await asyncio.gather(*people)
            story.tell("all answers have ended")
            await crowd.look_at_stored()
            await wait_for_delivery(stage.postgres)
        story.tell("no event waits")
        messages, kept = await take_messages(stage.broker), await read_kept_events(stage.postgres)
        await crowd.close()
    problems = check_readers(crowd.readings, whole_text(TOKENS))
    if len(crowd.readings) != READERS * _TURNS:
        problems.append(f"{len(crowd.readings)} answers instead of {READERS * _TURNS}")
    problems += check_events(crowd.readings, messages, kept)
    _report(stage, messages, kept, problems)
    return len(problems)


async def _go_wrong(stage: Stage, story: Story, numbers: random.Random) -> None:
    """One thing after the other goes wrong while the first answers are being given."""
    while sum(bool(each.sequences) for each in stage.crowd.readings) < READERS:  # noqa: ASYNC110
        await asyncio.sleep(_LOOK_SECONDS)
    story.tell(f"{READERS} answers are being read")
    for _ in range(4):  # a network that hiccups: what was committed and what was not is not known
        await stage.to_postgres.cut(0.2)
        await asyncio.sleep(numbers.uniform(0.3, 1.2))
    story.tell(f"the way to PostgreSQL was cut 4 times, {stage.to_postgres.cut_connections} connections")
    stage.servers[numbers.randrange(SERVERS)].kill()
    story.tell("a server was killed (SIGKILL)")
    await asyncio.sleep(numbers.uniform(1, 3))
    how = numbers.choice(["fast", "immediate"])
    await asyncio.to_thread(stage.postgres.stop, how)
    story.tell(f"PostgreSQL was stopped ({how})")
    await asyncio.sleep(3)
    await asyncio.to_thread(stage.postgres.start)
    story.tell("PostgreSQL runs again")
    await asyncio.sleep(3)
    await stage.to_broker.cut(0.5)
    await asyncio.to_thread(stage.broker.stop)
    story.tell("RabbitMQ was stopped")
    await asyncio.sleep(5)
    await asyncio.to_thread(stage.broker.start)
    story.tell("RabbitMQ runs again")
    for _ in range(4):
        await stage.to_postgres.cut(0.2)
        await stage.to_broker.cut(0.2)
        await asyncio.sleep(numbers.uniform(0.5, 3))
    story.tell("both ways were cut 4 times more")


def _report(stage: Stage, messages: Sequence[Event], kept: Sequence[str], problems: Sequence[str]) -> None:
    readings = stage.crowd.readings
    ends = Counter(each.failure or each.end for each in readings)
    elsewhere = sum(each.began_at not in each.servers for each in readings)
    several = sum(len(set(each.servers)) > 1 for each in readings)
    distinct = len({message["eventId"] for message in messages})
    rows = [
        ("answers", f"{len(readings):6}"),
        *((f"  {name}", f"{count:6}") for name, count in sorted(ends.items())),
        ("  read through other servers only", f"{elsewhere:6}"),
        ("  whose reader changed servers", f"{several:6}"),
        ("requests tried again", f"{stage.crowd.refusals:6}"),
        ("events written", f"{len(kept):6}"),
        ("  at the broker", f"{distinct:6}"),
        ("  delivered again", f"{len(messages) - distinct:6}"),
        ("connections cut", f"{stage.to_postgres.cut_connections + stage.to_broker.cut_connections:6}"),
        ("broken promises", f"{len(problems):6}"),
    ]
    table("What became of it", [Row(*row) for row in rows])
    for problem in problems[:20]:
        print(problem[:400])


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.outages", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))  # noqa: S311
    seed = parser.parse_args().seed
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)  # PostgreSQL runs as another user
        broken = asyncio.run(run(seed, place))
        logs = "".join(file.read_text() for file in place.glob("server-*.log"))
        counted = count_records(logs).most_common(12)
        table("What the servers logged", [Row(text, f"{count:6}") for text, count in counted])
        if broken:
            Path(tempfile.gettempdir(), "footnote-outages.log").write_text(logs)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(_main())
