"""Answer options: each is declared once, with its type, range, default and description.

The server, a project, a chat session and a question are layers of options: the nearest one that sets an option wins.
Derived from the declarations: the server's variables (`app/settings`), the columns of chat sessions, the inputs and
outputs of the GraphQL API, the fields of the OpenAI API, `--set` on the command line, and the tables in the handbook.

To add an option, declare it here, write the migration of `chat_sessions`, and use it in the stage that it is for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from app import errors

Grounding = Literal["GROUNDED", "OPEN"]
SearchMode = Literal["HYBRID", "LEXICAL", "VECTOR"]
CitationStyle = Literal["NUMBERED", "CHUNK"]
ContextPlacement = Literal["SYSTEM", "USER"]

MAX_SYSTEM_PROMPT = 100_000
MAX_MODEL = 300
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
            description="Documents to search. If null, all documents in the project are searched.",
            per_project=False,
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
            description="Minimum `score` of a passage. Defaults to a value that suits the embedding model.",
            minimum=0,
            maximum=1,
            variable="RAG_THRESHOLD",
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
            variable_description="Let the model rewrite questions into stand-alone search queries; never done by the "
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
"""The type of each option's values, without null: bool, int, float, str, a Literal, or a tuple of ids."""

OptionLayer = Mapping[str, Any]
"""The option values that one layer sets, by name. A missing option, or None, falls through to the next layer."""


def resolve_options(server: AnswerOptions, *layers: OptionLayer) -> AnswerOptions:
    """The options in effect: for each, the first layer that sets it wins; otherwise the server's value holds.

    If retrieval is turned off on the server, no layer can turn it on.
    """
    values = server.values()
    for layer in reversed(layers):
        values |= {name: layer[name] for name in OPTIONS if layer.get(name) is not None}
    values["enable_rag"] = server.enable_rag and values["enable_rag"]
    values["document_ids"] = tuple(values["document_ids"]) if values["document_ids"] else None
    return AnswerOptions(**values)


def find_issues(values: OptionLayer, model_problem: Callable[[str], str | None]) -> list[errors.Issue]:
    """The problems with the values of a layer, under the names that clients use.

    `model_problem` returns what is wrong with a model name, or None.
    """
    found: list[errors.Issue] = []
    for name, option in OPTIONS.items():
        value, path = values.get(name), to_camel_case(name)
        if value is None:
            continue
        if option.allowed_range and not option.is_in_range(value):
            found.append(errors.Issue((path,), "OUT_OF_RANGE", f"`{path}` must be {option.allowed_range}."))
        if option.max_length is not None and len(value) > option.max_length:
            message = f"`{path}` must have at most {option.max_length:,} characters."
            found.append(errors.Issue((path,), "TOO_LONG", message))
    if values.get("document_ids") == []:
        message = "List at least one document, or omit `documentIds` to search all of them."
        found.append(errors.Issue(("documentIds",), "INVALID", message))
    model = values.get("model")
    if model is not None and (problem := model_problem(model)):
        found.append(errors.Issue(("model",), "INVALID", problem))
    return found


def describe_type(name: str) -> str:
    """What the values of an option are: “a number”, “one of GROUNDED, OPEN”."""
    kind = OPTION_TYPES[name]
    if get_origin(kind) is Literal:
        return f"one of {', '.join(get_args(kind))}"
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}.get(kind, "a list of ids")


def is_of_type(name: str, value: object) -> bool:
    """Whether a JSON value has the type of an option. Null has every type."""
    kind = OPTION_TYPES[name]
    if get_origin(kind) is Literal:
        return value is None or value in get_args(kind)
    kinds = {float: (int, float), tuple[str, ...]: (list,)}.get(kind, (kind,))
    return value is None or (isinstance(value, kinds) and (kind is bool or not isinstance(value, bool)))


def to_camel_case(name: str) -> str:
    """The name of an option as clients write it."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
