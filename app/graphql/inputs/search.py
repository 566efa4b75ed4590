"""Input of a search."""

import strawberry
from strawberry.scalars import JSON

from app.graphql.types.settings import SearchModeType


@strawberry.input(description="Parameters of `search`.")
class SearchInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project to search.")
    query: str = strawberry.field(description="A question or keywords.")
    mode: SearchModeType = strawberry.field(
        default=SearchModeType.HYBRID, description="What the search compares: words, meaning or both."
    )
    document_ids: list[strawberry.ID] | None = strawberry.field(
        default=None, description="Search only these documents. Null searches all documents of the project."
    )
    metadata: JSON | None = strawberry.field(
        default=None, description="Search only documents whose metadata has each of these keys with the given value."
    )
    threshold: float | None = strawberry.field(
        default=None, description="Minimum `score` of a result, between 0 and 1. Null returns results of any score."
    )
    rerank: bool | None = strawberry.field(
        default=None, description="Whether to rerank the results. Null reranks them if the server has a reranker."
    )
