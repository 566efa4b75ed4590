"""One user's ratings of answers, and the sources they open."""

from collections.abc import Sequence

from app import errors
from app.accounts.members import Role
from app.chat.feedback import Feedback
from app.database import models
from app.services.authorization.chat.chats import ChatAccess
from app.services.authorization.roles import Roles
from app.statuses import FeedbackReason


class FeedbackAccess:
    """A user can rate every answer that they see; a rating is shown to nobody else."""

    def __init__(self, feedback: Feedback, chats: ChatAccess, roles: Roles) -> None:
        self._feedback = feedback
        self._chats = chats
        self._roles = roles

    async def rate_answer(
        self, message_id: str, *, helpful: bool, reason: FeedbackReason | None, comment: str | None
    ) -> models.Message:
        """Rate an answer, or change one's rating."""
        await self._require_visible(message_id)
        return await self._feedback.rate_answer(
            message_id, self._roles.user_id, helpful=helpful, reason=reason, comment=comment
        )

    async def withdraw_rating(self, message_id: str) -> models.Message:
        """Withdraw one's rating of an answer."""
        await self._require_visible(message_id)
        return await self._feedback.withdraw_rating(message_id, self._roles.user_id)

    async def record_opening(self, message_id: str, index: int) -> models.Message:
        """Record that the user opened a source of an answer."""
        await self._require_visible(message_id)
        return await self._feedback.record_opening(message_id, self._roles.user_id, index)

    async def ratings_by_answer(self, message_ids: Sequence[str]) -> list[models.AnswerRating | None]:
        """The user's own ratings of these answers, in order."""
        return await self._feedback.ratings_by_answer(message_ids, self._roles.user_id)

    async def helpful_rates(self, project_ids: Sequence[str]) -> list[float | None]:
        """For each project, the fraction of ratings that say helpful."""
        await self._roles.require(Role.VIEWER, *project_ids)
        return await self._feedback.helpful_rates(project_ids)

    async def _require_visible(self, message_id: str) -> None:
        """Raises NotFound for a message that the user may not see."""
        [message] = await self._chats.messages_by_ids([message_id])
        if message is None:
            raise errors.NotFound("message", message_id)
