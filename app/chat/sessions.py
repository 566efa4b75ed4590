"""Chat sessions and their options. Defaults are resolved when they are read."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app import answer_options, errors, safe_text
from app.answer_options import AnswerOptions
from app.database import models
from app.database.protocol import Database
from app.database.rows import rows_by_ids
from app.knowledge.search import hybrid
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.rag import request
from app.statuses import MessageRole

MAX_TITLE = 500
# Until the first question, whose beginning becomes the title.
NEW_TITLE = "New chat"
_QUESTION_TITLE = 80


@dataclass(frozen=True, slots=True)
class Defaults:
    """The server's default options, and its limits, which nothing can override."""

    options: AnswerOptions
    max_context_tokens: int
    max_context_chars: int | None


class ModelProblem(Protocol):
    """Returns why a model cannot be used: its name is wrong, or it is not local although it must be."""

    def __call__(self, name: str, *, local_only: bool = False) -> str | None: ...  # noqa: D102


_FIRST_QUESTION = (
    select(models.Message.content)
    .where(models.Message.session_id == bindparam("session"), models.Message.role == MessageRole.USER)
    .order_by(models.Message.position)
    .limit(1)
)


class Sessions:
    """Stores chat sessions."""

    def __init__(self, database: Database, notifier: Notifier, defaults: Defaults, model_problem: ModelProblem) -> None:
        self._database = database
        self._notifier = notifier
        self._model_problem = model_problem
        self.defaults = defaults

    async def create_session(self, project_id: str, user_id: str, values: Mapping[str, Any]) -> models.ChatSession:
        """Create a session. Raises NotFound for the project or a document, Invalid for a value out of range."""
        self.check_values(values)

        def write(db: Session) -> models.ChatSession:
            if db.get(models.Project, project_id) is None:
                raise errors.NotFound("project", project_id)
            check_documents(db, project_id, values.get("document_ids"))
            session = models.ChatSession(project_id=project_id, created_by=user_id, **_session_row(values))
            db.add(session)
            return session

        return await self._database.run_write(write, brief=True)

    async def update_session(self, session_id: str, changes: Mapping[str, Any]) -> models.ChatSession:
        """Update the fields in `changes`; None resets to the default. Raises NotFound or Invalid."""
        self.check_values(changes)

        def write(db: Session) -> models.ChatSession:
            session = _require_session(db, session_id)
            # Only new ones are checked: those that it has may have been deleted, and clients send them back.
            added = set(changes.get("document_ids") or ()).difference(own_options(session)["document_ids"] or ())
            check_documents(db, session.project_id, added)
            for field, value in _session_row(changes, new=False).items():
                setattr(session, field, value)
            if "title" in changes and not changes["title"]:
                question = db.scalar(_FIRST_QUESTION, {"session": session_id})
                session.title = title_of_question(question or "")
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

    def resolve_options(
        self, project: models.Project | None, user: models.User | None, *layers: answer_options.OptionLayer
    ) -> AnswerOptions:
        """The effective options: each from the first of `layers` that sets it, else from project, user or server."""
        project_options = (project.answer_options if project else None) or {}
        return answer_options.resolve_options(
            self.defaults.options, *layers, project_options, self._preference(project, user)
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

    def check_values(self, values: Mapping[str, Any]) -> None:
        """Raises Invalid if an option of a session or of a turn is out of range, or a title is too long."""
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


def title_of_question(question: str) -> str:
    """The title of a session that has none of its own and begins with this question."""
    return safe_text.to_one_line(question, _QUESTION_TITLE) or NEW_TITLE


def own_options(session: models.ChatSession) -> answer_options.OptionLayer:
    """The options that the session itself sets."""
    return {name: getattr(session, name) for name in answer_options.OPTIONS}


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
    """The column values; a title, `shared`, `pinned` and `archived` are never null."""
    row = dict(values)
    if new or "title" in row:
        row["title"] = safe_text.to_one_line(row.get("title") or "", MAX_TITLE) or NEW_TITLE
    for name in ("shared", "pinned", "archived"):
        if new or name in row:
            row[name] = bool(row.get(name))
    return row


def check_documents(db: Session, project_id: str, ids: Collection[str] | None) -> None:
    """Raises NotFound if one of the documents is not in this project."""
    if not ids:
        return
    found = db.scalars(
        select(models.Document.id).where(models.Document.project_id == project_id, models.Document.id.in_(ids))
    )
    missing = set(ids) - set(found)
    if missing:
        raise errors.NotFound("document", sorted(missing)[0])
