"""Erase the words of a document from stored answers: from their citations, and from the journals of how they arose."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.statuses import RUNNING, MessageRole

# Answers per transaction: few enough that running answers hardly have to wait.
_TOGETHER = 20


class QuoteErasure:
    """Erases quotes, and the text of passages that were found for an answer. What an answer says itself is kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def chunk_ids(self, document_id: str) -> set[int]:
        """The chunks that a document has now: what is left of it in journals names them."""
        chunks = select(models.Chunk.id).where(models.Chunk.document_id == document_id)
        return await self._database.run_read(lambda db: set(db.scalars(chunks)))

    async def erase_quotes(self, document: models.Document, chunk_ids: Collection[int], since: datetime | None) -> None:
        """Erase a document from the answers of its project, or from those that ended after `since`.

        Answers that are being generated are left out.
        """
        words = _Words(document, chunk_ids)
        answers = select(models.Message).where(
            models.Message.project_id == document.project_id,
            models.Message.role == MessageRole.ASSISTANT,
            models.Message.status.not_in(RUNNING),
        )
        if since is not None:
            answers = answers.where(models.Message.completed_at >= since)
        after = ""

        def erase_next(db: Session) -> str | None:
            later = answers.where(models.Message.id > after).order_by(models.Message.id).limit(_TOGETHER)
            rows = db.scalars(later).all()
            words.erase_from(db, rows)
            return rows[-1].id if rows else None

        while (last := await self._database.run_write(erase_next, Lock.ANSWER_LOGS)) is not None:
            after = last


class _Words:
    """What is a document's in stored values: what names it, or one of its chunks, of earlier versions too.

    Passages of earlier versions name chunks that are gone, and are told by the document's title.
    """

    def __init__(self, document: models.Document, chunk_ids: Collection[int]) -> None:
        self._document_id, self._title = document.id, document.title
        self._chunk_ids = set(chunk_ids)

    def erase_from(self, db: Session, answers: Sequence[models.Message]) -> None:
        """Erase them from these answers and their logs."""
        ids = [answer.id for answer in answers]
        logs = db.scalars(select(models.CompactLog).where(models.CompactLog.message_id.in_(ids))).all()
        entries = db.scalars(select(models.AnswerEvent).where(models.AnswerEvent.message_id.in_(ids))).all()
        stored = [answer.citations for answer in answers]
        stored += [*(log.entries for log in logs), *([entry.payload] for entry in entries)]
        parts = [part for value in stored for part in _objects_in(value)]
        cited = (part for part in parts if part.get("document_id") == self._document_id)
        self._chunk_ids |= {use["chunk_id"] for part in cited for use in part.get("uses", ())}
        self._chunk_ids |= self._gone_chunks(db, parts)
        for answer in answers:
            answer.citations = self._without_words(answer.citations)
        for log in logs:
            log.entries = self._without_words(log.entries)
        for entry in entries:
            entry.payload = self._without_words(entry.payload)

    def _gone_chunks(self, db: Session, parts: Sequence[dict[str, Any]]) -> set[int]:
        alike = {part["chunk_id"] for part in parts if part.get("document_title") == self._title and "chunk_id" in part}
        there = db.scalars(select(models.Chunk.id).where(models.Chunk.id.in_(alike - self._chunk_ids)))
        return alike - set(there)

    def _without_words(self, value: Any) -> Any:
        """A copy of a JSON value without them."""
        if isinstance(value, list):
            return [self._without_words(each) for each in cast("list[Any]", value)]
        if not isinstance(value, dict):
            return value
        given = cast("dict[str, Any]", value)
        is_ours = given.get("chunk_id") in self._chunk_ids
        return {
            name: "" if is_ours and name in ("quote", "text") else self._without_words(each)
            for name, each in given.items()
        }


def _objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """Every JSON object in a value."""
    if isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _objects_in(each)
    elif isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        yield given
        for each in given.values():
            yield from _objects_in(each)
