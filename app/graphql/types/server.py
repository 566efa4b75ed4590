"""The server's models and health."""

from collections.abc import Sequence
from enum import Enum

import strawberry

from app import __version__, services
from app.graphql.enums import HealthStatus
from app.providers import catalog, registry


@strawberry.enum(name="ModelKind", description="What a model is used for.")
class ModelKindType(Enum):
    CHAT = strawberry.enum_value("CHAT", description="Answering questions.")
    EMBEDDING = strawberry.enum_value("EMBEDDING", description="Turning text into vectors.")
    RERANKER = strawberry.enum_value("RERANKER", description="Ranking search results.")


@strawberry.type(name="Model", description="A model that this server can use.")
class ModelType:
    name: str = strawberry.field(description="Name as `provider/model`, the form that all settings take.")
    provider: str = strawberry.field(description="Name of the provider.")
    kind: ModelKindType = strawberry.field(description="What the model is used for.")
    context_window: int | None = strawberry.field(
        description="Size of the context window: input and output tokens together. Null for models that are not for "
        "chat."
    )
    dimensions: int | None = strawberry.field(description="Number of dimensions of a vector. Null for chat models.")
    available: bool = strawberry.field(description="Whether the provider lists the model at the moment.")

    @classmethod
    def from_model(cls, listed: registry.ListedModel) -> "ModelType":
        """Make the type from a listed model. The catalog fills in what the model's server does not report."""
        info = listed.info
        chat = info.kind == "CHAT"
        window = info.context_window or catalog.find_window(info.name)
        dimensions = info.dimensions or catalog.find_embedding_model(info.name).dimensions
        return cls(
            name=listed.name,
            provider=listed.provider,
            kind=ModelKindType(info.kind),
            context_window=window if chat else None,
            dimensions=None if chat else dimensions,
            available=listed.is_available,
        )


@strawberry.type(name="HealthComponent", description="A component of the server, checked when requested.")
class HealthComponentType:
    name: str = strawberry.field(description="Name of the component.")
    status: HealthStatus = strawberry.field(description="Health of the component.")
    detail: str | None = strawberry.field(description="Details, in one sentence. Null if there are none.")
    latency_ms: float | None = strawberry.field(
        description="Response time, in milliseconds. Null if it was not measured."
    )


@strawberry.type(name="Health", description="Health of the server.")
class HealthType:
    status: HealthStatus = strawberry.field(description="Status of the least healthy component.")
    version: str = strawberry.field(description="Version of Footnote.")
    components: list[HealthComponentType] = strawberry.field(description="All components of the server.")

    @classmethod
    def from_model(cls, components: Sequence[services.Component]) -> "HealthType":
        """Make the type from the health of all components."""
        parts = [
            HealthComponentType(name=part.name, status=part.status, detail=part.detail, latency_ms=part.latency_ms)
            for part in components
        ]
        return cls(status=services.worst(components), version=__version__, components=parts)
