"""Split long texts at spaces, to limit the memory that a model uses."""

from collections.abc import Iterator


def split_at_spaces(text: str, length: int) -> Iterator[str]:
    """Split `text` into pieces of at most `length` characters, at spaces if possible, so that words stay whole."""
    start = 0
    while len(text) - start > length:
        cut = text.rfind(" ", start + 1, start + length)
        end = start + length if cut < 0 else cut
        yield text[start:end]
        start = end if cut < 0 else end + 1
    yield text[start:]
