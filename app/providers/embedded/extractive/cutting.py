"""Cut sentences that are too long to be quoted whole: at a comma, or between words, never inside a word or number."""

import re
from collections.abc import Iterator

from app import language

MAX_CHARACTERS = 500  # of a sentence; longer ones are lists or lack full stops, and are cut at a comma

# A comma between digits is part of a number.
_CLAUSE = re.compile(r"(?:[^\n,;\uff0c\uff1b、]|(?<=\d),(?=\d))*[\n,;\uff0c\uff1b、]*")
# Between two characters of a script without spaces, or where white space begins.
_BREAK = re.compile(rf"(?<=[{language.CJK}。\uff0c\uff1b、])(?=[{language.CJK}])|(?<=\S)(?=\s)")


def split_long_sentence(sentence: str) -> Iterator[str]:
    """The sentence on one line; a long one is cut into clauses, and long clauses at the limit.

    A word that is longer than the limit is left out.
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
    """`text` in pieces of at most the limit, each on one line."""
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
    """Where `text` can be cut at or before `limit` without cutting a word or a number; 0 if nowhere."""
    if len(text) <= limit:
        return len(text)
    return max((match.start() for match in _BREAK.finditer(text, 0, limit + 1) if match.start() <= limit), default=0)
