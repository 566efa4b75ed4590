"""A project's default options of answers."""

import strawberry

from app.answer_options import OPTIONS, AnswerOptions
from app.graphql.types.settings import CitationStyleType, ContextPlacementType, GroundingType, SearchModeType


def _option_description(name: str) -> str:
    return OPTIONS[name].described_with_range


@strawberry.type(
    name="AnswerDefaults",
    description="Default answer options for the chat sessions of a project: its own where it sets them, "
    "otherwise the server's.",
)
class AnswerDefaultsType:
    model: str = strawberry.field(description=_option_description("model"))
    system_prompt: str = strawberry.field(description=_option_description("system_prompt"))
    enable_rag: bool = strawberry.field(description=_option_description("enable_rag"))
    rag_top_k: int = strawberry.field(description=_option_description("rag_top_k"))
    rag_threshold: float = strawberry.field(description=_option_description("rag_threshold"))
    include_citations: bool = strawberry.field(description=_option_description("include_citations"))
    grounding: GroundingType = strawberry.field(description=_option_description("grounding"))
    context_token_ratio: float = strawberry.field(description=_option_description("context_token_ratio"))
    max_tokens: int | None = strawberry.field(description=_option_description("max_tokens"))
    temperature: float = strawberry.field(description=_option_description("temperature"))
    reformulate: bool = strawberry.field(description=_option_description("reformulate"))
    search_mode: SearchModeType = strawberry.field(description=_option_description("search_mode"))
    citation_style: CitationStyleType = strawberry.field(description=_option_description("citation_style"))
    context_placement: ContextPlacementType = strawberry.field(description=_option_description("context_placement"))

    @classmethod
    def from_model(cls, options: AnswerOptions, threshold: float) -> "AnswerDefaultsType":
        """Make the type from the options in effect; `threshold` is used where no layer sets one."""
        own = {name: value for name, value in options.values().items() if OPTIONS[name].of_project}
        own["system_prompt"] = options.system_prompt or ""
        own["rag_threshold"] = threshold if options.rag_threshold is None else options.rag_threshold
        own["grounding"] = GroundingType(options.grounding)
        own["search_mode"] = SearchModeType(options.search_mode)
        own["citation_style"] = CitationStyleType(options.citation_style)
        own["context_placement"] = ContextPlacementType(options.context_placement)
        return cls(**own)
