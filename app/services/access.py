"""What every API calls: authentication, health, and what one user or the operator may do."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.accounts.sign_ins.password_sign_in import SignInService
from app.database import models
from app.services.authentication import RequestAuthentication
from app.services.authorization.operator_access import OperatorAccess
from app.services.authorization.user_access import UserAccess
from app.services.backend import Backend
from app.services.health import Component, check_health
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """The only way from an API to the backend, for as long as the server lives."""

    _backend: Backend

    @property
    def settings(self) -> Settings:
        """The settings that the server was opened with."""
        return self._backend.settings

    @property
    def authentication(self) -> RequestAuthentication:
        """Tells who sends a request."""
        return self._backend.authentication

    @property
    def sign_ins(self) -> SignInService:
        """The ways to a sign-in, and out of it: all that can be done without being a user already."""
        return self._backend.accounts.sign_ins

    def as_user(self, user: models.User) -> UserAccess:
        """What a user may do. Where nobody has to sign in, the owner of the server may do everything."""
        everything = not self.authentication.required and user.id == self._backend.owner.id
        return UserAccess(self._backend, user, everything=everything)

    def operator(self) -> OperatorAccess:
        """Everything, as the owner: for commands, whose users can read and write the database file itself."""
        return OperatorAccess(self._backend)

    async def health(self) -> Sequence[Component]:
        """The state of every component, asked now."""
        return await check_health(self._backend)
