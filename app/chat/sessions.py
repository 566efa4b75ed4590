"""Chat sessions: settings in, rows and conversations out; defaults are resolved where they are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.database import models, pages
from app.database.engine import Database
from app.providers.base import Message
from app.rag import request
from app.rag.outcome import NO_SOURCES_TEXT, REJECTED_TEXT

_MAX_PROMPT = 100_000
_MAX_HISTORY = 1000

# What a session may say, as (least, most).
RANGES: Mapping[str, tuple[float, float]] = {
    "rag_top_k": (1, 50),
    "rag_threshold": (0, 1),
    "context_token_ratio": (0.2, 0.8),
    "max_tokens": (1, 1_000_000),
    "temperature": (0, 2),
}
_NAMES = {
    "rag_top_k": "ragTopK",
    "rag_threshold": "ragThreshold",
    "context_token_ratio": "contextTokenRatio",
    "max_tokens": "maxTokens",
    "system_prompt": "systemPrompt",
    "document_ids": "documentIds",
}
_MAX_QUERY = 10_000
# What a conversation shows: an answer whose place another took is kept, but no part of it.
_HISTORY = select(models.Message).where(models.Message.replaced_by.is_(None))


@dataclass(frozen=True, slots=True)
class Defaults:
    """What holds where a session says nothing."""

    model: str
    rag_top_k: int
    rag_threshold: float | None
    context_token_ratio: float
    max_tokens: int
    temperature: float
    max_context_tokens: int
    max_context_chars: int | None
    enable_rag: bool = True
    include_citations: bool = True
    grounding: str = "GROUNDED"
    reformulate: bool = False
    search_mode: str = "HYBRID"
    citation_style: str = "NUMBERED"
    context_placement: str = "SYSTEM"


class Sessions:
    """The chat sessions of all projects."""

    def __init__(self, database: Database, defaults: Defaults, known_model: Any) -> None:
        self._database = database
        self._known_model = known_model
        self.defaults = defaults

    async def create(self, project_id: str, user_id: str, values: Mapping[str, Any]) -> models.ChatSession:
        """A new session. Raises NotFound for the project or a document, Invalid for a value out of range."""
        self._check(values)
        async with self._database.begin() as db:
            if await db.get(models.Project, project_id) is None:
                raise errors.NotFound("project", project_id)
            await check_documents(db, project_id, values.get("document_ids"))
            session = models.ChatSession(project_id=project_id, created_by=user_id, **_row(values))
            db.add(session)
        return session

    async def update(self, session_id: str, changes: Mapping[str, Any]) -> models.ChatSession:
        """Change what `changes` names; None resets to the default. Raises NotFound or Invalid."""
        self._check(changes)
        async with self._database.begin() as db:
            session = await db.get(models.ChatSession, session_id)
            if session is None:
                raise errors.NotFound("chat session", session_id)
            await check_documents(db, session.project_id, changes.get("document_ids"))
            for field, value in _row(changes, new=False).items():
                setattr(session, field, value)
        return session

    async def delete(self, session_id: str) -> str:
        """Remove a session with its messages; the project's id. Raises NotFound."""
        async with self._database.begin() as db:
            session = await db.get(models.ChatSession, session_id)
            if session is None:
                raise errors.NotFound("chat session", session_id)
            await db.delete(session)
        return session.project_id

    async def by_ids(self, ids: Sequence[str]) -> list[models.ChatSession | None]:
        """The sessions with these ids, in order; None where there is none."""
        async with self._database.read() as db:
            rows = await db.scalars(select(models.ChatSession).where(models.ChatSession.id.in_(ids)))
            found = {row.id: row for row in rows}
        return [found.get(id) for id in ids]

    async def page(
        self, project_ids: Sequence[str], window: pages.Window, seen_by: str | None = None
    ) -> list[pages.Page[models.ChatSession]]:
        """Sessions of each project, oldest first; those that a member sees."""
        parent, keys = models.ChatSession.project_id, [models.ChatSession.id]
        async with self._database.read() as db:
            return await pages.fetch_each(db, _seen(seen_by), parent, project_ids, keys, window)

    async def count(self, project_ids: Sequence[str], seen_by: str | None = None) -> list[int]:
        """How many sessions each project has; how many a member sees."""
        async with self._database.read() as db:
            return await pages.count_each(db, _seen(seen_by), models.ChatSession.project_id, project_ids)

    async def messages(self, session_ids: Sequence[str], window: pages.Window) -> list[pages.Page[models.Message]]:
        """Messages of each session, oldest first, without answers that were given again."""
        parent, keys = models.Message.session_id, [models.Message.id]
        async with self._database.read() as db:
            return await pages.fetch_each(db, _HISTORY, parent, session_ids, keys, window)

    async def count_messages(self, session_ids: Sequence[str]) -> list[int]:
        """How many messages each session has."""
        async with self._database.read() as db:
            return await pages.count_each(db, _HISTORY, models.Message.session_id, session_ids)

    async def messages_by_ids(self, ids: Sequence[str]) -> list[models.Message | None]:
        """The messages with these ids, in order; None where there is none."""
        async with self._database.read() as db:
            rows = await db.scalars(select(models.Message).where(models.Message.id.in_(ids)))
            found = {row.id: row for row in rows}
        return [found.get(id) for id in ids]

    async def conversation(self, question: models.Message) -> tuple[Message, ...]:
        """The turns before a question that were answered, oldest first, and the question.

        A question whose answer failed or was cancelled before its first word is no part of what was said.
        """
        async with self._database.read() as db:
            said = (models.Message.id, models.Message.role, models.Message.content, models.Message.reply_to)
            rows = await db.execute(
                select(*said, models.Message.status)
                .where(models.Message.session_id == question.session_id, models.Message.id < question.id)
                .where(models.Message.replaced_by.is_(None))
                .order_by(models.Message.id.desc())
                .limit(_MAX_HISTORY)
            )
            earlier = list(rows)[::-1]
        given = [row for row in earlier if row.role == "ASSISTANT" and row.content]
        # Where giving an answer again broke off, the whole one counts.
        answers = {row.reply_to: row for row in sorted(given, key=lambda row: row.status == "COMPLETED")}
        messages: list[Message] = []
        for row in earlier:
            answer = answers.get(row.id)
            if row.role == "USER" and answer is not None:
                messages += [Message("user", row.content), Message("assistant", answer.content)]
        return (*messages, Message("user", question.content))

    def resolve(
        self, session: models.ChatSession, project: models.Project, overrides: Mapping[str, Any]
    ) -> request.Settings:
        """How an answer is given: what the sender overrode, else the session's settings, else the defaults."""

        def chosen(name: str) -> Any:
            for value in (overrides.get(name), getattr(session, name, None)):
                if value is not None:
                    return value
            return getattr(self.defaults, name)

        documents = overrides.get("document_ids") or session.document_ids
        return request.Settings(
            model=chosen("model"),
            enable_rag=chosen("enable_rag"),
            top_k=chosen("rag_top_k"),
            threshold=chosen("rag_threshold"),
            ratio=chosen("context_token_ratio"),
            max_tokens=chosen("max_tokens"),
            temperature=chosen("temperature"),
            grounding=chosen("grounding"),
            include_citations=chosen("include_citations"),
            citation_style=chosen("citation_style"),
            placement=chosen("context_placement"),
            mode=chosen("search_mode"),
            max_context_tokens=self.defaults.max_context_tokens,
            max_context_chars=self.defaults.max_context_chars,
            no_sources_text=project.no_sources_text or NO_SOURCES_TEXT,
            rejected_text=project.rejected_text or REJECTED_TEXT,
            system_prompt=session.system_prompt,
            document_ids=tuple(documents) if documents else None,
            search_query=overrides.get("search_query"),
            reformulate=chosen("reformulate"),
        )

    def check_overrides(self, overrides: Mapping[str, Any]) -> None:
        """Raises Invalid when a turn's own settings are out of range."""
        self._check(overrides)

    def _check(self, values: Mapping[str, Any]) -> None:
        issues: list[errors.Issue] = []
        for name, (least, most) in RANGES.items():
            value = values.get(name)
            if value is not None and not least <= value <= most:
                path = _NAMES.get(name, name)
                issues.append(
                    errors.Issue((path,), "OUT_OF_RANGE", f"`{path}` must be between {least:g} and {most:g}.")
                )
        if len(values.get("system_prompt") or "") > _MAX_PROMPT:
            issues.append(
                errors.Issue(("systemPrompt",), "TOO_LONG", f"At most {_MAX_PROMPT:,} characters are allowed.")
            )
        if len(values.get("title") or "") > 500:
            issues.append(errors.Issue(("title",), "TOO_LONG", "A title has at most 500 characters."))
        if values.get("document_ids") == []:
            message = "Name at least one document, or leave `documentIds` out to search all of them."
            issues.append(errors.Issue(("documentIds",), "INVALID", message))
        issues += _query_issues(values.get("search_query"))
        model = values.get("model")
        if model is not None and (problem := self._known_model(model)):
            issues.append(errors.Issue(("model",), "INVALID", problem))
        if issues:
            raise errors.Invalid(*issues)


