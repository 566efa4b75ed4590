"""What one user may do: every service, behind the user's roles."""

from app.database import models
from app.services.authorization.account import AccountAccess
from app.services.authorization.chats import ChatAccess
from app.services.authorization.documents import DocumentAccess
from app.services.authorization.language_models import ModelAccess
from app.services.authorization.memories import MemoryAccess
from app.services.authorization.people import PeopleAccess
from app.services.authorization.projects import ProjectAccess
from app.services.authorization.roles import Roles
from app.services.authorization.token_allowance import TokenAllowance
from app.services.backend import Backend


class UserAccess:
    """What one user may do, for the time of an operation; roles are read once for all of it.

    `everything`: nobody has to sign in, and this is the owner.
    """

    def __init__(self, backend: Backend, user: models.User, *, everything: bool) -> None:
        accounts = backend.accounts
        roles = Roles(accounts.access, user.id, everything=everything)
        self.user = user
        self.quota_holder = None if everything else user.id
        """Whose share of a quota requests take; nobody's where all are the same user."""
        self.tokens = TokenAllowance(accounts.usage, roles)
        self.account = AccountAccess(accounts.users, accounts.access_tokens, backend.models, user.id)
        self.people = PeopleAccess(backend.database, accounts, roles)
        self.projects = ProjectAccess(backend.knowledge, roles)
        self.documents = DocumentAccess(backend.knowledge.library, backend.signal, backend.followers, accounts, roles)
        self.memories = MemoryAccess(backend.chat.memories, roles)
        self.models = ModelAccess(backend.models, backend.chat, self.tokens, roles)
        self.chats = ChatAccess(backend.chat, backend.followers, self.tokens, roles)
