"""What a model is to the rest of the house: a prompt in, pieces of text out; texts in, vectors out.

Every implementation keeps three promises. Errors leave as `errors.AnswerError` and nothing else. A stream ends
with exactly one `Finished`, or raises: a stream without the provider's terminal frame is `ModelIncomplete`.
Nothing is retried after the first piece. Closing the iterator (`aclose`) closes the provider's request.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy
from numpy.typing import NDArray

Role = Literal["system", "developer", "user", "assistant"]
Purpose = Literal["query", "document"]
FinishReason = Literal["STOP", "LENGTH", "FILTER"]

Vectors = NDArray[numpy.float32]
"""Shape (texts, dimensions); rows have norm 1 (a text without any known word is a row of zeros)."""


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message as it goes to a model."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class PromptPassage:
    """A passage as the prompt shows it: its number, its title and its text (bracketed numbers already escaped)."""

    number: int
    title: str
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent: `messages`. `question` and `passages` say what is in them, for a model that selects its answer."""

    messages: tuple[PromptMessage, ...]
    question: str
    passages: tuple[PromptPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class GenerationOptions:
    """How to answer. `max_tokens` None: as much as the model likes; `temperature` None: the model's own.

    The budget counted with `context_window`. `more` are other fields of a chat request of the OpenAI API; a limit among
    them gives way to `max_tokens`, and only says by which name the client calls it. `on_behalf` are the user
    and the project that the answer is for: users, and then their projects, take turns where they have to wait.
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
class ReasoningDelta:
    """The next piece of what a thinking model thinks; never part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The terminal frame: why the model stopped, and the tokens it says it read and wrote (None: it did not say)."""

    reason: FinishReason
    input_tokens: int | None = None
    output_tokens: int | None = None


Piece = TextDelta | ReasoningDelta | Finished

JsonObject = Mapping[str, object]
"""An object of the OpenAI API: a request as a client sent it, an answer, or one chunk of an answer."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds to wait for a connection, for the first piece, between two pieces, and for an answer in one piece.

    `longest_answer` is how long an answer that comes in pieces may take, however slowly they come.
    """

    connect: float = 5.0
    first_token: float = 120.0
    between_tokens: float = 60.0
    whole_answer: float = 600.0
    longest_answer: float = 3600.0


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model as a provider's server tells it; `context_window` in tokens where it says so.

    `also` is another name by which the server knows it.
    """

    name: str
    kind: Literal["CHAT", "EMBEDDING"] = "CHAT"
    context_window: int | None = None
    dimensions: int | None = None
    alias: str | None = None


class LanguageModel(Protocol):
    """One chat model of one provider."""

    @property
    def name(self) -> str:
        """`provider/model`, as in settings and chat sessions."""
        ...

    @property
    def is_generative(self) -> bool:
        """Whether it writes text of its own; one that only quotes passages cannot rewrite a question."""
        ...

    def stream_answer(self, prompt: Prompt, options: GenerationOptions) -> AsyncGenerator[Piece]:
        """Answer `prompt` piece by piece; ends with one Finished or raises an AnswerError."""
        ...

    async def count_tokens(self, messages: Sequence[PromptMessage]) -> int | None:
        """Tokens that the server's own tokenizer makes of a prompt, template included; None if it cannot say now."""
        ...

    def relay_request(self, request: JsonObject, on_behalf_of: tuple[str, str]) -> AsyncGenerator[JsonObject]:
        """Answer a chat request of the OpenAI API as it is: its chunks if it asks for a stream, else one completion.

        A server that speaks this API gets the request, and the client its answer, with every field unchanged but
        `model`. Another gets what it can do; ModelRefused says what it cannot. Ends like `stream`: complete, or raises.
        """
        ...

    async def context_window(self) -> int:
        """Tokens of input and output together: what the server tells, else the catalog, else 8192. Never raises."""
        ...


class EmbeddingModel(Protocol):
    """One embedding model of one provider."""

    @property
    def name(self) -> str:
        """`provider/model`."""
        ...

    async def dimensions(self) -> int:
        """Length of a vector; may ask the server once. Raises an AnswerError when it cannot be told."""
        ...

    async def embed_texts(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """One vector of norm 1 per text, in order. Long texts are cut by us, never silently by the server."""
        ...


class Reranker(Protocol):
    """A model that says how well each of several texts answers a query."""

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine."""
        ...

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """A finite score per text, in order; higher is better, and means nothing beside other queries' scores.

        Raises an AnswerError within the time limit.
        """
        ...

    async def close(self) -> None:
        """Close connections; the reranker is not used afterwards."""
        ...


class Provider(Protocol):
    """One place where models run; hands out models and says what it has and whether it answers."""

    @property
    def name(self) -> str:
        """`embedded`, `ollama`, `openai`, `openrouter` …"""
        ...

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine."""
        ...

    def language_model(self, model: str) -> LanguageModel:
        """The chat model called `model` here; the name is not checked before it is used."""
        ...

    def embedding_model(self, model: str) -> EmbeddingModel:
        """The embedding model called `model` here."""
        ...

    async def list_models(self) -> list[ModelInfo]:
        """What the server has. Raises an AnswerError when it does not answer within the connect limit."""
        ...

    async def close(self) -> None:
        """Close connections; the provider is not used afterwards."""
        ...
