"""The input of a search."""

import strawberry
from strawberry.scalars import JSON

from app.graphql.inputs.documents import DocumentFilterInput
from app.graphql.types.chat.option_fields import SearchModeType


@strawberry.input(description="Parameters of `search`.")
class SearchInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project to search.")
    query: str = strawberry.field(description="A question or keywords.")
    mode: SearchModeType = strawberry.field(
        default=SearchModeType.HYBRID, description="What the search compares: words, meaning or both."
    )
    document_ids: list[strawberry.ID] | None = strawberry.field(
        default=None, description="Search only these documents. If null, all documents in the project are searched."
    )
    metadata: JSON | None = strawberry.field(
        default=None,
        description="Search only documents whose metadata has each of these keys with the given value. The same as "
        "`metadata` in `documentFilter`.",
    )
    document_filter: DocumentFilterInput | None = strawberry.field(
        default=None,
        description="Search only documents that match this filter. If `documentIds` are given as well, both must "
        "match.",
    )
    threshold: float | None = strawberry.field(
        default=None, description="Minimum `score` of a result, between 0 and 1. If null, there is no minimum."
    )
    dense_weight: float | None = strawberry.field(
        default=None,
        description="Weight of meaning (vectors) in `score`, between 0 and 1; the rest is the weight of words. If "
        "null, a value measured on the project's documents is used.",
    )
    rerank: bool | None = strawberry.field(
        default=None,
        description="Whether to rerank the results. If null, they are reranked if the server has a reranker.",
    )
