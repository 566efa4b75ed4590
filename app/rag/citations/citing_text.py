"""Find the citing text of a marker: the words of the answer that it supports. Pure."""

import re

from app import language

MAX_CITING_CHARACTERS = 600
"""The longest citing text in characters; only the end of a longer sentence counts."""
_FEW_TERMS = 4
_WORD = re.compile(r"[^\W_]")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


class CitingText:
    """The end of an answer's text without markers, as long as a citing sentence may be."""

    def __init__(self) -> None:
        self._text = ""
        self._length_since_marker = 0
        self._citing: str | None = None

    def add_text(self, text: str) -> None:
        """Append `text`."""
        self._text = (self._text + text)[-MAX_CITING_CHARACTERS:]
        self._length_since_marker += len(text)

    def take_citing_text(self) -> str | None:
        """The citing text of a marker at this position; None if no words of its paragraph come before it.

        That is the clause since the last marker ("A is B [1], and C is D [2]."), or the whole sentence if the clause
        is too short to say much. Markers with no words between them share their citing text.
        """
        since = min(self._length_since_marker, len(self._text))
        fresh = self._text[len(self._text) - since :]
        self._length_since_marker = 0
        if "\n" in fresh or has_words(fresh):
            self._citing = self._citing_clause(since)
        return self._citing

    def last_sentence(self) -> str | None:
        """The last sentence that has words, in any paragraph."""
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
    """The first sentence of `text` that has words; it is the citing text of a marker before it."""
    return next((text[start:end] for start, end in language.sentence_spans(text) if has_words(text[start:end])), None)


def has_words(text: str) -> bool:
    """Whether `text` contains a letter or a digit."""
    return _WORD.search(text) is not None
