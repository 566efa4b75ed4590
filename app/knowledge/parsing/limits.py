"""Limits for parsing one document."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

PageTimeLimit = Callable[[], AbstractContextManager[None]]
"""Limits the time of the block that reads a page. PDFium cannot be interrupted; only its process can be killed."""


@dataclass(frozen=True, slots=True)
class ParsingLimits:
    """Limits on time, on memory beyond the worker's own, and on the content of a document.

    `start_seconds` is the time for a worker to start, which does not count towards the others. A worker ends when it
    has had nothing to do for `idle_seconds`. `seconds` is the processor time for the document, and `page_seconds` that
    for one page of a PDF: how busy the machine is makes no difference. `elapsed_seconds` is for a worker that hangs,
    and on Windows for every one. `elements` counts the tags of an HTML page or of a Word file's XML; `depth`
    limits their nesting in an HTML page. `characters` counts the text of a document, without the headers that each row
    of a table repeats; with them, it may be `repetition` times as long. In a part of a document, such as a file of an
    archive, they are what the parts before it, which have `taken` the others, have left.
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
        """How many characters all parts of the document may have."""
        return self.characters + self.taken
