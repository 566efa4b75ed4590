"""The entry point of every API: authentication, health, and the access of a user or the operator."""

from collections.abc import Sequence
from functools import partial

from app.accounts.sign_ins.password_sign_in import SignInService
from app.database import models
from app.observation.merged_metrics import Family
from app.observation.observer import Observer
from app.observation.tracing import Tracer
from app.services.authentication import RequestAuthentication
from app.services.authorization.operator_access import OperatorAccess
from app.services.authorization.user_access import UserAccess
from app.services.backend import Backend
from app.services.health import Component, OwnHealthCheck, SharedCheck, check_dependencies
from app.services.metrics import OtherProcesses, read_metrics, render_metrics
from app.settings import Settings


class Services:
    """The only way from an API to the backend, for as long as the server runs."""

    def __init__(
        self, backend: Backend, others: OtherProcesses | None = None, own_health: OwnHealthCheck | None = None
    ) -> None:
        self._backend = backend
        self._others = others
        self._own_health = SharedCheck((own_health or OwnHealthCheck(backend)).check)
        self._dependency_health = SharedCheck(partial(check_dependencies, backend))

    @property
    def settings(self) -> Settings:
        """The settings that the server was opened with."""
        return self._backend.settings

    @property
    def authentication(self) -> RequestAuthentication:
        """Determines who sends a request."""
        return self._backend.authentication

    @property
    def sign_ins(self) -> SignInService:
        """Signing in and out: everything that can be done without a credential."""
        return self._backend.accounts.sign_ins

    def as_user(self, user: models.User) -> UserAccess:
        """A user's access. If sign-in is disabled, the local owner has full access."""
        full_access = not self.authentication.required and user.id == self._backend.owner.id
        return UserAccess(self._backend, user, full_access=full_access)

    def operator(self) -> OperatorAccess:
        """Full access, for commands, whose users can write the database file anyway."""
        return OperatorAccess(self._backend)

    @property
    def observer(self) -> Observer:
        """Counts and logs what happens in the server."""
        return self._backend.observer

    @property
    def tracer(self) -> Tracer | None:
        """Begins traces, if settings name a receiver for them."""
        return self._backend.tracer

    async def metrics(self) -> bytes | None:
        """The metrics of all processes that share this server's address, for Prometheus; None if they are disabled.

        Raises Unavailable.
        """
        return await render_metrics(self._backend, self._others)

    async def read_metrics(self) -> Sequence[Family]:
        """The metrics of this process alone; empty if they are disabled. Raises Unavailable."""
        return await read_metrics(self._backend)

    async def health(self) -> Sequence[Component]:
        """The health of every component, checked now."""
        return [*await self._own_health.result(), *await self._dependency_health.result()]

    async def readiness(self) -> Sequence[Component]:
        """The health of what every request needs: the database and the background work."""
        return await self._own_health.result()
