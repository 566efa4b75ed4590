"""Chat sessions, their options and conversations. Defaults are resolved when they are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from sqlalchemy import Select, bindparam, func, or_, select
from sqlalchemy.orm import Session

from app import answer_options, errors, language
from app.answer_options import AnswerOptions
from app.database import models, pages
from app.database.protocol import Database
from app.database.rows import rows_by_ids
from app.knowledge.search import hybrid
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.providers.base import PromptMessage
from app.rag import request
from app.rag.judgement.outcome import ANSWERED
from app.statuses import MessageRole

MAX_TITLE = 500
_MAX_HISTORY = 1000
# No context window holds more, and a thousand messages of a megabyte each would exhaust the server's memory.
_MAX_HISTORY_CHARS = 4_000_000
# The visible messages. Replaced answers are kept, but are not part of the conversation.
_HISTORY = select(models.Message).where(models.Message.replaced_by.is_(None))


_NO_POSITION = 2**63 - 1


def _select_conversation() -> Select[str, str, str, str | None]:
    """The newest messages of a session before a position, as many as its history may have, oldest first."""
    message = models.Message
    newest = (
        select(message.id, message.position, func.length(message.content).label("length"))
        .where(message.session_id == bindparam("session"), message.position < bindparam("before"))
        .where(or_(message.role == MessageRole.USER, message.outcome.in_(ANSWERED)), message.replaced_by.is_(None))
        .order_by(message.position.desc())
        .limit(_MAX_HISTORY)
        .subquery()
    )
    so_far = func.sum(newest.c.length).over(order_by=newest.c.position.desc()).label("so_far")
    fitting = select(newest.c.id, so_far).subquery()
    return (
        select(message.id, message.role, message.content, message.reply_to)
        .join(fitting, fitting.c.id == message.id)
        .where(fitting.c.so_far <= _MAX_HISTORY_CHARS)
        .order_by(message.position)
    )


_CONVERSATION = _select_conversation()


@dataclass(frozen=True, slots=True)
class Defaults:
    """The server's default options, and its limits, which nothing can override."""

    options: AnswerOptions
    max_context_tokens: int
    max_context_chars: int | None


class ModelProblem(Protocol):
    """Returns why a model cannot be used: its name is wrong, or it is not local although it must be."""

    def __call__(self, name: str, *, local_only: bool = False) -> str | None: ...  # noqa: D102


