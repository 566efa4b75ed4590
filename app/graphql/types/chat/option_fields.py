"""Fields of answer options, derived from their declarations in app/answer_options."""

from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from typing import Any, Protocol, TypeVar

import strawberry

from app import answer_options
from app.answer_options import OPTION_TYPES, OPTIONS, AnswerOptions
from app.answer_options.document_filter import DocumentFilter
from app.graphql.context import Info
from app.graphql.inputs.documents import DocumentFilterInput
from app.knowledge.relevance import Relevance

Cls = TypeVar("Cls", bound=type[Any])


@strawberry.enum(name="SearchMode", description="What a search compares.")
class SearchModeType(Enum):
    HYBRID = strawberry.enum_value("HYBRID", description="Words and meaning, combined.")
    LEXICAL = strawberry.enum_value("LEXICAL", description="Words only (full text).")
    VECTOR = strawberry.enum_value("VECTOR", description="Meaning only (vectors).")


@strawberry.enum(name="Grounding", description="How strictly answers keep to their sources.")
class GroundingType(Enum):
    GROUNDED = strawberry.enum_value(
        "GROUNDED", description="Answers must be based on the sources; otherwise they are refused."
    )
    OPEN = strawberry.enum_value(
        "OPEN", description="Answers use the sources where they help, and general knowledge otherwise."
    )


@strawberry.enum(name="CitationStyle", description="Form of the citation markers in answers.")
class CitationStyleType(Enum):
    NUMBERED = strawberry.enum_value("NUMBERED", description="`[1]`, numbered in order of first use.")
    CHUNK = strawberry.enum_value("CHUNK", description="`[document-id:chunk-position]`.")


@strawberry.enum(name="ContextPlacement", description="Where passages are placed in the prompt.")
class ContextPlacementType(Enum):
    SYSTEM = strawberry.enum_value("SYSTEM", description="In the system message.")
    USER = strawberry.enum_value("USER", description="In the last user message, before the question.")


@strawberry.enum(name="PromptProfile", description="Kind of model that prompts are written for.")
class PromptProfileType(Enum):
    AUTO = strawberry.enum_value(
        "AUTO",
        description="Decided by the model's number of parameters, according to its file or name: SMALL under two "
        "billion, otherwise LARGE.",
    )
    SMALL = strawberry.enum_value(
        "SMALL",
        description="A short policy, a worked example, and at most 700 tokens of passages, next to the question.",
    )
    LARGE = strawberry.enum_value("LARGE", description="The whole policy, and as many passages as fit.")


_GRAPHQL_TYPES: Mapping[Any, Any] = {
    answer_options.SearchMode: SearchModeType,
    answer_options.Grounding: GroundingType,
    answer_options.CitationStyle: CitationStyleType,
    answer_options.ContextPlacement: ContextPlacementType,
    answer_options.PromptProfile: PromptProfileType,
    tuple[str, ...]: list[strawberry.ID],
    DocumentFilter: DocumentFilterInput,
}

_MEASURED: Mapping[str, Callable[[Relevance], float]] = {
    "rag_threshold": lambda found: found.threshold,
    "rag_dense_weight": lambda found: found.dense_weight,
}
"""The options whose default is measured on the project's documents."""


class HasOptions(Protocol):
    """A GraphQL type that shows the answer options in effect."""

    async def load_options(self, info: Info) -> AnswerOptions:
        """The options in effect."""
        ...

    async def load_relevance(self, info: Info) -> Relevance:
        """The threshold and the weight that apply if no layer sets one."""
        ...


def with_option_inputs(*, per_project: bool) -> Callable[[Cls], Cls]:
    """Give an input an optional field for each option that a project can, or cannot, have a default for."""

    def add_fields(cls: Cls) -> Cls:
        for name, option in OPTIONS.items():
            if option.per_project is per_project:
                cls.__annotations__[name] = _graphql_type(name) | None
                setattr(cls, name, strawberry.field(default=strawberry.UNSET, description=option.described_with_range))
        return cls

    return add_fields


def with_option_values(cls: Cls) -> Cls:
    """Give a type a field for each option that a project can have a default for, with the value in effect."""
    for name, option in OPTIONS.items():
        if option.per_project:
            kind = _graphql_type(name) | None if option.nullable else _graphql_type(name)
            resolver = _make_resolver(name)
            description = option.described_with_range
            setattr(cls, name, strawberry.field(resolver=resolver, graphql_type=kind, description=description))
    return cls


def _graphql_type(name: str) -> Any:
    return _GRAPHQL_TYPES.get(OPTION_TYPES[name], OPTION_TYPES[name])


def _make_resolver(name: str) -> Callable[[HasOptions, Info], Awaitable[Any]]:
    kind = _graphql_type(name)

    async def resolve_option(self: HasOptions, info: Info) -> Any:
        value = getattr(await self.load_options(info), name)
        if value is None and name in _MEASURED:
            return _MEASURED[name](await self.load_relevance(info))
        if value is None:
            return "" if kind is str else None
        return kind(value) if issubclass(kind, Enum) else value

    return resolve_option
