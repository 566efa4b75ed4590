"""Recognize passages that say nothing new: nearly the same text as a better one, and no other words. Pure."""

from collections import Counter

from app import language

# Words of a shingle, and the least Jaccard similarity of two passages' shingles.
_SHINGLE = 4
_SIMILAR = 0.8


class NearDuplicateFilter:
    """Remembers the passages that are kept, and finds near-duplicates of them.

    Similar shingles are not enough: a contract, a price list or a release note may differ from another in a name or a
    number alone, which is what a question is about. So a near-duplicate has no word that the kept passage lacks.
    """

    def __init__(self) -> None:
        self._shingles: list[frozenset[int]] = []
        self._words: list[frozenset[str]] = []
        self._holders: dict[int, list[int]] = {}

    def add_unless_duplicate(self, text: str) -> bool:
        """Remember a passage, and return whether it is new."""
        words = language.split_words(text)
        if not words:
            return True
        shingles = frozenset(
            hash(tuple(words[start : start + _SHINGLE])) for start in range(max(1, len(words) - _SHINGLE + 1))
        )
        if self._is_duplicate(shingles, frozenset(words)):
            return False
        for shingle in shingles:
            self._holders.setdefault(shingle, []).append(len(self._shingles))
        self._shingles.append(shingles)
        self._words.append(frozenset(words))
        return True

    def _is_duplicate(self, shingles: frozenset[int], words: frozenset[str]) -> bool:
        shared = Counter(holder for shingle in shingles for holder in self._holders.get(shingle, ()))
        return any(
            count >= _SIMILAR * (len(shingles) + len(self._shingles[holder]) - count) and words <= self._words[holder]
            for holder, count in shared.items()
        )
