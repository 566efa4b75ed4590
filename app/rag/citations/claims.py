"""Find the words of an answer that a citation marker vouches for. Pure."""

import re

from app import language

MAX_CITING_CHARACTERS = 600
"""Longest citing text in characters; of a longer sentence only its end counts."""
_FEW_TERMS = 4
_WORD = re.compile(r"[^\W_]")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


class CitingText:
    """The end of an answer's text without its markers, as far back as a citing sentence can reach."""

    def __init__(self) -> None:
        self._text = ""
        self._since = 0
        self._citing: str | None = None

    def add_text(self, text: str) -> None:
        """Continue with `text`."""
        self._text = (self._text + text)[-MAX_CITING_CHARACTERS:]
        self._since += len(text)

    def take_citing_text(self) -> str | None:
        """The citing text of a marker that stands here; None if no words of its block come before it.

        That is the clause since the last marker ("A is B [1], and C is D [2]."), or the whole sentence where the
        clause is too short to say much. Markers with no words between them share theirs.
        """
        since = min(self._since, len(self._text))
        fresh = self._text[len(self._text) - since :]
        self._since = 0
        if "\n" in fresh or has_words(fresh):
            self._citing = self._citing_clause(since)
        return self._citing

    def last_sentence(self) -> str | None:
        """The last sentence with words, of any paragraph."""
        found = [self._text[start:end] for start, end in language.sentence_spans(self._text)]
        return next((sentence for sentence in reversed(found) if has_words(sentence)), None)

    def _citing_clause(self, since: int) -> str | None:
        paragraph = _PARAGRAPH.split(self._text)[-1]
        spans = list(language.sentence_spans(paragraph))
        if not spans:
            return None
        start, end = spans[-1]
        sentence = paragraph[start:end]
        if not has_words(sentence) or sentence.startswith("#"):
            return None
        clause = paragraph[max(start, len(paragraph) - since) : end]
        return clause if len(language.search_terms(clause)) >= _FEW_TERMS else sentence


def first_sentence(text: str) -> str | None:
    """The first sentence with words of `text`, which a marker before it vouches for."""
    return next((text[start:end] for start, end in language.sentence_spans(text) if has_words(text[start:end])), None)


def has_words(text: str) -> bool:
    """Whether there is a letter or a digit in `text`."""
    return _WORD.search(text) is not None
