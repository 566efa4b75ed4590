"""What reading one document may cost. Plain values that travel to the worker process."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on time, on memory beyond what the worker process itself needs, on characters of text and on pages."""

    seconds: float = 60.0
    memory_bytes: int = 1 << 30
    characters: int = 10_000_000
    pages: int = 5_000
