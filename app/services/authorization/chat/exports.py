"""One user's exports of conversations."""

import asyncio
from dataclasses import dataclass
from functools import partial

from anyio import CapacityLimiter, to_thread

from app.chat import exports
from app.database import models, pages
from app.services.authorization.chat.chats import ChatAccess
from app.services.authorization.chat.feedback import FeedbackAccess

_MAX_CHARS = 4_000_000
# All quotes are held in memory, even those written only once, and can be much longer than the answer that has them.
_MAX_QUOTED_CHARS = 16_000_000
_MAX_MESSAGES = 1000
_FORMATS = {"MARKDOWN": exports.to_markdown, "JSON": exports.to_json}


@dataclass(frozen=True, slots=True)
class ExportedSession:
    """A conversation as text. `is_whole` is false if its last messages are left out."""

    text: str
    is_whole: bool


class ExportAccess:
    """A user can export every conversation that they see, with their own ratings."""

    def __init__(self, chats: ChatAccess, feedback: FeedbackAccess) -> None:
        self._chats = chats
        self._feedback = feedback
        self._exporting = asyncio.Lock()

    async def export_session(self, session: models.ChatSession, format: str) -> ExportedSession:
        """A session that the user is known to see, as MARKDOWN or JSON; at most its first thousand messages."""
        async with self._exporting:  # one after the other: each holds all of its messages in memory
            messages, is_whole = await self._read_messages(session.id)
            rated = await self._feedback.ratings_by_answer([row.id for row in messages])
            ratings = {rating.message_id: rating for rating in rated if rating is not None}
            render = partial(_FORMATS[format], session, messages, ratings, is_whole=is_whole)
            # Long conversations take seconds: in a thread of its own, nobody else waits for them.
            text = await to_thread.run_sync(render, limiter=CapacityLimiter(1), abandon_on_cancel=True)
        return ExportedSession(text, is_whole)

    async def _read_messages(self, session_id: str) -> tuple[list[models.Message], bool]:
        """The first messages that fit, and whether they are all of them."""
        found: list[models.Message] = []
        chars, quoted, after = 0, 0, None
        while len(found) < _MAX_MESSAGES:
            request = pages.PageRequest(pages.MAX_SIZE, after)
            [page] = await self._chats.list_messages([session_id], request, all_branches=False)
            for row in page.rows:
                chars, quoted = chars + len(row.content), quoted + _count_quoted(row)
                if chars > _MAX_CHARS or quoted > _MAX_QUOTED_CHARS:
                    return found, False
                found.append(row)
            if not page.has_next:
                return found, True
            after = page.cursors[-1]
        return found, False


def _count_quoted(row: models.Message) -> int:
    """The characters of an answer's quotes."""
    return sum(len(use["quote"]) for citation in row.citations or () for use in citation["uses"])
