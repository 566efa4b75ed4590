"""Select the candidates for the context among the found passages, with a reason for each one left out. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from app.knowledge.search.hybrid import Passage
from app.rag.context.near_duplicates import NearDuplicateFilter
from app.statuses import Decision

# Words.
_BEGINNING = 10

LeftOut = tuple[tuple[Passage, Decision], ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """`candidates` best first; `left_out` holds the others with the reason."""

    candidates: tuple[Passage, ...] = ()
    left_out: LeftOut = ()


def filter_relevant(passages: Sequence[Passage], *, threshold: float, wanted: int | None = None) -> Selection:
    """Drop duplicates and near-duplicates (the best-ranked one stays), then passages below the threshold.

    A score equal to the threshold passes. After `wanted` candidates, near-duplicates are no longer looked for, which
    would take most of the time: if the order stays, the rest will not be used.
    """
    candidates: list[Passage] = []
    left_out: list[tuple[Passage, Decision]] = []
    seen: set[str] = set()
    kept = NearDuplicateFilter()
    for passage, text in zip(passages, _comparable_texts(passages), strict=True):
        if text in seen:
            left_out.append((passage, Decision.DUPLICATE))
        elif passage.score < threshold:
            left_out.append((passage, Decision.BELOW_THRESHOLD))
        elif (wanted is None or len(candidates) < wanted) and not kept.add_unless_duplicate(passage.text):
            left_out.append((passage, Decision.DUPLICATE))
        else:
            candidates.append(passage)
        seen.add(text)
    return Selection(tuple(candidates), tuple(left_out))


def _comparable_texts(passages: Sequence[Passage]) -> list[str]:
    """Texts that are equal for passages that differ only in white space.

    Most passages differ in their first words, which stand for them then.
    """
    beginnings = [" ".join(passage.text.split(None, _BEGINNING)[:_BEGINNING]) for passage in passages]
    counts = Counter(beginnings)
    return [
        beginning if counts[beginning] == 1 else " ".join(passage.text.split())
        for passage, beginning in zip(passages, beginnings, strict=True)
    ]


def take_top_k(passages: Sequence[Passage], left_out: LeftOut, *, top_k: int) -> Selection:
    """Keep the first `top_k` of `passages`; their order may be a reranker's."""
    beyond: LeftOut = tuple((passage, Decision.BEYOND_TOP_K) for passage in passages[top_k:])
    return Selection(tuple(passages[:top_k]), (*beyond, *left_out))
