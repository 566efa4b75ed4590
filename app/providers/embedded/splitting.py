"""Split long texts at spaces, so that the memory that a model takes has a bound."""

from collections.abc import Iterator


def split_at_spaces(text: str, length: int) -> Iterator[str]:
    """`text` in pieces of at most `length` characters. They end at a space where there is one: words stay whole."""
    start = 0
    while len(text) - start > length:
        cut = text.rfind(" ", start + 1, start + length)
        end = start + length if cut < 0 else cut
        yield text[start:end]
        start = end if cut < 0 else end + 1
    yield text[start:]
