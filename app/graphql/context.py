"""The context of an operation, available to every resolver."""

from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import strawberry

from app.database import models
from app.graphql.loaders import Loaders
from app.services import Caller, Services, UserAccess, require_caller


@dataclass(slots=True)
class Context:
    """One per HTTP request or WebSocket; each operation gets its own copy.

    `credential` is the sender's credential, and `address` their IP address. Subscriptions produce each event within
    `result_slot`, which is free once a previous result has been sent.
    """

    services: Services
    caller: Caller | None
    credential: str | None = None
    address: str | None = None
    connection_params: dict[str, Any] | None = None
    socket_headers: dict[str, str] = field(default_factory=dict[str, str])
    result_slot: AbstractAsyncContextManager[object] = field(default_factory=nullcontext)
    _access: UserAccess | None = None
    _loaders: Loaders | None = None

    @property
    def required_caller(self) -> Caller:
        """The authenticated caller. Raises Unauthenticated if there is none."""
        return require_caller(self.caller)

    @property
    def user(self) -> models.User:
        """The caller's user. Raises Unauthenticated if there is no caller."""
        return self.required_caller.user

    async def recheck_credential(self) -> datetime | None:
        """Check that the credential is still valid: streams can last for hours. Returns when to check again.

        Raises Unauthenticated, or Unavailable.
        """
        if self.caller is None:
            return None
        return await self.services.authentication.recheck(self.credential)

    @property
    def access(self) -> UserAccess:
        """The services as this user; roles are loaded once per operation."""
        if self._access is None:
            self._access = self.services.as_user(self.user)
        return self._access

    @property
    def loaders(self) -> Loaders:
        """The loaders of this operation, created when first needed."""
        if self._loaders is None:
            self._loaders = Loaders(self.access)
        return self._loaders

    def for_operation(self) -> "Context":
        """A copy with its own loaders, so that the operations on a socket share no cached rows."""
        return replace(self, _access=None, _loaders=None)

    def forget_rows(self) -> None:
        """Drop all cached rows, so that a stream does not show outdated data."""
        self._access = self._loaders = None


Info = strawberry.Info[Context, None]
