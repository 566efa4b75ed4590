"""Parse and split files: short texts on a thread of this process, all others in worker processes with limits."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from anyio import CapacityLimiter, to_thread

from app.errors import DocumentError
from app.knowledge.parsed_documents import SplitDocument
from app.knowledge.parsing import isolation, worker
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.sniff import sniff_format

# Texts of at most this size in total take milliseconds, 0.12 s at worst. A process takes 0.2 s to start.
_SHORT_BYTES = 16 << 10
# Groups of files of at most this size in total share one worker, which takes a quarter of a second per group at most:
# starting another worker takes as long as hundreds of short texts.
_SMALL_BYTES = 256 << 10
# Formats that our own code reads, in linear time. The others are read by libraries that hostile files may break.
_PLAIN_FORMATS = {Format.TEXT, Format.MARKDOWN}


@dataclass(frozen=True, slots=True)
class Splitter:
    """Parses and splits files within limits; `limiter` bounds the number of busy worker processes."""

    limits: ParsingLimits
    limiter: CapacityLimiter
    _small_files: CapacityLimiter = field(init=False, default_factory=lambda: CapacityLimiter(1))

    async def split(self, data: bytes, name: str | None, media_type: str) -> SplitDocument:
        """Parse and split one file. Raises DocumentError, and Unavailable if no worker can be started."""
        if _are_short_texts([(data, name, media_type)]):
            [split] = await self._split_here([(data, name, media_type)])
            if isinstance(split, DocumentError):
                try:
                    raise split
                finally:
                    del split  # the error refers to this frame, and so to the file
            return split
        return await isolation.split_safely(
            data, name=name, media_type=media_type, limits=self.limits, limiter=self.limiter
        )

    async def split_together(self, sources: Sequence[worker.NamedFile]) -> list[SplitDocument | DocumentError] | None:
        """Parse and split the first few files. Returns [] if the first must be read separately, None if each must."""
        if _are_short_texts(sources):
            return await self._split_here(sources)
        is_small = sum(len(data) for data, _, _ in sources) <= _SMALL_BYTES
        async with self._small_files if is_small else nullcontext():
            return await isolation.split_together(sources, limits=self.limits, limiter=self.limiter)

    async def _split_here(self, sources: Sequence[worker.NamedFile]) -> list[SplitDocument | DocumentError]:
        return isolation.read_errors(await to_thread.run_sync(worker.split_in_turn, sources, self.limits))


def _are_short_texts(sources: Sequence[worker.NamedFile]) -> bool:
    return sum(len(data) for data, _, _ in sources) <= _SHORT_BYTES and all(
        _is_plain(data, name, media_type) for data, name, media_type in sources
    )


def _is_plain(data: bytes, name: str | None, media_type: str) -> bool:
    """Whether this is Markdown or plain text in UTF-8. Anything else, including broken files, is left to a worker."""
    try:
        data.decode("utf-8")
        return sniff_format(data, name, media_type) in _PLAIN_FORMATS
    except (UnicodeDecodeError, DocumentError):
        return False
