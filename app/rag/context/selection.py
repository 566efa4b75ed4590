"""Select the candidates for the context among the found passages, with a reason for each one left out. Pure."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from app.knowledge.search.passages import Passage
from app.rag.context.near_duplicates import NearDuplicateFilter
from app.statuses import Decision

# Words of the beginning and of the end of a text that are compared first.
_WORDS = 10

LeftOut = tuple[tuple[Passage, Decision], ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """`candidates` best first; `left_out` holds the others with the reason."""

    candidates: tuple[Passage, ...] = ()
    left_out: LeftOut = ()


def filter_relevant(passages: Sequence[Passage], *, threshold: float, wanted: int | None) -> Selection:
    """Drop duplicates and near-duplicates (the best-ranked one stays), then passages below the threshold.

    A score equal to the threshold passes. After `wanted` candidates, near-duplicates are no longer looked for: that
    would take most of the time, and unless a reranker changes the order, the rest is not used.
    """
    candidates: list[Passage] = []
    left_out: list[tuple[Passage, Decision]] = []
    seen: set[Hashable] = set()
    kept = NearDuplicateFilter()
    identities = _identify_texts([passage.text for passage in passages])
    for passage, identity in zip(passages, identities, strict=True):
        if identity in seen:
            left_out.append((passage, Decision.DUPLICATE))
        elif passage.score < threshold:
            left_out.append((passage, Decision.BELOW_THRESHOLD))
        elif (wanted is None or len(candidates) < wanted) and not kept.add_unless_duplicate(passage.text):
            left_out.append((passage, Decision.DUPLICATE))
        else:
            candidates.append(passage)
        seen.add(identity)
    return Selection(tuple(candidates), tuple(left_out))


def _identify_texts(texts: Sequence[str]) -> list[Hashable]:
    """A key for each text, equal for texts that differ only in white space.

    That is its first words if no other text has them, else the first and the last words if these differ, else all.
    """
    found: list[Hashable] = [_read_beginning(text) for text in texts]
    for identify in (_read_ends, _collapse_space):
        counts = Counter(found)
        found = [key if counts[key] == 1 else identify(text) for text, key in zip(texts, found, strict=True)]
    return found


def _read_beginning(text: str) -> tuple[str, ...]:
    return tuple(text.split(None, _WORDS)[:_WORDS])


def _read_ends(text: str) -> tuple[tuple[str, ...], ...]:
    return _read_beginning(text), tuple(text.rsplit(None, _WORDS)[-_WORDS:])


def _collapse_space(text: str) -> str:
    return " ".join(text.split())


def take_top_k(passages: Sequence[Passage], left_out: LeftOut, *, top_k: int) -> Selection:
    """Keep the first `top_k` of `passages`; their order may be a reranker's."""
    beyond: LeftOut = tuple((passage, Decision.BEYOND_TOP_K) for passage in passages[top_k:])
    return Selection(tuple(passages[:top_k]), (*beyond, *left_out))
