"""What every API calls: authentication, health, and the access of a user or the operator."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.accounts.sign_ins.password_sign_in import SignInService
from app.database import models
from app.observation.observer import Observer
from app.services.authentication import RequestAuthentication
from app.services.authorization.operator_access import OperatorAccess
from app.services.authorization.user_access import UserAccess
from app.services.backend import Backend
from app.services.health import Component, check_health, check_own_health
from app.services.metrics import render_metrics
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """The only way from an API to the backend, for as long as the server runs."""

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
        """Signing in and out: everything that can be done without a credential."""
        return self._backend.accounts.sign_ins

    def as_user(self, user: models.User) -> UserAccess:
        """A user's access. If sign-in is disabled, the local owner has full access."""
        everything = not self.authentication.required and user.id == self._backend.owner.id
        return UserAccess(self._backend, user, everything=everything)

    def operator(self) -> OperatorAccess:
        """Full access, for commands, whose users can write the database file anyway."""
        return OperatorAccess(self._backend)

    @property
    def observer(self) -> Observer:
        """Is told what happens in the server."""
        return self._backend.observer

    async def metrics(self) -> bytes | None:
        """All metrics, for Prometheus; None if they are not wanted. Raises Unavailable."""
        return await render_metrics(self._backend)

    async def health(self) -> Sequence[Component]:
        """The health of every component, checked now."""
        return await check_health(self._backend)

    async def readiness(self) -> Sequence[Component]:
        """The health of what requests cannot do without: the database and the background work."""
        return await check_own_health(self._backend)
