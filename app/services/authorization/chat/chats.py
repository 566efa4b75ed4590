"""One user's access to chat sessions, messages and answers."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, nullcontext
from typing import Any

from app import answer_options, errors
from app.accounts.members import Role
from app.chat.answer_log.log_entries import LogEntry
from app.chat.branches.placement import AT_THE_END, Placement
from app.chat.messages import Place, QuestionTotals
from app.database import models, pages
from app.rag.pipeline import Preview
from app.services.authorization.followers import CredentialCheck, ResultSlot, never_expires
from app.services.authorization.roles import Roles
from app.services.authorization.token_allowance import TokenAllowance
from app.services.backend import Backend


class ChatAccess:
    """A session belongs to the user who created it; other members of the project can read it if it is shared."""

    def __init__(self, backend: Backend, tokens: TokenAllowance, roles: Roles) -> None:
        self._sessions = backend.chat.sessions
        self._messages = backend.chat.messages
        self._turns = backend.chat.turns
        self._answer_log = backend.chat.answer_log
        self._previews = backend.chat.previews
        self._followers = backend.followers
        self._tokens = tokens
        self._roles = roles

    def resolve_options(
        self, project: models.Project | None, user: models.User | None, *layers: answer_options.OptionLayer
    ) -> answer_options.AnswerOptions:
        """The options in force for a project that the user sees; see Sessions.resolve_options."""
        return self._sessions.resolve_options(project, user, *layers)

    async def create_session(self, project_id: str, values: Mapping[str, Any]) -> models.ChatSession:
        """Create a session that belongs to the user."""
        await self._roles.require(Role.VIEWER, project_id)
        return await self._sessions.create_session(project_id, self._roles.user_id, values)

    async def update_session(self, session_id: str, changes: Mapping[str, Any]) -> models.ChatSession:
        """Update one of the user's sessions."""
        await self._require_own_session(session_id)
        return await self._sessions.update_session(session_id, changes)

    async def delete_session(self, session_id: str) -> str:
        """Delete one of the user's sessions; returns the project's id."""
        await self._require_own_session(session_id)
        return await self._sessions.delete_session(session_id)

    async def send_message(
        self,
        session_id: str,
        content: str,
        *,
        key: str | None,
        overrides: Mapping[str, Any],
        placement: Placement = AT_THE_END,
    ) -> tuple[models.Message, models.Message]:
        """Ask a question in one of the user's sessions."""
        await self._require_own_session(session_id)
        await self._tokens.require()
        return await self._turns.send_message(
            session_id,
            content,
            user_id=self._roles.user_id,
            idempotency_key=key,
            overrides=overrides,
            placement=placement,
        )

    async def cancel_answer(self, message_id: str) -> models.Message:
        """Stop one of the user's answers."""
        await self._require_own_message(message_id)
        return await self._turns.cancel_answer(message_id)

    async def regenerate_answer(
        self, message_id: str, *, key: str | None, overrides: Mapping[str, Any]
    ) -> models.Message:
        """Generate another answer to one of the user's questions."""
        await self._require_own_message(message_id)
        await self._tokens.require()
        return await self._turns.regenerate_answer(
            message_id, user_id=self._roles.user_id, idempotency_key=key, overrides=overrides
        )

    async def select_branch(self, message_id: str) -> str:
        """Show the branch of one of the user's sessions that a message belongs to; returns the session's id."""
        await self._require_own_message(message_id)
        return await self._messages.select_branch(message_id)

    async def preview(
        self,
        session_id: str,
        content: str,
        *,
        overrides: Mapping[str, Any],
        reformulate: bool,
        placement: Placement = AT_THE_END,
    ) -> Preview:
        """Preview an answer in one of the user's sessions."""
        await self._require_own_session(session_id)
        async with self._tokens.spending(required=reformulate) as meter:
            return await self._previews.preview_session(
                session_id,
                content,
                user_id=self._roles.user_id,
                overrides=overrides,
                placement=placement,
                reformulate=reformulate,
                meter=meter,
            )

    async def preview_new_session(
        self, project_id: str, content: str, *, settings: Mapping[str, Any], reformulate: bool
    ) -> Preview:
        """Preview the first answer in a session with these settings, without creating the session."""
        await self._roles.require(Role.VIEWER, project_id)
        async with self._tokens.spending(required=reformulate) as meter:
            return await self._previews.preview_new_session(
                project_id,
                content,
                user_id=self._roles.user_id,
                settings=settings,
                reformulate=reformulate,
                meter=meter,
            )

    async def by_ids(self, ids: Sequence[str]) -> list[models.ChatSession | None]:
        """The sessions with these ids, in order; None for each that the user may not see."""
        return await self._roles.visible_sessions(await self._sessions.by_ids(ids))

    async def list_messages(
        self, session_ids: Sequence[str], request: pages.PageRequest, *, all_branches: bool
    ) -> list[pages.Page[models.Message]]:
        """A page of messages per session, oldest first. The user is known to have access to these sessions."""
        return await self._messages.list_messages(session_ids, request, all_branches=all_branches)

    async def count_messages(self, session_ids: Sequence[str], *, all_branches: bool) -> list[int]:
        """The number of messages per session. The user is known to have access to these sessions."""
        return await self._messages.count_messages(session_ids, all_branches=all_branches)

    async def list_alternatives(self, places: Sequence[Place]) -> list[list[models.Message]]:
        """The messages at each of these places. The user is known to have access to their sessions."""
        return await self._messages.list_alternatives(places)

    async def question_totals(self, project_ids: Sequence[str]) -> list[QuestionTotals]:
        """For each project the totals of all its questions."""
        await self._roles.require(Role.VIEWER, *project_ids)
        return await self._messages.question_totals(project_ids)

    async def messages_by_ids(self, ids: Sequence[str]) -> list[models.Message | None]:
        """The messages with these ids, in order; None for each that the user may not see."""
        return await self._visible_messages(await self._messages.by_ids(ids))

    async def message_to_follow(self, message_id: str) -> models.Message | None:
        """The message with this id; None if the user may not see it. Its texts and status may be old.

        Most answers are followed by clients of the server that generates them: it does not read them for that.
        """
        row = self._turns.tasks.find_answer(message_id)
        rows = await self._messages.by_ids([message_id]) if row is None else [row]
        [visible] = await self._visible_messages(rows)
        return visible

    async def _visible_messages(self, rows: Sequence[models.Message | None]) -> list[models.Message | None]:
        """The messages in order; None for each in a session that the user may not see."""
        if self._roles.full_access:
            return list(rows)
        session_ids = sorted({row.session_id for row in rows if row is not None})
        sessions = {session.id for session in await self.by_ids(session_ids) if session is not None}
        return [row if row is not None and row.session_id in sessions else None for row in rows]

    async def text_so_far(self, message_id: str) -> str:
        """The text so far of an unfinished answer that the user is known to have access to."""
        return await self._answer_log.text_so_far(message_id)

    async def follow_answer(
        self,
        message: models.Message,
        after: int = 0,
        check: CredentialCheck = never_expires,
        slot: ResultSlot | None = None,
    ) -> AsyncGenerator[LogEntry]:
        """Follow the log of an answer while the user has access; then raise NotFound, or what `check` raises.

        `slot` is held while an entry is yielded.
        """
        followers, user_id = self._followers, self._roles.seen_by
        with followers.follow(user_id, message.project_id, check, message.session_id) as follower:
            entries = self._answer_log.follow_answer(message.id, after)
            visible = follower.yield_while_visible(entries, "message", message.id, slot or nullcontext())
            del message  # it contains the whole text, and the client may be slow
            async with aclosing(visible):
                async for entry in visible:
                    yield entry

    async def _require_own_session(self, session_id: str) -> None:
        """Raises NotFound for a session that the user may not see, Forbidden if it belongs to someone else.

        With full access, nothing is read: the operation itself raises NotFound.
        """
        if self._roles.full_access:
            return
        [session] = await self.by_ids([session_id])
        if session is None:
            raise errors.NotFound("chat session", session_id)
        if session.created_by != self._roles.user_id:
            raise errors.Forbidden("This chat session belongs to someone else; create one of your own.")

    async def _require_own_message(self, message_id: str) -> None:
        [message] = await self.messages_by_ids([message_id])
        if message is None:
            raise errors.NotFound("message", message_id)
        await self._require_own_session(message.session_id)