def _seen(by: str | None) -> Select[models.ChatSession]:
    """The sessions that a member of their projects sees: their own and those that are shared; None sees all."""
    every = select(models.ChatSession)
    return every if by is None else every.where(or_(models.ChatSession.created_by == by, models.ChatSession.shared))


def _query_issues(search_query: str | None) -> list[errors.Issue]:
    if search_query is None:
        return []
    if not search_query.strip():
        message = "`searchQuery` needs some words; leave it out to search with the question."
        return [errors.Issue(("searchQuery",), "REQUIRED", message)]
    if len(search_query) > _MAX_QUERY:
        return [errors.Issue(("searchQuery",), "TOO_LONG", f"A search query has at most {_MAX_QUERY:,} characters.")]
    return []


def _row(values: Mapping[str, Any], *, new: bool = True) -> dict[str, Any]:
    """Column values; a title and `shared` are never null."""
    row = dict(values)
    if new or "title" in row:
        row["title"] = (row.get("title") or "").strip() or "New chat"
    if new or "shared" in row:
        row["shared"] = bool(row.get("shared"))
    return row


async def check_documents(db: AsyncSession, project_id: str, ids: Sequence[str] | None) -> None:
    """Every named document must be of this project; one that is not does not exist here."""
    if not ids:
        return
    found = await db.scalars(
        select(models.Document.id).where(models.Document.project_id == project_id, models.Document.id.in_(ids))
    )
    missing = set(ids) - set(found)
    if missing:
        raise errors.NotFound("document", sorted(missing)[0])
