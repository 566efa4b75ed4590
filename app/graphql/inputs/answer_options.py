"""Options of answers, as declared in app/answer_options.

An omitted field is `UNSET`.
"""

from typing import Any

import strawberry

from app.answer_options import OPTIONS
from app.graphql.types.settings import CitationStyleType, ContextPlacementType, GroundingType, SearchModeType


def _option(name: str) -> Any:
    return strawberry.field(default=strawberry.UNSET, description=OPTIONS[name].described_with_range)


@strawberry.input(
    description="Default answer options of a project. Omitted fields keep their value; null resets a field to "
    "the server's default."
)
class AnswerDefaultsInput:
    model: str | None = _option("model")
    system_prompt: str | None = _option("system_prompt")
    enable_rag: bool | None = _option("enable_rag")
    rag_top_k: int | None = _option("rag_top_k")
    rag_threshold: float | None = _option("rag_threshold")
    include_citations: bool | None = _option("include_citations")
    grounding: GroundingType | None = _option("grounding")
    context_token_ratio: float | None = _option("context_token_ratio")
    max_tokens: int | None = _option("max_tokens")
    temperature: float | None = _option("temperature")
    reformulate: bool | None = _option("reformulate")
    search_mode: SearchModeType | None = _option("search_mode")
    citation_style: CitationStyleType | None = _option("citation_style")
    context_placement: ContextPlacementType | None = _option("context_placement")


@strawberry.input(description="Options of an answer. Null uses the default.")
class AnswerOptionsInput(AnswerDefaultsInput):
    """All options of an answer, for a chat session or one question."""

    document_ids: list[strawberry.ID] | None = _option("document_ids")
