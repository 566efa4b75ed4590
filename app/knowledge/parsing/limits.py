"""Limits for parsing one document."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

PageTimeLimit = Callable[[], AbstractContextManager[None]]
"""Limits the time of a block that reads a page. PDFium cannot be interrupted, so the process is killed."""


@dataclass(frozen=True, slots=True)
class ParsingLimits:
    """Limits on time, on memory beyond the worker's own, and on the content of a document.

    `start_seconds` is the time for a worker to start, which does not count toward the others. A worker ends after
    being idle for `idle_seconds`. `seconds` is the processor time for a document, and `page_seconds` that for one page
    of a PDF, so the load of the machine does not matter. `elapsed_seconds` is for workers that hang, and on Windows for
    all. `elements` limits the tags of an HTML page or of a Word file's XML; `depth` limits the nesting in an HTML page.
    `characters` limits the text of a document without the headers that each table row repeats; with them, it may be
    `repetition` times as long. For a part of a document, such as a file in an archive, `characters` is what the parts
    before it have left, and `taken` what they have used.
    """

    start_seconds: float = 30.0
    idle_seconds: float = 30.0
    seconds: float = 60.0
    elapsed_seconds: float = 600.0
    page_seconds: float = 10.0
    memory_bytes: int = 1 << 30
    characters: int = 10_000_000
    taken: int = 0
    repetition: int = 4
    pages: int = 5_000
    elements: int = 1_500_000
    depth: int = 10_000
    headings: int = 100_000
    chunks: int = 50_000

    @property
    def document_characters(self) -> int:
        """The character limit for all parts of the document together."""
        return self.characters + self.taken
