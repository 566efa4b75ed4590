"""Answer options: each is declared once, with its type, range, default and description.

The server, a project, a chat session and a question are layers of options: the nearest one that sets an option wins.
Derived from the declarations: the server's variables (`app/settings`), the columns of chat sessions, the inputs and
outputs of the GraphQL API, the fields of the OpenAI API, `--set` on the command line, and the tables in the handbook.

To add an option, declare it here, write the migration of `chat_sessions`, and use it in the stage that it is for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from app.answer_options.document_filter import DocumentFilter

Grounding = Literal["GROUNDED", "OPEN"]
SearchMode = Literal["HYBRID", "LEXICAL", "VECTOR"]
CitationStyle = Literal["NUMBERED", "CHUNK"]
ContextPlacement = Literal["SYSTEM", "USER"]
PromptProfile = Literal["AUTO", "SMALL", "LARGE"]

MAX_SYSTEM_PROMPT = 100_000
MAX_MODEL = 200
"""Maximum length of a model's name, which is that of the columns that store it."""
MAX_DOCUMENTS = 1000
"""Maximum number of documents that a session or question can be restricted to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOption:
    """What an option means, what is allowed, and where it can be set besides chat sessions and questions.

    `minimum` and `maximum` bound numbers, `max_length` bounds text in characters. `variable` is the server's
    environment variable, described by `variable_description` where other words are needed there. `per_project`:
    whether a project can have a default. `openai_field`: whether the OpenAI API takes a field of this name. `nullable`:
    whether the value in effect can be null.
    """

    description: str
    minimum: float | None = None
    maximum: float | None = None
    max_length: int | None = None
    variable: str | None = None
    variable_description: str | None = None
    per_project: bool = True
    openai_field: bool = False
    nullable: bool = False

    @property
    def described_with_range(self) -> str:
        """The description, and the range if there is one."""
        return f"{self.description} {self.allowed_range.capitalize()}." if self.allowed_range else self.description

    @property
    def allowed_range(self) -> str | None:
        """The allowed numbers in words, such as “between 0 and 1”; None if they are not bounded."""
        if self.minimum is not None and self.maximum is not None:
            return f"between {self.minimum:,} and {self.maximum:,}"
        if self.minimum is not None:
            return f"at least {self.minimum:,}"
        return None if self.maximum is None else f"at most {self.maximum:,}"

    def is_in_range(self, value: float) -> bool:
        """Whether a number is within the bounds that there are."""
        return (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOptions:
    """The options of one answer. If the token limit or temperature is None, the model decides."""

    model: Annotated[
        str,
        AnswerOption(description="Chat model to answer with, as `provider/model`.", max_length=MAX_MODEL),
    ] = "embedded/extractive"
    system_prompt: Annotated[
        str | None,
        AnswerOption(description="Instructions placed at the start of the prompt.", max_length=MAX_SYSTEM_PROMPT),
    ] = None
    document_ids: Annotated[
        tuple[str, ...] | None,
        AnswerOption(
            description="Documents to search. If neither the question nor its chat session names any, all documents "
            "in the project are searched.",
            per_project=False,
            openai_field=True,
            nullable=True,
        ),
    ] = None
    document_filter: Annotated[
        DocumentFilter | None,
        AnswerOption(
            description="Filter for the documents to search. If `documentIds` are given as well, both must match.",
            per_project=False,
            openai_field=True,
            nullable=True,
        ),
    ] = None
    enable_rag: Annotated[
        bool,
        AnswerOption(
            description="Whether to answer from the project's documents.",
            variable="RAG_ENABLED",
            variable_description="Answer from documents. `false` turns retrieval off everywhere, whatever a request "
            "says.",
        ),
    ] = True
    rag_top_k: Annotated[
        int,
        AnswerOption(
            description="Maximum number of passages considered for the context.",
            minimum=1,
            maximum=50,
            variable="RAG_TOP_K",
            variable_description="Maximum passages considered for the context, in chat sessions.",
        ),
    ] = 5
    rag_threshold: Annotated[
        float | None,
        AnswerOption(
            description="Minimum `score` of a passage. Defaults to a value measured on the project's documents.",
            minimum=0,
            maximum=1,
            variable="RAG_THRESHOLD",
        ),
    ] = None
    rag_dense_weight: Annotated[
        float | None,
        AnswerOption(
            description="Weight of meaning (vectors) in `score`; the rest is the weight of words. Defaults to a value "
            "measured on the project's documents.",
            minimum=0,
            maximum=1,
            variable="RAG_DENSE_WEIGHT",
        ),
    ] = None
    include_citations: Annotated[
        bool, AnswerOption(description="Whether answers contain citation markers.", variable="INCLUDE_CITATIONS")
    ] = True
    grounding: Annotated[
        Grounding,
        AnswerOption(
            description="How strictly answers keep to their sources.",
            variable="GROUNDING",
            variable_description="How strictly answers keep to their sources, `GROUNDED` or `OPEN`; always `OPEN` at "
            "the OpenAI API.",
        ),
    ] = "GROUNDED"
    context_token_ratio: Annotated[
        float,
        AnswerOption(
            description="Fraction of the free context window that passages may use.",
            minimum=0.2,
            maximum=0.8,
            variable="RAG_CONTEXT_TOKEN_FILL_RATIO",
            variable_description="Fraction of the free context window that passages may use (`contextTokenRatio`); "
            "they may use more if the answer needs less. In chat sessions, `MAX_CONTEXT_TOKENS` caps it.",
            openai_field=True,
        ),
    ] = 0.5
    max_tokens: Annotated[
        int | None,
        AnswerOption(
            description="Maximum length of an answer, in tokens.",
            minimum=1,
            maximum=1_000_000,
            variable="MAX_TOKENS",
            variable_description="Maximum length of an answer, in tokens, in chat sessions.",
            nullable=True,
        ),
    ] = 1200
    temperature: Annotated[
        float | None,
        AnswerOption(
            description="Sampling temperature of the model.",
            minimum=0,
            maximum=2,
            variable="TEMPERATURE",
            variable_description="Sampling temperature of the model, in chat sessions.",
        ),
    ] = 0.4
    reformulate: Annotated[
        bool,
        AnswerOption(
            description="Whether a model first rewrites the question into a stand-alone search query.",
            variable="ENABLE_QUERY_REFORMULATION",
            variable_description="Let the model rewrite questions into stand-alone search queries; not used at the "
            "OpenAI API.",
        ),
    ] = False
    search_mode: Annotated[
        SearchMode,
        AnswerOption(
            description="Whether to search by words, by meaning, or by both.",
            variable="SEARCH_MODE",
            variable_description="What the search compares: `HYBRID` (words and meaning), `LEXICAL` (words), "
            "`VECTOR` (meaning).",
        ),
    ] = "HYBRID"
    citation_style: Annotated[
        CitationStyle,
        AnswerOption(
            description="Form of the citation markers in the text.",
            variable="CITATION_STYLE",
            variable_description="Form of the citation markers in the text: `NUMBERED` or `CHUNK`.",
        ),
    ] = "NUMBERED"
    context_placement: Annotated[
        ContextPlacement,
        AnswerOption(
            description="Where the passages are placed in the prompt.",
            variable="CONTEXT_PLACEMENT",
            variable_description="Where passages are placed: in the `SYSTEM` message or in the last `USER` message.",
        ),
    ] = "SYSTEM"
    prompt_profile: Annotated[
        PromptProfile,
        AnswerOption(
            description="How the prompt is written. For small models it is short, with an example and few passages, "
            "next to the question.",
            variable="PROMPT_PROFILE",
            variable_description="How prompts are written: for `SMALL` models (short, with an example and few "
            "passages, next to the question) or for `LARGE` ones; `AUTO` decides by the model's size.",
        ),
    ] = "AUTO"

    def values(self) -> dict[str, Any]:
        """All options by name."""
        return {name: getattr(self, name) for name in OPTIONS}


def _read_declarations() -> dict[str, AnswerOption]:
    hints = get_type_hints(AnswerOptions, include_extras=True)
    return {field.name: get_args(hints[field.name])[1] for field in fields(AnswerOptions)}


OPTIONS: Mapping[str, AnswerOption] = _read_declarations()
"""The declaration of each option, by name."""

OPTION_TYPES: Mapping[str, Any] = {
    name: next((part for part in get_args(hint) if part is not NoneType), hint)
    if get_origin(hint) in (Union, UnionType)
    else hint
    for name, hint in get_type_hints(AnswerOptions).items()
}
"""The type of each option's values, without null: bool, int, float, str, a Literal, a tuple of ids, or a filter.

In a layer, ids are a list, and a filter is the mapping that `read_document_filter` reads.
"""
