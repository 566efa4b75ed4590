"""Recognize passages that say nothing new: nearly the same text as a better one, and no other words. Pure."""

from functools import cached_property

from app import language
from app.language import scripts

# Words of a shingle, and the least Jaccard similarity of two passages' shingles.
_SHINGLE = 4
_SIMILAR = 0.8
# Before passages are compared, the longest words from the beginning of one, and the last ones, are looked up in the
# others.
_FIRST_CHARS, _LOOKED_UP, _LAST_CHARS = 200, 6, 30


class NearDuplicateFilter:
    """Remembers the passages that are kept, and finds near-duplicates of them.

    Similar shingles are not enough: a contract, a price list or a release note may differ from another in a name or a
    number alone, which is what a question is about. So a near-duplicate has no word that the kept passage lacks.
    """

    def __init__(self) -> None:
        self._kept: list[_ComparedText] = []

    def add_unless_duplicate(self, text: str) -> bool:
        """Remember a passage, and return whether it is new."""
        new = _ComparedText(text)
        wanted = new.find_telling_words()
        if not wanted:
            return True
        if any(new.repeats(kept) for kept in self._kept if all(word in kept.folded for word in wanted)):
            return False
        self._kept.append(new)
        return True


class _ComparedText:
    """A passage. A few words tell most passages apart, so all of its words are split only when they are needed."""

    def __init__(self, text: str) -> None:
        self.folded = scripts.fold(text.lower())  # as words are, which are looked up in it

    def find_telling_words(self) -> list[str]:
        """The longest words of its beginning, longest first, and its last ones; none if it has no words."""
        words = language.split_words(self.folded[:_FIRST_CHARS]) or self._words
        longest = sorted(set(words), key=len, reverse=True)[:_LOOKED_UP]
        return longest + language.split_words(self.folded[-_LAST_CHARS:])

    def repeats(self, other: "_ComparedText") -> bool:
        """Whether it is similar to the other one, and has no word that the other lacks."""
        if not self._distinct_words <= other._distinct_words:
            return False
        shared = len(self._shingles & other._shingles)
        return shared >= _SIMILAR * (len(self._shingles) + len(other._shingles) - shared)

    @cached_property
    def _words(self) -> list[str]:
        return language.split_words(self.folded)

    @cached_property
    def _distinct_words(self) -> frozenset[str]:
        return frozenset(self._words)

    @cached_property
    def _shingles(self) -> frozenset[int]:
        words = self._words
        starts = range(max(1, len(words) - _SHINGLE + 1))
        return frozenset(hash(tuple(words[start : start + _SHINGLE])) for start in starts)