class Sessions:
    """Stores chat sessions and reads their messages."""

    def __init__(self, database: Database, notifier: Notifier, defaults: Defaults, model_problem: ModelProblem) -> None:
        self._database = database
        self._notifier = notifier
        self._model_problem = model_problem
        self.defaults = defaults

    async def create_session(self, project_id: str, user_id: str, values: Mapping[str, Any]) -> models.ChatSession:
        """Create a session. Raises NotFound for the project or a document, Invalid for a value out of range."""
        self._check(values)

        def write(db: Session) -> models.ChatSession:
            if db.get(models.Project, project_id) is None:
                raise errors.NotFound("project", project_id)
            check_documents(db, project_id, values.get("document_ids"))
            session = models.ChatSession(project_id=project_id, created_by=user_id, **_session_row(values))
            db.add(session)
            return session

        return await self._database.run_write(write)

    async def update_session(self, session_id: str, changes: Mapping[str, Any]) -> models.ChatSession:
        """Update the fields in `changes`; None resets to the default. Raises NotFound or Invalid."""
        self._check(changes)

        def write(db: Session) -> models.ChatSession:
            session = _require_session(db, session_id)
            check_documents(db, session.project_id, changes.get("document_ids"))
            for field, value in _session_row(changes, new=False).items():
                setattr(session, field, value)
            return session

        session = await self._database.run_write(write)
        if "shared" in changes:
            self._notifier.notify(topics.ACCESS)
        return session

    async def delete_session(self, session_id: str) -> str:
        """Delete a session with its messages; returns the project's id. Raises NotFound."""

        def write(db: Session) -> str:
            session = _require_session(db, session_id)
            db.delete(session)
            return session.project_id

        project_id = await self._database.run_write(write)
        self._notifier.notify(topics.ANSWERS_ENDED)
        self._notifier.notify(topics.ACCESS)
        return project_id

    async def by_ids(self, ids: Sequence[str]) -> list[models.ChatSession | None]:
        """The sessions with these ids, in order; None for each that does not exist."""
        return await self._database.run_read(lambda db: rows_by_ids(db, models.ChatSession, ids))

    async def list_sessions(
        self, project_ids: Sequence[str], window: pages.PageRequest, seen_by: str | None = None
    ) -> list[pages.Page[models.ChatSession]]:
        """A page of sessions per project, oldest first; only those that the user `seen_by` may see."""
        parent, keys = models.ChatSession.project_id, [models.ChatSession.id]
        visible = _select_visible(seen_by)
        return await self._database.run_read(
            lambda db: pages.fetch_page_per_parent(db, visible, parent, project_ids, keys, window)
        )

    async def count_sessions(self, project_ids: Sequence[str], seen_by: str | None = None) -> list[int]:
        """The number of sessions per project; only those that the user `seen_by` may see."""
        visible, parent = _select_visible(seen_by), models.ChatSession.project_id
        return await self._database.run_read(lambda db: pages.count_rows_per_parent(db, visible, parent, project_ids))

    async def list_messages(
        self, session_ids: Sequence[str], window: pages.PageRequest
    ) -> list[pages.Page[models.Message]]:
        """A page of messages per session, oldest first, without replaced answers."""
        parent, keys = models.Message.session_id, [models.Message.position]

        def read(db: Session) -> list[pages.Page[models.Message]]:
            request = _convert_old_cursors(db, window)
            return pages.fetch_page_per_parent(db, _HISTORY, parent, session_ids, keys, request)

        return await self._database.run_read(read)

    async def count_messages(self, session_ids: Sequence[str]) -> list[int]:
        """The number of messages per session."""
        parent = models.Message.session_id
        return await self._database.run_read(lambda db: pages.count_rows_per_parent(db, _HISTORY, parent, session_ids))

    async def messages_by_ids(self, ids: Sequence[str]) -> list[models.Message | None]:
        """The messages with these ids, in order; None for each that does not exist."""
        return await self._database.run_read(lambda db: rows_by_ids(db, models.Message, ids))

    def read_conversation(
        self, db: Session, session_id: str, content: str, before: int | None = None
    ) -> tuple[PromptMessage, ...]:
        """The answered turns before a position, oldest first, followed by the question `content`.

        A turn without a usable answer (rejected, failed, cancelled) is left out completely: the model might repeat such
        an answer, and a question alone would break the alternation of questions and answers that models expect.
        """
        rows = db.connection().execute(_CONVERSATION, {"session": session_id, "before": before or _NO_POSITION})
        turns = rows.all()
        answers = {row.reply_to: row for row in turns if row.role == MessageRole.ASSISTANT}
        messages: list[PromptMessage] = []
        for row in turns:
            answer = answers.get(row.id)
            if row.role == MessageRole.USER and answer is not None and answer.content:
                messages += [PromptMessage("user", row.content), PromptMessage("assistant", answer.content)]
        return (*messages, PromptMessage("user", content))

    def resolve_options(
        self, project: models.Project | None, user: models.User | None, *layers: answer_options.OptionLayer
    ) -> AnswerOptions:
        """The effective options: each from the first of `layers` that sets it, else from project, user or server."""
        of_project = (project.answer_options if project else None) or {}
        return answer_options.resolve_options(
            self.defaults.options, *layers, of_project, self._preference(project, user)
        )

    def _preference(self, project: models.Project | None, user: models.User | None) -> answer_options.OptionLayer:
        """The user's preferred model, if it can be used in this project."""
        preferred = user.preferred_model if user else None
        local_only = project is not None and project.local_providers_only
        if preferred is None or self._model_problem(preferred, local_only=local_only):
            return {}
        return {"model": preferred}

    def resolve_pipeline_options(
        self,
        session: models.ChatSession,
        project: models.Project,
        creator: models.User | None,
        overrides: Mapping[str, Any],
    ) -> request.PipelineOptions:
        """The options of an answer in a session, with the overrides of one turn."""
        options = self.resolve_options(project, creator, overrides, own_options(session))
        return request.PipelineOptions.extend(
            options,
            max_context_tokens=self.defaults.max_context_tokens,
            max_context_chars=self.defaults.max_context_chars,
            no_sources_text=project.no_sources_text,
            rejected_text=project.rejected_text,
            search_query=overrides.get("search_query"),
        )

    def check_overrides(self, overrides: Mapping[str, Any]) -> None:
        """Raises Invalid if a turn's own options are out of range."""
        self._check(overrides)

    def _check(self, values: Mapping[str, Any]) -> None:
        issues = answer_options.find_issues(values, self._model_problem)
        if len(values.get("title") or "") > MAX_TITLE:
            issues.append(errors.Issue(("title",), "TOO_LONG", f"The title must have at most {MAX_TITLE} characters."))
        issues += _query_issues(values.get("search_query"))
        if issues:
            raise errors.Invalid(*issues)


