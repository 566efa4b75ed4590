"""A model server that counts: the text of an answer of three tokens is " 1 2 3".

`python -m tests.outages.counting_model TOKENS PER_SECOND` prints its port; answers begin at once.
"""

import asyncio
import sys
from collections.abc import Iterator

from tests.bench.traffic.pacing import END, PacedModel, frame


def whole_text(tokens: int) -> str:
    """What it says."""
    return "".join(f" {number}" for number in range(1, tokens + 1))


class CountingModel(PacedModel):
    """Numbers instead of times."""

    def _tick(self, group: dict[asyncio.StreamWriter, int]) -> Iterator[asyncio.StreamWriter]:
        for writer, left in list(group.items()):
            if writer.is_closing():
                yield writer
            elif left == 0:
                writer.write(END)
                yield writer
            else:
                group[writer] = left - 1
                writer.write(frame({"content": f" {self._tokens - left + 1}"}))


if __name__ == "__main__":
    asyncio.run(CountingModel(int(sys.argv[1]), int(sys.argv[2])).run())
