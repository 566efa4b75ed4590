"""The services and who asks in; what every resolver has at hand out."""

from dataclasses import dataclass, replace
from typing import Any

import strawberry

from app.database import models
from app.graphql.loaders import Loaders
from app.services import Services


@dataclass(slots=True)
class Context:
    """One per HTTP request or WebSocket; each operation works with a copy of its own."""

    services: Services
    user: models.User
    loaders: Loaders
    connection_params: dict[str, Any] | None = None

    def for_operation(self) -> "Context":
        """The same with fresh loaders: a socket's operations share nothing, however long it stays open."""
        return replace(self, loaders=Loaders(self.services, self.user))


Info = strawberry.Info[Context, None]
