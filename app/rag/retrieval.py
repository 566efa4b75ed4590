"""Passages that a search found in; the candidates for the context out, with a decision for each other one. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.knowledge.search import Passage
from app.rag.budget import Decision


@dataclass(frozen=True, slots=True)
class Selected:
    """`candidates` best first; `left_out` holds the others with the reason."""

    candidates: tuple[Passage, ...]
    left_out: tuple[tuple[Passage, Decision], ...]


def select(passages: Sequence[Passage], *, threshold: float, top_k: int) -> Selected:
    """Duplicates out (same text counts once, its best place), then what is under the threshold, then beyond top_k.

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
        elif len(candidates) >= top_k:
            left_out.append((passage, "BEYOND_TOP_K"))
        else:
            candidates.append(passage)
        seen.add(text)
    return Selected(tuple(candidates), tuple(left_out))
