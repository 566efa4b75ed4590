"""Erase the words of a document from stored answers: from their citations and their logs."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, cast

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.statuses import RUNNING, MessageRole

# Answers per transaction: few enough that running answers hardly have to wait.
_BATCH_SIZE = 20


@dataclass(frozen=True, slots=True)
class DocumentWords:
    """Recognizes a document's words in stored values: in objects that name it, or a chunk of any of its versions.

    Earlier versions of Footnote stored a passage with its chunk alone. If that chunk is gone, and nothing names another
    document for it, the passage is recognized by the document's title. `chunk_ids` grows as chunks are found.
    """

    project_id: str
    document_id: str
    title: str
    chunk_ids: set[int]

    def find_answers(self, db: Session, message_ids: Sequence[str]) -> list[str]:
        """Which of these answers contain the document's words, in their rows or their logs."""
        stored = _read_stored(db, message_ids)
        self._learn_chunks(db, [part for values in stored.values() for part in _objects_in(values)])
        return [id for id, values in stored.items() if self._without_words(values) != values]

    def erase_from_answers(self, db: Session, answers: Sequence[models.Message]) -> None:
        """Erase the document's words from these answers and their logs."""
        ids = [answer.id for answer in answers]
        logs = db.scalars(select(models.CompactLog).where(models.CompactLog.message_id.in_(ids))).all()
        entries = db.scalars(select(models.AnswerEvent).where(models.AnswerEvent.message_id.in_(ids))).all()
        stored = [answer.citations for answer in answers]
        stored += [*(log.entries for log in logs), *([entry.payload] for entry in entries)]
        self._learn_chunks(db, [part for value in stored for part in _objects_in(value)])
        for answer in answers:
            answer.citations = self._without_words(answer.citations)
        for log in logs:
            log.entries = self._without_words(log.entries)
        for entry in entries:
            entry.payload = self._without_words(entry.payload)

    def _learn_chunks(self, db: Session, parts: Sequence[dict[str, Any]]) -> None:
        """Add the chunks that, by what these objects say or suggest, are the document's."""
        others = set[int]()
        for part in parts:
            if (document_id := part.get("document_id")) is not None:
                (self.chunk_ids if document_id == self.document_id else others).update(_chunk_ids_in(part))
        same_title = {
            part["chunk_id"] for part in parts if part.get("document_title") == self.title and "chunk_id" in part
        }
        same_title -= self.chunk_ids | others
        existing = db.scalars(select(models.Chunk.id).where(models.Chunk.id.in_(same_title))) if same_title else ()
        self.chunk_ids.update(same_title.difference(existing))

    def _without_words(self, value: Any) -> Any:
        """A copy of a JSON value without the document's words."""
        if isinstance(value, list):
            return [self._without_words(each) for each in cast("list[Any]", value)]
        if not isinstance(value, dict):
            return value
        fields = cast("dict[str, Any]", value)
        is_ours = fields.get("chunk_id") in self.chunk_ids
        return {
            name: "" if is_ours and name in ("quote", "text") else self._without_words(each)
            for name, each in fields.items()
        }


class QuoteErasure:
    """Erases quotes, and the text of passages that were found for an answer. The text of the answer itself is kept.

    An answer that is being generated keeps them until it ends: they are erased in the transaction that ends it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read_words(self, document: models.Document) -> DocumentWords:
        """Read how to recognize a document's words, while it exists: afterwards its chunks are unknown."""
        chunks = select(models.Chunk.id).where(models.Chunk.document_id == document.id)
        chunk_ids = await self._database.run_read(lambda db: set(db.scalars(chunks)))
        return DocumentWords(document.project_id, document.id, document.title, chunk_ids)

    def earliest_end(self) -> datetime:
        """The earliest moment, by the clock of any server, at which an answer that is running now can end."""
        return models.now() - self._database.max_clock_difference

    async def erase_quotes(self, words: DocumentWords, since: datetime | None = None) -> None:
        """Erase a document from the answers of its project that have ended: all of them, or those since then."""
        # All at once: to find where the last few ended, a database may read all answers of the project again.
        ended = _select_ended(words, since).with_only_columns(models.Message.id)
        ids = await self._database.run_read(lambda db: db.scalars(ended).all(), slow=True)
        for start in range(0, len(ids), _BATCH_SIZE):
            # Most answers are not about the document, and nobody has to wait while they are read.
            find = partial(words.find_answers, message_ids=ids[start : start + _BATCH_SIZE])
            if found := await self._database.run_read(find, slow=True):
                await self._database.run_write(partial(_erase_from, words, found), Lock.ANSWER_LOGS)


def finish_erasure(words: DocumentWords, since: datetime, db: Session) -> None:
    """Erase a document in the transaction that deletes it.

    That is from answers that ended since then, and, when they end, from those that are being generated.
    """
    words.erase_from_answers(db, db.scalars(_select_ended(words, since)).all())
    running = models.Message.project_id == words.project_id, models.Message.status.in_(RUNNING)
    values = {"document_id": words.document_id, "title": words.title, "chunk_ids": sorted(words.chunk_ids)}
    ids = db.scalars(select(models.Message.id).where(*running, models.Message.role == MessageRole.ASSISTANT))
    db.add_all([models.PendingErasure(message_id=id, **values) for id in ids])


def _erase_from(words: DocumentWords, message_ids: Sequence[str], db: Session) -> None:
    words.erase_from_answers(db, db.scalars(select(models.Message).where(models.Message.id.in_(message_ids))).all())


def erase_pending(db: Session, message_ids: Sequence[str]) -> None:
    """Erase, from answers that end in this transaction, the documents that were deleted while they were generated."""
    if not message_ids:
        return
    answers = select(models.Message).where(models.Message.id.in_(message_ids))
    for answer in db.scalars(answers.execution_options(populate_existing=True)).all():
        pending = select(models.PendingErasure).where(models.PendingErasure.message_id == answer.id)
        for row in db.scalars(pending).all():
            words = DocumentWords(answer.project_id, row.document_id, row.title, set(row.chunk_ids))
            words.erase_from_answers(db, [answer])
            db.delete(row)


def _select_ended(words: DocumentWords, since: datetime | None) -> Select[models.Message]:
    answers = select(models.Message).where(
        models.Message.project_id == words.project_id,
        models.Message.role == MessageRole.ASSISTANT,
        models.Message.status.not_in(RUNNING),
    )
    return answers if since is None else answers.where(models.Message.completed_at >= since)


def _read_stored(db: Session, message_ids: Sequence[str]) -> dict[str, list[Any]]:
    """The stored values of answers that may contain words of documents, by message id."""
    stored = defaultdict[str, list[Any]](list)
    for message_id, column in (
        (models.Message.id, models.Message.citations),
        (models.CompactLog.message_id, models.CompactLog.entries),
        (models.AnswerEvent.message_id, models.AnswerEvent.payload),
    ):
        for id, value in db.execute(select(message_id, column).where(message_id.in_(message_ids))):
            stored[id].append(value)
    return stored


def _chunk_ids_in(part: dict[str, Any]) -> Iterator[int]:
    """The chunks that an object names: a passage its own, a citation those of its uses."""
    uses = cast("list[dict[str, Any]]", part.get("uses") or [])
    return (each["chunk_id"] for each in (part, *uses) if "chunk_id" in each)


def _objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """Every JSON object in a value."""
    if isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _objects_in(each)
    elif isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        yield fields
        for each in fields.values():
            yield from _objects_in(each)
