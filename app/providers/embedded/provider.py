"""The embedded provider: two embedding models and an extractive answerer. No key, no network."""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Protocol, cast, get_args

import numpy

from app import errors
from app.providers import base, completions
from app.providers.embedded import extractive, fixed_texts, sentence_encoder
from app.providers.embedded.word_vectors import WordVectors
from app.statuses import FinishReason

CONTEXT_WINDOW = 32_768
VECTORS, MULTILINGUAL, ANSWERER = "wordllama", "multilingual", "extractive"

# Fields that would change the answer and are not supported, with the values that are harmless. Temperature, seed and
# penalties are ignored: there is nothing random about a quotation.
_CANNOT: Mapping[str, Sequence[object]] = {
    "tools": ([],),
    "functions": ([],),
    "response_format": ({"type": "text"},),
    "logprobs": (False,),
    "audio": (),
    "modalities": (["text"],),
}

# Three words, or up to 72 characters of a script without spaces.
_GROUP = re.compile(r"(?:\S{1,24}\s*+){1,3}+|\s++")


class TextEncoder(Protocol):
    """Turns texts into vectors of norm 1, or zeros; see its implementations for what the numbers mean."""

    dimensions: int
    block: int
    inline: int

    @property
    def is_loaded(self) -> bool:
        """Whether the next call returns without reading files."""
        ...

    def unit_vectors(self, texts: Sequence[str]) -> base.Vectors:
        """A row per text. Takes its time, so that it belongs into a thread."""
        ...


class EncoderModel:
    """An EmbeddingModel that runs in this process. `problem`: why its encoder cannot be used, if so."""

    def __init__(self, model: str, encoder: TextEncoder, problem: str | None) -> None:
        self._model = model
        self._encoder = encoder
        self._problem = problem

    @property
    def name(self) -> str:
        """`embedded/wordllama`, `embedded/multilingual`."""
        return f"embedded/{self._model}"

    @property
    def is_immediate(self) -> bool:
        """Once it is loaded, if it is one of the fast ones."""
        return self._encoder.is_loaded and self._encoder.inline > 0

    async def dimensions(self) -> int:
        """256, or 512."""
        self._check()
        return self._encoder.dimensions

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """One row per text; no text is cut. A query IN CAPITALS is lower-cased: the models know few such words."""
        self._check()
        if purpose == "query":
            texts = [text.lower() if text.isupper() else text for text in texts]
        encoder = self._encoder
        if encoder.is_loaded and sum(map(len, texts)) <= encoder.inline:
            return encoder.unit_vectors(texts)
        blocks = [
            await asyncio.to_thread(encoder.unit_vectors, texts[start : start + encoder.block])
            for start in range(0, len(texts), encoder.block)
        ]
        return numpy.concatenate([numpy.zeros((0, encoder.dimensions), dtype=numpy.float32), *blocks])

    def _check(self) -> None:
        if self._problem is not None:
            raise errors.ModelNotFound(f"The model “{self.name}” cannot be used: {self._problem}")


