"""Passages that a search found in; the candidates for the context out, with a decision for each other one. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.knowledge.search.hybrid import Passage
from app.rag.context.budget import Decision

LeftOut = tuple[tuple[Passage, Decision], ...]


@dataclass(frozen=True, slots=True)
class Selected:
    """`candidates` best first; `left_out` holds the others with the reason."""

    candidates: tuple[Passage, ...]
    left_out: LeftOut


def passing(passages: Sequence[Passage], *, threshold: float) -> Selected:
    """Duplicates out (same text counts once, its best place), then what is under the threshold.

    A score equal to the threshold passes.
    """
    candidates: list[Passage] = []
    left_out: list[tuple[Passage, Decision]] = []
    seen: set[str] = set()
    for passage in passages:
        text = " ".join(passage.text.split())
        if text in seen:
            left_out.append((passage, "DUPLICATE"))
        elif passage.score < threshold:
            left_out.append((passage, "BELOW_THRESHOLD"))
        else:
            candidates.append(passage)
        seen.add(text)
    return Selected(tuple(candidates), tuple(left_out))


def first(passages: Sequence[Passage], left_out: LeftOut, *, top_k: int) -> Selected:
    """The first `top_k` in the order in which they come, which may be a reranker's."""
    beyond: LeftOut = tuple((passage, "BEYOND_TOP_K") for passage in passages[top_k:])
    return Selected(tuple(passages[:top_k]), (*beyond, *left_out))
