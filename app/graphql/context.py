"""The services and who asks in; what every resolver has at hand out."""

from dataclasses import dataclass, field, replace
from typing import Any

import strawberry

from app import errors
from app.database import models
from app.graphql.loaders import Loaders
from app.services import Services


@dataclass(slots=True)
class Context:
    """One per HTTP request or WebSocket; each operation works with a copy of its own."""

    services: Services
    asker: models.User | None
    connection_params: dict[str, Any] | None = None
    socket_headers: dict[str, str] = field(default_factory=dict[str, str])
    _loaders: Loaders | None = None

    @property
    def user(self) -> models.User:
        """Who asks. Raises Unauthenticated on a socket that has not said so yet."""
        if self.asker is None:
            raise errors.Unauthenticated("Sign in first.")
        return self.asker

    @property
    def loaders(self) -> Loaders:
        """This operation's, made when they are needed."""
        if self._loaders is None:
            self._loaders = Loaders(self.services, self.user)
        return self._loaders

    def for_operation(self) -> "Context":
        """The same with loaders of its own: a socket's operations share nothing, however long it stays open."""
        return replace(self, _loaders=None)

    def forget(self) -> None:
        """Read everything anew: a stream must not show what it read an hour ago."""
        self._loaders = None


Info = strawberry.Info[Context, None]