class ExtractiveModel:
    """A LanguageModel that only quotes: it returns the sentences that answer the question, and cites each."""

    def __init__(self, model: str, vectors: WordVectors) -> None:
        self._model = model
        self._vectors = vectors

    @property
    def name(self) -> str:
        """`embedded/extractive`."""
        return f"embedded/{self._model}"

    @property
    def is_generative(self) -> bool:
        """It only quotes."""
        return False

    @property
    def parameters(self) -> int | None:
        """None: no prompt is written for it."""
        return None

    async def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """The quotations in groups of words; a fixed text if no passage answers, and another one without passages."""
        if self._model != ANSWERER:
            raise _no_such_model(self._model, ANSWERER)
        _reject_unsupported_fields(options.extra_fields)
        text, finished = await asyncio.to_thread(self._quote_answer, prompt, options.max_tokens)
        for group in _word_groups(text):
            yield base.TextDelta(group)
            await asyncio.sleep(0)
        yield finished

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """None: the ledger shows estimates."""
        return None

    async def relay_request(
        self, request: base.JsonObject, on_behalf_of: tuple[str, str]
    ) -> AsyncGenerator[base.JsonObject]:
        """The introduction as chunks or a completion: without passages there is nothing to quote."""
        prompt = _parse_prompt(request)
        limit = request.get("max_completion_tokens") or request.get("max_tokens")
        options = base.GenerationOptions(limit if isinstance(limit, int) else None, None, CONTEXT_WINDOW, request)
        answer = completions.CompletionBuilder(request, self._model)
        async with aclosing(self.stream_answer(prompt, options)) as pieces:
            async for piece in pieces:
                for chunk in answer.add_piece(piece):
                    yield chunk

    async def context_window(self) -> int:
        """32,768; the model itself has no limit but time."""
        return CONTEXT_WINDOW

    def _quote_answer(self, prompt: base.Prompt, max_tokens: int | None) -> tuple[str, base.Finished]:
        fixed = fixed_texts.texts_for(prompt.question)
        if not prompt.passages:
            parts = [fixed.introduction]
        elif not prompt.is_answerable:
            parts = [fixed.not_found]
        else:
            quotations = extractive.quote_answer(
                prompt.question, prompt.passages, self._vectors.sum_vectors, prompt.earlier_questions
            )
            parts = quotations or [fixed.not_found]
        text = self._shorten_to_limit(parts, max_tokens)
        whole = text == extractive.join_quotations(parts)
        read = sum(self._vectors.count(message.content) for message in prompt.messages)
        return text, base.Finished(FinishReason.STOP if whole else FinishReason.LENGTH, read, self._vectors.count(text))

    def _shorten_to_limit(self, parts: Sequence[str], max_tokens: int | None) -> str:
        """As many whole parts as fit in `max_tokens` tokens, but at least the first words of the first part."""
        for number in range(len(parts), 0, -1):
            text = extractive.join_quotations(parts[:number])
            if max_tokens is None or self._vectors.count(text) <= max_tokens:
                return text
        groups = _word_groups(parts[0])
        while groups and max_tokens is not None and self._vectors.count("".join(groups)) > max_tokens:
            groups.pop()
        return "".join(groups).rstrip()


def _word_groups(text: str) -> list[str]:
    return _GROUP.findall(text)


def _parse_prompt(request: base.JsonObject) -> base.Prompt:
    """The prompt of a request with only text. Raises ModelRefused for pictures, tool messages and the like."""
    found: list[base.PromptMessage] = []
    for message in cast("Sequence[base.JsonObject]", request["messages"]):
        text, role = completions.read_content_text(message.get("content")), message.get("role")
        if text is None or role not in get_args(base.Role):
            raise errors.ModelRefused("The embedded answerer reads only text from users, assistants and systems.")
        found.append(base.PromptMessage(cast("base.Role", role), text))
    return base.Prompt(tuple(found), found[-1].content if found else "")


def _reject_unsupported_fields(request: base.JsonObject) -> None:
    for name, allowed in _CANNOT.items():
        if request.get(name) is not None and request[name] not in allowed:
            raise errors.ModelRefused(f"The embedded answerer only quotes: it cannot do what `{name}` asks for.")


def _no_such_model(model: str, *known: str) -> errors.ModelNotFound:
    there = " and ".join(repr(name) for name in known)
    return errors.ModelNotFound(f"The embedded provider has no model {model!r} of this kind; it has {there}.")


class EmbeddedProvider:
    """A Provider: word vectors, the answerer that scores by them, and a sentence encoder where it is installed."""

    def __init__(self) -> None:
        self._vectors = WordVectors()
        self._encoders: Mapping[str, TextEncoder] = {
            VECTORS: self._vectors,
            MULTILINGUAL: sentence_encoder.SentenceEncoder(),
        }
        self._problems = {MULTILINGUAL: sentence_encoder.find_problem()}

    @property
    def name(self) -> str:
        """`embedded`."""
        return "embedded"

    @property
    def is_local(self) -> bool:
        """Nothing leaves the machine."""
        return True

    @property
    def fixed_models(self) -> tuple[base.ModelInfo, ...]:
        """The answerer and the embedding models, also one that is not installed."""
        return (
            base.ModelInfo(ANSWERER, "CHAT", context_window=CONTEXT_WINDOW),
            *(
                base.ModelInfo(name, "EMBEDDING", dimensions=encoder.dimensions, problem=self._problems.get(name))
                for name, encoder in self._encoders.items()
            ),
        )

    def language_model(self, model: str) -> base.LanguageModel:
        """The extractive answerer."""
        return ExtractiveModel(model, self._vectors)

    def embedding_model(self, model: str) -> base.EmbeddingModel:
        """One of the encoders. Raises ModelNotFound."""
        encoder = self._encoders.get(model)
        if encoder is None:
            raise _no_such_model(model, *self._encoders)
        return EncoderModel(model, encoder, self._problems.get(model))

    async def list_models(self) -> list[base.ModelInfo]:
        """Those that can be used here."""
        return [model for model in self.fixed_models if model.problem is None]

    async def close(self) -> None:
        """Nothing is open."""
