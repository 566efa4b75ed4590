"""Split sentences that are too long to quote: at a comma or between words, never inside a word or number."""

import re
from collections.abc import Iterator

from app import language

MAX_CHARACTERS = 500  # longer sentences are lists or lack full stops, and are split at commas

# A comma between digits is part of a number.
_CLAUSE = re.compile(r"(?:[^\n,;\uff0c\uff1b、]|(?<=\d),(?=\d))*[\n,;\uff0c\uff1b、]*")
# Between two characters of a script without spaces, or where white space begins.
_BREAK = re.compile(rf"(?<=[{language.CJK}。\uff0c\uff1b、])(?=[{language.CJK}])|(?<=\S)(?=\s)")


def split_long_sentence(sentence: str) -> Iterator[str]:
    """Put a sentence on one line; split a long one into clauses, and long clauses at the limit.

    Words longer than the limit are dropped.
    """
    if len(sentence) <= MAX_CHARACTERS:
        yield " ".join(sentence.split())
        return
    piece = ""
    for clause in _CLAUSE.findall(sentence):
        if len(piece) + len(clause) > MAX_CHARACTERS and piece.strip():
            yield from _split_at_words(piece)
            piece = ""
        piece += clause
    yield from _split_at_words(piece)


def _split_at_words(text: str) -> Iterator[str]:
    """Split `text` into pieces within the limit, each on one line."""
    while len(text := text.strip()) > MAX_CHARACTERS:
        cut = last_break(text, MAX_CHARACTERS)
        if cut:
            yield " ".join(text[:cut].split())
        else:
            cut = next((match.start() for match in _BREAK.finditer(text, MAX_CHARACTERS)), len(text))
        text = text[cut:]
    if text:
        yield " ".join(text.split())


def last_break(text: str, limit: int) -> int:
    """The last offset up to `limit` where `text` can be split between words or numbers; 0 if there is none."""
    if len(text) <= limit:
        return len(text)
    return max((match.start() for match in _BREAK.finditer(text, 0, limit + 1) if match.start() <= limit), default=0)
