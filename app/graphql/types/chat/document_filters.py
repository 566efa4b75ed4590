"""The filter of the documents that a chat session searches."""

from collections.abc import Mapping
from typing import Any

import strawberry
from strawberry.scalars import JSON

from app.graphql.enums import DocumentStatus


@strawberry.type(
    name="AppliedDocumentFilter",
    description="Which documents are searched. A document must match all criteria that are set.",
)
class AppliedDocumentFilterType:
    status: list[DocumentStatus] | None = strawberry.field(description="Only documents with one of these statuses.")
    title_contains: str | None = strawberry.field(
        description="Only documents whose title contains this text; case is ignored."
    )
    metadata: JSON | None = strawberry.field(
        description="Only documents whose metadata has each of these keys with the given value."
    )

    @classmethod
    def from_model(cls, values: Mapping[str, Any]) -> "AppliedDocumentFilterType":
        """`values` as they are stored with a session."""
        status = values.get("status")
        return cls(
            status=None if status is None else [DocumentStatus(name) for name in status],
            title_contains=values.get("title_contains"),
            metadata=values.get("metadata"),
        )
