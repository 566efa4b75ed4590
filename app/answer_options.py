"""Every setting of an answer, declared once: its type, range, default and description, and which layer wins.

The server's settings, a project's, a session's and a question's are layers of the same thing. Environment, inputs and
outputs of the GraphQL API, previews, the OpenAI API and the command line derive from here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, get_args, get_type_hints

from app import errors

Grounding = Literal["GROUNDED", "OPEN"]
SearchMode = Literal["HYBRID", "LEXICAL", "VECTOR"]
CitationStyle = Literal["NUMBERED", "CHUNK"]
ContextPlacement = Literal["SYSTEM", "USER"]

MAX_SYSTEM_PROMPT = 100_000
MAX_MODEL = 300
MAX_DOCUMENTS = 1000
"""Documents that a session or a question names."""


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """What a setting means and what is allowed: a range of numbers, or a length of text.

    `of_project`: whether a project may have a default of its own.
    """

    description: str
    least: float | None = None
    most: float | None = None
    longest: int | None = None
    of_project: bool = True

    @property
    def described_with_range(self) -> str:
        """The description, and the range if there is one."""
        if self.least is None or self.most is None:
            return self.description
        return f"{self.description} Between {self.least:,} and {self.most:,}."


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOptions:
    """How one answer is given. A null limit or temperature is left to the model."""

    model: Annotated[str, AnswerOption("Chat model that answers, as `provider/model`.", longest=MAX_MODEL)] = (
        "embedded/extractive"
    )
    system_prompt: Annotated[
        str | None, AnswerOption("Instructions placed at the start of the prompt.", longest=MAX_SYSTEM_PROMPT)
    ] = None
    document_ids: Annotated[
        tuple[str, ...] | None,
        AnswerOption("Documents to search. Null searches all documents of the project.", of_project=False),
    ] = None
    enable_rag: Annotated[bool, AnswerOption("Whether to answer from the project's documents.")] = True
    rag_top_k: Annotated[int, AnswerOption("Maximum number of passages considered for the context.", 1, 50)] = 5
    rag_threshold: Annotated[
        float | None,
        AnswerOption("Minimum `score` of a passage; chosen to suit the embedding model unless set.", 0, 1),
    ] = None
    include_citations: Annotated[bool, AnswerOption("Whether answers contain citation markers.")] = True
    grounding: Annotated[Grounding, AnswerOption("How strictly answers keep to their sources.")] = "GROUNDED"
    context_token_ratio: Annotated[
        float, AnswerOption("Share of the free context window that passages may take.", 0.2, 0.8)
    ] = 0.5
    max_tokens: Annotated[int | None, AnswerOption("Maximum length of an answer, in tokens.", 1, 1_000_000)] = 1200
    temperature: Annotated[float | None, AnswerOption("Sampling temperature of the model.", 0, 2)] = 0.4
    reformulate: Annotated[
        bool, AnswerOption("Whether a model first rewrites the question into a stand-alone search query.")
    ] = False
    search_mode: Annotated[SearchMode, AnswerOption("What the search compares: words, meaning or both.")] = "HYBRID"
    citation_style: Annotated[CitationStyle, AnswerOption("Form of the citation markers in the text.")] = "NUMBERED"
    context_placement: Annotated[ContextPlacement, AnswerOption("Where the passages are placed in the prompt.")] = (
        "SYSTEM"
    )

    def values(self) -> dict[str, Any]:
        """Every setting by its name."""
        return {name: getattr(self, name) for name in OPTIONS}


def _read_declarations() -> dict[str, AnswerOption]:
    hints = get_type_hints(AnswerOptions, include_extras=True)
    return {field.name: get_args(hints[field.name])[1] for field in fields(AnswerOptions)}


OPTIONS: Mapping[str, AnswerOption] = _read_declarations()
"""The declaration of each setting, by its name."""

OptionLayer = Mapping[str, Any]
"""What somebody said of settings, by name; one that is missing or None is left to the next layer."""


def resolve_options(server: AnswerOptions, *layers: OptionLayer) -> AnswerOptions:
    """What is in force: of each setting what the first layer says that says anything, else the server's.

    Where the server has retrieval switched off, no layer switches it on.
    """
    said = server.values()
    for layer in reversed(layers):
        said |= {name: layer[name] for name in OPTIONS if layer.get(name) is not None}
    said["enable_rag"] = server.enable_rag and said["enable_rag"]
    said["document_ids"] = tuple(said["document_ids"]) if said["document_ids"] else None
    return AnswerOptions(**said)


def find_issues(values: OptionLayer, model_problem: Callable[[str], str | None]) -> list[errors.Issue]:
    """What is wrong with values that somebody gave, each with its place as clients call it.

    `model_problem` says what is wrong with a model's name.
    """
    found: list[errors.Issue] = []
    for name, option in OPTIONS.items():
        value, path = values.get(name), to_camel_case(name)
        if value is None:
            continue
        if option.least is not None and option.most is not None and not option.least <= value <= option.most:
            message = f"`{path}` must be between {option.least:,} and {option.most:,}."
            found.append(errors.Issue((path,), "OUT_OF_RANGE", message))
        if option.longest is not None and len(value) > option.longest:
            message = f"At most {option.longest:,} characters are allowed."
            found.append(errors.Issue((path,), "TOO_LONG", message))
    if values.get("document_ids") == []:
        message = "Name at least one document, or leave `documentIds` out to search all of them."
        found.append(errors.Issue(("documentIds",), "INVALID", message))
    model = values.get("model")
    if model is not None and (problem := model_problem(model)):
        found.append(errors.Issue(("model",), "INVALID", problem))
    return found


def to_camel_case(name: str) -> str:
    """A setting's name as clients call it."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
