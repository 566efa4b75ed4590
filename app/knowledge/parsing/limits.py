"""What reading one document may cost. Plain values that travel to the worker process."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ParsingLimits:
    """Bounds on time, on memory beyond what the worker process itself needs, and on what a document may hold.

    `page_seconds` are of the processor's time, for one page of a PDF.
    `elements` are the tags of a page or of a Word file's XML, `depth` how deep those of a page may be nested.
    """

    seconds: float = 60.0
    page_seconds: float = 10.0
    memory_bytes: int = 1 << 30
    characters: int = 10_000_000
    pages: int = 5_000
    elements: int = 1_500_000
    depth: int = 10_000
    headings: int = 100_000
    chunks: int = 50_000