def _require_session(db: Session, session_id: str) -> models.ChatSession:
    session = db.get(models.ChatSession, session_id)
    if session is None:
        raise errors.NotFound("chat session", session_id)
    return session


def _convert_old_cursors(db: Session, window: pages.PageRequest) -> pages.PageRequest:
    """Convert the cursors of version 0.1, which contain a message's id, to cursors that contain its position."""
    position: dict[str, str] = {}
    for name in ("after", "before"):
        cursor = getattr(window, name)
        old = pages.decode_single_key(cursor) if cursor is not None else None
        if isinstance(old, str):
            found = db.scalar(select(models.Message.position).where(models.Message.id == old))
            if found is not None:
                position[name] = pages.encode_cursor([found])
    return replace(window, **position)


def own_options(session: models.ChatSession) -> answer_options.OptionLayer:
    """The options that the session itself sets."""
    return {name: getattr(session, name) for name in answer_options.OPTIONS}


def _select_visible(by: str | None) -> Select[models.ChatSession]:
    """The sessions that a member of their projects may see: their own and shared ones; all if `by` is None."""
    every = select(models.ChatSession)
    return every if by is None else every.where(or_(models.ChatSession.created_by == by, models.ChatSession.shared))


def _query_issues(search_query: str | None) -> list[errors.Issue]:
    if search_query is None:
        return []
    if not search_query.strip():
        message = "`searchQuery` must not be empty; leave it out to search with the question."
        return [errors.Issue(("searchQuery",), "REQUIRED", message)]
    if len(search_query) > hybrid.MAX_QUERY_LENGTH:
        message = f"`searchQuery` must have at most {hybrid.MAX_QUERY_LENGTH:,} characters."
        return [errors.Issue(("searchQuery",), "TOO_LONG", message)]
    return []


def _session_row(values: Mapping[str, Any], *, new: bool = True) -> dict[str, Any]:
    """Column values; a title and `shared` are never null."""
    row = dict(values)
    if new or "title" in row:
        row["title"] = language.to_one_line(row.get("title") or "", MAX_TITLE) or "New chat"
    if new or "shared" in row:
        row["shared"] = bool(row.get("shared"))
    return row


def check_documents(db: Session, project_id: str, ids: Sequence[str] | None) -> None:
    """Raises NotFound if one of the documents is not in this project."""
    if not ids:
        return
    found = db.scalars(
        select(models.Document.id).where(models.Document.project_id == project_id, models.Document.id.in_(ids))
    )
    missing = set(ids) - set(found)
    if missing:
        raise errors.NotFound("document", sorted(missing)[0])
