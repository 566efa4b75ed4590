"""Chat sessions, their messages and answers, as one user may see and change them."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from app import answer_options, errors
from app.accounts.members import Role
from app.chat.answer_log.log_entries import LogEntry
from app.database import models, pages
from app.rag.pipeline import Preview
from app.services.authorization.roles import Roles
from app.services.authorization.token_allowance import TokenAllowance
from app.services.authorization.watching import Check, FollowerRegistry, valid_for_ever
from app.services.chat import Chat


class ChatAccess:
    """A session belongs to the user who opened it; other members of the project may read it when it is shared."""

    def __init__(self, chat: Chat, followers: FollowerRegistry, tokens: TokenAllowance, roles: Roles) -> None:
        self._sessions = chat.sessions
        self._turns = chat.turns
        self._answer_log = chat.answer_log
        self._previews = chat.previews
        self._followers = followers
        self._tokens = tokens
        self._roles = roles

    def options(
        self, project: models.Project | None, user: models.User | None, *layers: answer_options.OptionLayer
    ) -> answer_options.AnswerOptions:
        """What is in force, for a project that was found here: see Sessions.options."""
        return self._sessions.options(project, user, *layers)

    async def create(self, project_id: str, values: Mapping[str, Any]) -> models.ChatSession:
        """A new session of the user's."""
        await self._roles.require(project_id, Role.VIEWER, "project")
        return await self._sessions.create(project_id, self._roles.user_id, values)

    async def update(self, session_id: str, changes: Mapping[str, Any]) -> models.ChatSession:
        """Change one of the user's."""
        await self._own(session_id)
        return await self._sessions.update(session_id, changes)

    async def delete(self, session_id: str) -> str:
        """Remove one of the user's; the project's id."""
        await self._own(session_id)
        return await self._sessions.delete(session_id)

    async def send(
        self, session_id: str, content: str, *, key: str | None, overrides: Mapping[str, Any]
    ) -> tuple[models.Message, models.Message]:
        """Ask in one of the user's sessions."""
        await self._own(session_id)
        await self._tokens.require()
        return await self._turns.send(
            session_id, content, user_id=self._roles.user_id, idempotency_key=key, overrides=overrides
        )

    async def cancel(self, message_id: str) -> models.Message:
        """Stop an answer of the user's."""
        await self._own_message(message_id)
        return await self._turns.cancel(message_id)

    async def regenerate(self, message_id: str, *, key: str | None) -> models.Message:
        """Give an answer of the user's once more."""
        await self._own_message(message_id)
        await self._tokens.require()
        return await self._turns.regenerate(message_id, user_id=self._roles.user_id, idempotency_key=key)

    async def preview(
        self, session_id: str, content: str, *, overrides: Mapping[str, Any], reformulate: bool
    ) -> Preview:
        """What the next answer of one of the user's sessions would be made of."""
        await self._own(session_id)
        if reformulate:
            await self._tokens.require()
        preview = await self._previews.preview_session(
            session_id, content, user_id=self._roles.user_id, overrides=overrides, reformulate=reformulate
        )
        await self._tokens.record(preview.spent)
        return preview

    async def preview_new_session(
        self, project_id: str, content: str, *, settings: Mapping[str, Any], reformulate: bool
    ) -> Preview:
        """What the first answer of a session with these settings would be made of; none is created."""
        await self._roles.require(project_id, Role.VIEWER, "project")
        if reformulate:
            await self._tokens.require()
        preview = await self._previews.preview_new_session(
            project_id, content, user_id=self._roles.user_id, settings=settings, reformulate=reformulate
        )
        await self._tokens.record(preview.spent)
        return preview

    async def by_ids(self, ids: Sequence[str]) -> list[models.ChatSession | None]:
        """The sessions with these ids, in order."""
        rows = await self._sessions.by_ids(ids)
        return [row if row is not None and await self._roles.sees(row) else None for row in rows]

    async def page(self, project_ids: Sequence[str], window: pages.Window) -> list[pages.Page[models.ChatSession]]:
        """The sessions of each project that the user sees, oldest first."""
        for project_id in project_ids:
            await self._roles.require(project_id, Role.VIEWER, "project")
        return await self._sessions.page(project_ids, window, self._roles.seen_by)

    async def count(self, project_ids: Sequence[str]) -> list[int]:
        """How many of them each project has."""
        return await self._sessions.count(project_ids, self._roles.seen_by)

    async def messages(self, session_ids: Sequence[str], window: pages.Window) -> list[pages.Page[models.Message]]:
        """Messages of each of these sessions, which were found here, oldest first."""
        return await self._sessions.messages(session_ids, window)

    async def count_messages(self, session_ids: Sequence[str]) -> list[int]:
        """How many messages each of these sessions has, which were found here."""
        return await self._sessions.count_messages(session_ids)

    async def messages_by_ids(self, ids: Sequence[str]) -> list[models.Message | None]:
        """The messages with these ids, in order."""
        rows = await self._sessions.messages_by_ids(ids)
        if self._roles.everything:
            return rows
        session_ids = sorted({row.session_id for row in rows if row is not None})
        sessions = {session.id for session in await self.by_ids(session_ids) if session is not None}
        return [row if row is not None and row.session_id in sessions else None for row in rows]

    async def content(self, message_id: str) -> str:
        """The text so far of an answer that was found here and is not final."""
        return await self._answer_log.content(message_id)

    async def follow(
        self, message: models.Message, after: int = 0, check: Check = valid_for_ever
    ) -> AsyncGenerator[LogEntry]:
        """The log of an answer that was found here. NotFound once the user does not see it, or what `check` raises."""
        with self._followers.session(self._roles.seen_by, message.project_id, message.session_id, check) as watched:
            entries = self._answer_log.follow(message.id, after)
            seen = watched.yield_while_visible(entries, "message", message.id)
            del message  # it has the whole text, and whoever follows may read slowly
            async with aclosing(seen):
                async for entry in seen:
                    yield entry

    async def _own(self, session_id: str) -> None:
        """Raises NotFound for a session that the user does not see, Forbidden for one of somebody else's."""
        [session] = await self._sessions.by_ids([session_id])
        if session is None or not await self._roles.sees(session):
            raise errors.NotFound("chat session", session_id)
        if session.created_by != self._roles.user_id and not self._roles.everything:
            raise errors.Forbidden("This chat session belongs to someone else; create one of your own.")

    async def _own_message(self, message_id: str) -> None:
        [message] = await self.messages_by_ids([message_id])
        if message is None:
            raise errors.NotFound("message", message_id)
        await self._own(message.session_id)
