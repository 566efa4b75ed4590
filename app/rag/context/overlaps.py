"""Show what neighboring chunks have in common only once: chunks of one document overlap by some sentences. Pure."""

from collections.abc import Sequence

from app.knowledge.search.hybrid import Passage


def trim_overlaps(passages: Sequence[Passage]) -> list[tuple[Passage, str]]:
    """Each passage with the text to show of it: without its end, if the next chunk of its document is shown too.

    Cut at the end, so that offsets in what is shown are those in the chunk.
    """
    starts = {(passage.document_id, passage.position): passage.start_offset for passage in passages}
    return [
        (passage, _text_before(passage, starts.get((passage.document_id, passage.position + 1))))
        for passage in passages
    ]


def _text_before(passage: Passage, next_start: int | None) -> str:
    """The text up to where the next chunk begins; all of it if they do not overlap, or are equal."""
    if next_start is None or not 0 < next_start - passage.start_offset < len(passage.text):
        return passage.text
    return passage.text[: next_start - passage.start_offset].rstrip() or passage.text
