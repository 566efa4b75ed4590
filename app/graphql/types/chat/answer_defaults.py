"""How answers are given in a project where a chat session does not say."""

import strawberry

from app.answer_options import OPTIONS, AnswerOptions
from app.graphql.types.settings import CitationStyleType, ContextPlacementType, GroundingType, SearchModeType


def _described(name: str) -> str:
    return OPTIONS[name].with_range


@strawberry.type(
    name="AnswerDefaults",
    description="Default answer options for the chat sessions of a project: its own where it sets them, "
    "otherwise the server's.",
)
class AnswerDefaultsType:
    model: str = strawberry.field(description=_described("model"))
    system_prompt: str = strawberry.field(description=_described("system_prompt"))
    enable_rag: bool = strawberry.field(description=_described("enable_rag"))
    rag_top_k: int = strawberry.field(description=_described("rag_top_k"))
    rag_threshold: float = strawberry.field(description=_described("rag_threshold"))
    include_citations: bool = strawberry.field(description=_described("include_citations"))
    grounding: GroundingType = strawberry.field(description=_described("grounding"))
    context_token_ratio: float = strawberry.field(description=_described("context_token_ratio"))
    max_tokens: int | None = strawberry.field(description=_described("max_tokens"))
    temperature: float = strawberry.field(description=_described("temperature"))
    reformulate: bool = strawberry.field(description=_described("reformulate"))
    search_mode: SearchModeType = strawberry.field(description=_described("search_mode"))
    citation_style: CitationStyleType = strawberry.field(description=_described("citation_style"))
    context_placement: ContextPlacementType = strawberry.field(description=_described("context_placement"))

    @classmethod
    def from_model(cls, options: AnswerOptions, threshold: float) -> "AnswerDefaultsType":
        """Of what is in force; `threshold` suits the embedding model, where nobody says another."""
        own = {name: value for name, value in options.values().items() if OPTIONS[name].of_project}
        own["system_prompt"] = options.system_prompt or ""
        own["rag_threshold"] = threshold if options.rag_threshold is None else options.rag_threshold
        own["grounding"] = GroundingType(options.grounding)
        own["search_mode"] = SearchModeType(options.search_mode)
        own["citation_style"] = CitationStyleType(options.citation_style)
        own["context_placement"] = ContextPlacementType(options.context_placement)
        return cls(**own)
