"""Draw pages of stored PDFs, and locate quotes on them. Recently located quotes are cached."""

import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import anyio
from anyio import CapacityLimiter

from app.database import models
from app.errors import DocumentError, Unavailable
from app.knowledge.library import Library
from app.knowledge.parsed_documents import PageArea, QuotedText
from app.knowledge.parsing import isolation
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits

_log = logging.getLogger(__name__)
_READ_SECONDS = 10.0
# For one request, including the time spent waiting for others.
_SECONDS = 15.0
_MAX_BYTES = 100_000_000
# A located quote takes about a kilobyte.
_MAX_CACHED = 4_000

Areas = tuple[PageArea, ...]
_Key = tuple[str, int, QuotedText]


class ChunkSpan(NamedTuple):
    """A range of a chunk's text."""

    chunk_id: int
    start: int
    end: int

    def quote_in(self, chunk: models.Chunk) -> QuotedText:
        """The text of this range, with its offset in the document's text."""
        return QuotedText(chunk.start_offset + self.start, chunk.text[self.start : self.end])


class PdfPages:
    """Draws pages of PDFs, and locates quotes on them; returns only places that are certain.

    Both use the originals. A PDF is read once for all of its quotes, one PDF at a time. Ingestion has its own workers.
    """

    def __init__(self, library: Library, limits: ParsingLimits) -> None:
        self._library = library
        self._limits = replace(limits, seconds=min(limits.seconds, _READ_SECONDS), elapsed_seconds=_SECONDS)
        self._worker, self._reading, self._drawing = CapacityLimiter(1), anyio.Lock(), anyio.Lock()
        self._remembered: OrderedDict[_Key, Areas] = OrderedDict()

    async def find_quotes(self, document: models.Document, quotes: Sequence[QuotedText]) -> list[Areas]:
        """The areas of each quote from a document's current version, by page. Takes a few seconds; never raises."""
        keys = [(document.id, document.version, quote) for quote in quotes]
        if document.media_type == Format.PDF.media_type and document.bytes <= _MAX_BYTES:
            with anyio.move_on_after(_SECONDS):
                async with self._reading:
                    unknown = list(dict.fromkeys(key for key in keys if key not in self._remembered))
                    if unknown:
                        self._remember(unknown, await self._read_places(document, [key[2] for key in unknown]))
        return [self._recall(key) for key in keys]

    async def draw_page(self, document: models.Document, number: int, width: int) -> bytes | None:
        """Draw a page (from 1) of a PDF as a PNG of at most `width` pixels; None if it cannot be drawn.

        Raises Unavailable.
        """
        if document.media_type != Format.PDF.media_type or document.bytes > _MAX_BYTES:
            return None
        try:
            async with self._drawing:  # one original in memory at a time
                original = await self._library.read_original(document)
                return await isolation.draw_page_safely(
                    original, number, width, limits=self._limits, limiter=self._worker
                )
        except DocumentError as error:
            _log.info("a page of a document cannot be drawn: %s", error.reason)
            return None

    async def _read_places(self, document: models.Document, quotes: Sequence[QuotedText]) -> Sequence[Areas]:
        try:
            original = await self._library.read_original(document)
            if not original:  # deleted or replaced meanwhile
                return []
            return await isolation.find_quotes_safely(original, quotes, limits=self._limits, limiter=self._worker)
        except DocumentError as error:
            _log.info("quotes in a document cannot be located: %s", error.reason)
            return [()] * len(quotes)
        except Unavailable:
            return []

    def _remember(self, keys: Sequence[_Key], found: Sequence[Areas]) -> None:
        self._remembered.update(zip(keys, found, strict=False))
        while len(self._remembered) > _MAX_CACHED:
            self._remembered.popitem(last=False)

    def _recall(self, key: _Key) -> Areas:
        areas = self._remembered.get(key)
        if areas is None:
            return ()
        self._remembered.move_to_end(key)
        return areas
