"""The context of an operation: what every resolver has at hand."""

from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import strawberry

from app.database import models
from app.graphql.loaders import Loaders
from app.services import Asker, Services, UserAccess, require_asker


@dataclass(slots=True)
class Context:
    """One per HTTP request or WebSocket; each operation works with a copy of its own.

    `credential` is what the sender showed, and `address` where the request came from. Whoever gives events makes each
    within `turn`: it is free once the event before it has left.
    """

    services: Services
    asker: Asker | None
    credential: str | None = None
    address: str | None = None
    connection_params: dict[str, Any] | None = None
    socket_headers: dict[str, str] = field(default_factory=dict[str, str])
    turn: AbstractAsyncContextManager[object] = field(default_factory=nullcontext)
    _access: UserAccess | None = None
    _loaders: Loaders | None = None

    @property
    def identified(self) -> Asker:
        """Who asks, and by what. Raises Unauthenticated for who has not said so yet."""
        return require_asker(self.asker)

    @property
    def user(self) -> models.User:
        """Who asks. Raises Unauthenticated for who has not said so yet."""
        return self.identified.user

    async def check(self) -> None:
        """Whether who asks may stay: a stream can last for hours. Raises Unauthenticated, or Unavailable."""
        if self.asker is not None:
            await self.services.authentication.recheck(self.credential)

    @property
    def access(self) -> UserAccess:
        """What the user may do; roles are asked once for an operation."""
        if self._access is None:
            self._access = self.services.as_user(self.user)
        return self._access

    @property
    def loaders(self) -> Loaders:
        """This operation's, made when they are needed."""
        if self._loaders is None:
            self._loaders = Loaders(self.access)
        return self._loaders

    def for_operation(self) -> "Context":
        """The same with loaders of its own: a socket's operations share nothing, however long it stays open."""
        return replace(self, _access=None, _loaders=None)

    def forget(self) -> None:
        """Read everything anew: a stream must not show what it read an hour ago."""
        self._access = self._loaders = None


Info = strawberry.Info[Context, None]
