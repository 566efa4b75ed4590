"""What the server can do and how it is: models and components."""

from collections.abc import Sequence
from enum import Enum

import strawberry

from app import __version__, services
from app.providers import catalog, registry


@strawberry.enum(description="What a model is for.")
class ModelKind(Enum):
    """See its description."""

    CHAT = strawberry.enum_value("CHAT", description="It answers.")
    EMBEDDING = strawberry.enum_value("EMBEDDING", description="It turns texts into vectors.")
    RERANKER = strawberry.enum_value("RERANKER", description="It puts passages in order.")


@strawberry.type(description="A model that this server can use.")
class Model:
    """See its description."""

    name: str = strawberry.field(description="Its name as `provider/model`, as settings and sessions take it.")
    provider: str = strawberry.field(description="Where it runs.")
    kind: ModelKind = strawberry.field(description="What it is for.")
    context_window: int | None = strawberry.field(description="Tokens of input and output together; of chat models.")
    dimensions: int | None = strawberry.field(description="Length of a vector; of embedding models.")
    available: bool = strawberry.field(description="Whether its server has just told of it.")

    @classmethod
    def from_model(cls, listed: registry.Listed) -> "Model":
        """Of a listed model; what its server does not tell comes from the catalog."""
        info = listed.info
        chat = info.kind == "CHAT"
        window = info.context_window or catalog.chat_model(info.name).context_window
        dimensions = info.dimensions or catalog.embedding_model(info.name).dimensions
        return cls(
            name=listed.name,
            provider=listed.provider,
            kind=ModelKind(info.kind),
            context_window=window if chat else None,
            dimensions=None if chat else dimensions,
            available=listed.available,
        )


@strawberry.enum(description="How something is.")
class HealthStatus(Enum):
    """See its description."""

    OK = strawberry.enum_value("OK", description="It works.")
    DEGRADED = strawberry.enum_value("DEGRADED", description="It works in part.")
    DOWN = strawberry.enum_value("DOWN", description="It does not work.")


@strawberry.type(description="A part of the server, asked just now.")
class HealthComponent:
    """See its description."""

    name: str = strawberry.field(description="Which part.")
    status: HealthStatus = strawberry.field(description="How it is.")
    detail: str | None = strawberry.field(description="What there is to say about it.")
    latency_ms: float | None = strawberry.field(description="Milliseconds that it took to answer.")


@strawberry.type(description="How the server is.")
class Health:
    """See its description."""

    status: HealthStatus = strawberry.field(description="As bad as its worst component.")
    version: str = strawberry.field(description="Version of Footnote.")
    components: list[HealthComponent] = strawberry.field(description="Its parts.")

    @classmethod
    def from_model(cls, components: Sequence[services.Component]) -> "Health":
        """Of what every part said."""
        parts = [
            HealthComponent(
                name=part.name, status=HealthStatus(part.status), detail=part.detail, latency_ms=part.latency_ms
            )
            for part in components
        ]
        return cls(status=HealthStatus(services.worst(components)), version=__version__, components=parts)
