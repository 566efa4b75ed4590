"""The interfaces of language models, embedding models, rerankers and their providers.

All implementations guarantee the following. They raise `errors.AnswerError` and nothing else. A stream ends with
exactly one `Finished` or raises: without the provider's terminal frame, it raises `ModelIncomplete`. Nothing is retried
after the first piece. Closing the iterator (`aclose`) closes the provider's request.
"""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy
from numpy.typing import NDArray

from app.statuses import FinishReason

Role = Literal["system", "developer", "user", "assistant"]
Purpose = Literal["query", "document"]
ModelKind = Literal["CHAT", "EMBEDDING"]

Vectors = NDArray[numpy.float32]
"""Shape (texts, dimensions). Rows have norm 1; a text without any known word is a row of zeros."""


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class PromptPassage:
    """A passage as it is shown in the prompt; bracketed numbers in `text` are already escaped.

    `headings` are those above its beginning, outermost first. `continues` is the number of the passage that directly
    precedes this one in their document. `cut_before`, `cut_after`: the document continues directly before or after it
    with text that is not shown.
    """

    number: int
    title: str
    text: str
    score: float
    headings: tuple[str, ...] = ()
    continues: int | None = None
    cut_before: bool = False
    cut_after: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages to send. `question` and `passages` repeat their content for a model that only quotes passages.

    Such a model cannot tell whether the passages contain the answer, and refuses unless `is_answerable`.
    `earlier_questions` are the last few before it, oldest first: a follow-up may be meaningless without them.
    """

    messages: tuple[PromptMessage, ...]
    question: str
    passages: tuple[PromptPassage, ...] = ()
    is_answerable: bool = True
    earlier_questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GenerationOptions:
    """How to answer. `max_tokens` None: no limit; `temperature` None: the model's default.

    `context_window` is the window that the budget was made for. `extra_fields` are further fields of an OpenAI chat
    request; a limit among them only shows which name the client uses for it, because `max_tokens` overrides it.
    `on_behalf_of` is the user and project that the answer is for (an empty project: for none): if requests must wait,
    users take turns, and each user's projects take turns.
    """

    max_tokens: int | None
    temperature: float | None
    context_window: int
    extra_fields: Mapping[str, object] = field(default_factory=dict[str, object])
    on_behalf_of: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer; never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class RefusalDelta(TextDelta):
    """The next piece of a text in which the model refuses to answer."""


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """The next piece of a model's reasoning; never part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of an answer: why the model stopped, and its own token counts (None: not reported)."""

    reason: FinishReason
    input_tokens: int | None = None
    output_tokens: int | None = None


Piece = TextDelta | ReasoningDelta | Finished

JsonObject = Mapping[str, object]
"""An object of the OpenAI API: a request as the client sent it, a completion, or one chunk of a stream."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds to wait for a connection, for the first piece, between pieces, and for a whole answer without streaming.

    `longest_answer` limits a whole streamed answer.
    """

    connect: float = 5.0
    first_token: float = 120.0
    between_tokens: float = 60.0
    whole_answer: float = 600.0
    longest_answer: float = 3600.0


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model as its server lists it; `context_window` is in tokens.

    `alias` is another name for it on the server. `problem`: why it cannot be used here, as a sentence.
    """

    name: str
    kind: ModelKind = "CHAT"
    context_window: int | None = None
    dimensions: int | None = None
    alias: str | None = None
    problem: str | None = None


class LanguageModel(Protocol):
    """One chat model of one provider."""

    @property
    def name(self) -> str:
        """The name `provider/model`, as in settings and chat sessions."""
        ...

    @property
    def is_generative(self) -> bool:
        """Whether it writes its own text; a model that only quotes passages cannot rewrite a question."""
        ...

    @property
    def parameters(self) -> int | None:
        """The number of parameters: from its file, else from its name or the catalog; None if unknown."""
        ...

    def stream_answer(self, prompt: Prompt, options: GenerationOptions) -> AsyncGenerator[Piece]:
        """Stream the answer to `prompt`; ends with one Finished or raises an AnswerError."""
        ...

    async def count_tokens(self, messages: Sequence[PromptMessage]) -> int | None:
        """Count a prompt with the server's tokenizer, including the chat template; None if that is not possible now."""
        ...

    def relay_request(
        self, request: JsonObject, on_behalf_of: tuple[str, str], adaptable: Collection[str] = ()
    ) -> AsyncGenerator[JsonObject]:
        """Answer an OpenAI chat request: with chunks if it requests a stream, else with one completion.

        A server that speaks this API gets the request unchanged except for `model`, and the client gets the answer
        unchanged. For other servers the request is translated; ModelRefused names what they do not support. Like
        `stream_answer`, it ends with a complete answer or raises.

        The client has not chosen the `adaptable` fields, `stream_options` or the name of the answer's limit: a server
        that refuses them gets the request without the first, or with the limit under its other name.
        """
        ...

    async def context_window(self) -> int:
        """The tokens of input and output together: from the server, else the catalog, else 8192. Never raises."""
        ...


class EmbeddingModel(Protocol):
    """One embedding model of one provider."""

    @property
    def name(self) -> str:
        """`provider/model`."""
        ...

    @property
    def is_immediate(self) -> bool:
        """Whether a query is embedded in this process at once, without a server."""
        ...

    async def dimensions(self) -> int:
        """The length of a vector; may call the server once. Raises an AnswerError if it cannot be determined."""
        ...

    async def embed_texts(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Embed texts: a vector of norm 1 per text, in order. Long texts are cut here, never silently by the server."""
        ...


class Reranker(Protocol):
    """A model that scores how well each of several texts answers a query."""

    @property
    def name(self) -> str:
        """The model's name, or `reranker` if its server has only one."""
        ...

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine."""
        ...

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score texts with a finite number each. Higher is better; scores of different queries are incomparable.

        Raises an AnswerError, at the latest when time is up.
        """
        ...

    async def close(self) -> None:
        """Close connections; the reranker is not used afterwards."""
        ...


class Provider(Protocol):
    """A source of models: this process, a model server, or an online service."""

    @property
    def name(self) -> str:
        """The first part of its models' names: `embedded`, `ollama`, `openai`, `openrouter` …"""
        ...

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine."""
        ...

    @property
    def fixed_models(self) -> tuple[ModelInfo, ...] | None:
        """Its models, if they can never change; None if the server decides."""
        ...

    def language_model(self, model: str) -> LanguageModel:
        """The chat model called `model`; the name is not checked before the first request."""
        ...

    def embedding_model(self, model: str) -> EmbeddingModel:
        """The embedding model called `model`."""
        ...

    async def list_models(self) -> list[ModelInfo]:
        """List the server's models. Raises an AnswerError if it does not respond within the connect limit."""
        ...

    async def close(self) -> None:
        """Close connections; the provider is not used afterwards."""
        ...
