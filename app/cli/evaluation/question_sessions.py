"""The chat sessions of an evaluation: one for each question, deleted afterwards, also by a later run.

A process that is killed leaves those of the questions that it was asking. Their titles name it, so the next evaluation
of the project can tell that nobody uses them any more: at once on the same machine, after a day on another.
"""

import re
from contextlib import suppress
from datetime import timedelta

from app import errors, services
from app.answer_options import OptionLayer
from app.chat.session_lists import SessionCriteria, SessionOrder
from app.cli.patience import outlast_outages
from app.database import models, pages
from app.database.leases import LeaseOwner

_TITLE = "footnote eval"
# A session is deleted as soon as its question is answered, which time limits end long before.
_LONGEST_QUESTION = timedelta(days=1)
_OWNER = re.compile(rf"{_TITLE} (\S+:\d+:[0-9a-f]{{12}})")


class QuestionSessions:
    """Creates and deletes the operator's sessions in one project. An outage of the database is outlasted."""

    def __init__(self, footnote: services.Services, project: models.Project, options: OptionLayer) -> None:
        self._operator = footnote.operator()
        self._project = project
        self._options = options
        self._owner = LeaseOwner()

    async def create_session(self) -> models.ChatSession:
        """Create a session for a question. Raises Invalid for an option out of range, Unavailable after a minute."""
        values = {**self._options, "title": f"{_TITLE} {self._owner.name}"}
        return await outlast_outages(lambda: self._operator.chats.create_session(self._project.id, values))

    async def delete_session(self, id: str) -> None:
        """Delete a session with its messages. Raises Unavailable after a minute."""
        with suppress(errors.NotFound):  # the reply to the first attempt was lost, or another run was faster
            await outlast_outages(lambda: self._operator.chats.delete_session(id))

    async def delete_abandoned(self) -> None:
        """Delete the sessions left by runs that died on this machine, or more than a day ago on another."""
        window = pages.PageRequest(first=pages.MAX_SIZE)
        while True:
            [page] = await self._operator.chat_lists.list_by_project(
                [self._project.id], SessionCriteria(title_contains=_TITLE), SessionOrder(), window
            )
            for session in page.rows:
                if self._is_abandoned(session):
                    await self.delete_session(session.id)
            if not page.has_next:
                return
            window = pages.PageRequest(first=pages.MAX_SIZE, after=page.cursors[-1])

    def _is_abandoned(self, session: models.ChatSession) -> bool:
        made_by = _OWNER.fullmatch(session.title)
        is_ours = session.created_by == self._operator.user.id
        if not is_ours or made_by is None:
            return False
        is_old = session.last_activity_at < models.now() - _LONGEST_QUESTION
        return is_old or self._owner.is_gone(made_by[1], session.created_at)
