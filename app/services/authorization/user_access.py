"""One user's access: every service, restricted by the user's roles."""

from app.database import models
from app.services.authorization.account import AccountAccess
from app.services.authorization.chat.chats import ChatAccess
from app.services.authorization.chat.exports import ExportAccess
from app.services.authorization.chat.feedback import FeedbackAccess
from app.services.authorization.chat.lists import ChatListAccess
from app.services.authorization.chat.memories import MemoryAccess
from app.services.authorization.documents import DocumentAccess
from app.services.authorization.language_models import ModelAccess
from app.services.authorization.people import PeopleAccess
from app.services.authorization.projects import ProjectAccess
from app.services.authorization.roles import Roles
from app.services.authorization.text_allowance import TextAllowance
from app.services.authorization.token_allowance import TokenAllowance
from app.services.backend import Backend


class UserAccess:
    """One user's access, for one operation: roles are read once.

    `full_access`: sign-in is disabled, and this is the local owner.
    """

    def __init__(self, backend: Backend, user: models.User, *, full_access: bool) -> None:
        roles = Roles(backend.accounts.members, user.id, full_access=full_access)
        self.user = user
        self.quota_holder = None if full_access else user.id
        """The user whose share of a quota the requests use; None if all requests come from the same user."""
        self.tokens = TokenAllowance(backend.accounts.usage, roles)
        self.text = TextAllowance(backend.accounts.usage, roles)
        self.account = AccountAccess(backend, user.id)
        self.people = PeopleAccess(backend, roles)
        self.projects = ProjectAccess(backend, roles)
        self.documents = DocumentAccess(backend, roles)
        self.memories = MemoryAccess(backend.chat.memories, roles)
        self.models = ModelAccess(backend, self.tokens, self.text, roles)
        self.chats = ChatAccess(backend, self.tokens, roles)
        self.chat_lists = ChatListAccess(backend.chat.session_lists, backend.chat.message_search, roles)
        self.feedback = FeedbackAccess(backend.chat.feedback, self.chats, roles)
        self.exports = ExportAccess(self.chats, self.feedback)
