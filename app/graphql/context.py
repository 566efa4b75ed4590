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
    loaders: Loaders
    connection_params: dict[str, Any] | None = None
    socket_headers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def user(self) -> models.User:
        """Who asks. Raises Unauthenticated on a socket that has not said so yet."""
        if self.asker is None:
            raise errors.Unauthenticated("Sign in first.")
        return self.asker

    def for_operation(self) -> "Context":
        """The same with fresh loaders: a socket's operations share nothing, however long it stays open."""
        return replace(self, loaders=Loaders(self.services))


Info = strawberry.Info[Context, None]
