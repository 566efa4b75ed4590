"""Passages: chunks found for a query, with their scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, exists, select
from sqlalchemy.orm import Session, aliased

from app.database import models


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk found for a query. `score` in [0, 1] is the fused relevance, `vector_score` the cosine.

    `start_offset`: where it begins in the parsed text of its document. `page_breaks`: the offsets in `text` where pages
    after `page` begin. `is_last`: it is the last chunk of its document.
    """

    chunk_id: int
    document_id: str
    document_title: str
    source: str | None
    url: str | None
    position: int
    start_offset: int
    text: str
    heading: tuple[str, ...]
    page: int | None
    token_count: int
    score: float
    vector_score: float | None
    lexical_score: float | None
    rerank_score: float | None = None
    page_breaks: tuple[int, ...] = ()
    is_last: bool = True


_NEXT = aliased(models.Chunk)

# Built once: building a statement takes longer than running it.
_PASSAGES = (
    select(
        models.Chunk.id,
        models.Chunk.document_id,
        models.Document.title,
        models.Document.source,
        models.Document.url,
        models.Chunk.position,
        models.Chunk.start_offset,
        models.Chunk.text,
        models.Chunk.heading,
        models.Chunk.page,
        models.Chunk.page_breaks,
        models.Chunk.token_count,
        ~exists().where(_NEXT.document_id == models.Chunk.document_id, _NEXT.position == models.Chunk.position + 1),
    )
    .join(models.Document, models.Document.id == models.Chunk.document_id)
    .where(
        models.Chunk.id.in_(bindparam("chunk_ids", expanding=True)),
        models.Chunk.project_id == bindparam("project_id"),
    )
)


def load_passages(
    db: Session,
    project_id: str,
    chunk_ids: Sequence[int],
    scores: Mapping[int, float],
    lexical: Mapping[int, float],
    cosines: Mapping[int, float],
) -> tuple[Passage, ...]:
    """The passages of these chunks of a project, in this order; omits chunks that do not exist."""
    rows = db.connection().execute(_PASSAGES, {"chunk_ids": chunk_ids, "project_id": project_id}).all()
    found: dict[int, Passage] = {}
    for id, document_id, title, source, url, position, start, text, heading, page, breaks, tokens, is_last in rows:
        found[id] = Passage(
            chunk_id=id,
            document_id=document_id,
            document_title=title,
            source=source,
            url=url,
            position=position,
            start_offset=start,
            text=text,
            heading=tuple(heading),
            page=page,
            page_breaks=tuple(breaks or ()),
            token_count=tokens,
            score=scores[id],
            vector_score=cosines.get(id),
            lexical_score=lexical.get(id),
            is_last=bool(is_last),
        )
    return tuple(found[chunk_id] for chunk_id in chunk_ids if chunk_id in found)
