"""The embedded provider: static word vectors and an extractive answerer. No key, no network.

The vectors are WordLlama's (MIT; 32,000 tokens of 256 numbers, inside its wheel). Its files are read here and its
code is not: importing it would set up logging for the whole process, and its loader can download.
"""

import asyncio
import importlib.util
import re
import threading
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

import numpy
from numpy.typing import NDArray
from safetensors.numpy import load
from tokenizers import Tokenizer

from app import errors
from app.providers import base, completions
from app.providers.embedded import extractive

DIMENSIONS = 256
CONTEXT_WINDOW = 32_768
VECTORS, ANSWERER = "wordllama", "extractive"

NOT_FOUND = "The sources do not contain the answer to this question."
"""The whole answer when no sentence of the passages answers; the prompt's policy asks other models for the same."""

INTRODUCTION = (
    "I am Footnote's embedded answerer: I can only quote sentences from your documents, and have none to quote here. "
    "For a model that writes, set CHAT_MODEL together with OLLAMA_HOST or OPENAI_API_KEY."
)

_BLOCK = 128  # texts per call into a worker thread: about 20 ms
_PIECE = 8_000  # characters tokenised at once; bounds memory whatever the length of a text
_INLINE = 2_000  # characters of a query that are embedded without a thread (26 µs)

# Fields of a request that would change an answer, and what they may hold nevertheless. It has no choice that a
# temperature, a seed or a penalty could change.
_CANNOT: Mapping[str, Sequence[object]] = {
    "tools": ([],),
    "functions": ([],),
    "response_format": ({"type": "text"},),
    "logprobs": (False,),
    "audio": (),
    "modalities": (["text"],),
}

# Three words, or a dozen characters of a script that does without spaces.
_GROUP = re.compile(r"(?:\S{1,24}\s*+){1,3}+|\s++")


@dataclass(frozen=True, slots=True)
class _ModelFiles:
    table: NDArray[numpy.float32]
    tokenizer: Tokenizer


class WordVectors:
    """Texts to sums of token vectors. Reads its 16 MB when first used; may be used by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._files: _ModelFiles | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether the next call returns without reading files."""
        return self._files is not None

    def sum_vectors(self, texts: Sequence[str]) -> base.Vectors:
        """Shape (texts, 256), not normalised; a text of white space alone is a row of zeros."""
        files = self._load_files()
        rows = numpy.zeros((len(texts), DIMENSIONS), dtype=numpy.float32)
        short = [index for index, text in enumerate(texts) if len(text) <= _PIECE and not text.isspace()]
        encoded = files.tokenizer.encode_batch_fast([texts[index] for index in short], add_special_tokens=False)
        # One sum per text: numpy.add.reduceat over all of them takes twenty times as long.
        for index, encoding in zip(short, encoded, strict=True):
            rows[index] = files.table[encoding.ids].sum(axis=0)
        for index, text in enumerate(texts):
            if len(text) > _PIECE:
                for piece in _split_at_spaces(text):
                    rows[index] += self.sum_vectors([piece])[0]
        return rows

    def unit_vectors(self, texts: Sequence[str]) -> base.Vectors:
        """As `sums`, rows of norm 1 or zeros."""
        rows = self.sum_vectors(texts)
        norms = numpy.linalg.norm(rows, axis=1, keepdims=True)
        return numpy.divide(rows, norms, out=rows, where=norms > 0)

    def count(self, text: str) -> int:
        """How many tokens the text has."""
        tokenizer = self._load_files().tokenizer
        return sum(len(tokenizer.encode(piece, add_special_tokens=False).ids) for piece in _split_at_spaces(text))

    def _load_files(self) -> _ModelFiles:
        with self._lock:
            if self._files is None:
                self._files = _read_model_files()
            return self._files


def _read_model_files() -> _ModelFiles:
    package = importlib.util.find_spec("wordllama")
    folder = Path(package.origin).parent if package and package.origin else Path()
    weights, vocabulary = (
        folder / "weights/l2_supercat_256.safetensors",
        folder / "tokenizers/l2_supercat_tokenizer_config.json",
    )
    if not (weights.is_file() and vocabulary.is_file()):
        raise errors.ModelNotFound("The package wordllama is not installed, or its model files are missing.")
    tokenizer = Tokenizer.from_file(str(vocabulary))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    table = load(weights.read_bytes())["embedding.weight"]
    return _ModelFiles(table.astype(numpy.float32), tokenizer)


def _split_at_spaces(text: str) -> Iterator[str]:
    """`text` in pieces that end at a space where there is one: words, and so tokens, stay whole."""
    start = 0
    while len(text) - start > _PIECE:
        cut = text.rfind(" ", start + 1, start + _PIECE)
        end = start + _PIECE if cut < 0 else cut
        yield text[start:end]
        start = end if cut < 0 else end + 1
    yield text[start:]


class WordVectorModel:
    """An EmbeddingModel: the mean of a text's token vectors."""

    def __init__(self, model: str, vectors: WordVectors) -> None:
        self._model = model
        self._vectors = vectors

    @property
    def name(self) -> str:
        """`embedded/wordllama`."""
        return f"embedded/{self._model}"

    async def dimensions(self) -> int:
        """256."""
        _check_model_name(self._model, VECTORS)
        return DIMENSIONS

    async def embed_texts(self, texts: Sequence[str], purpose: base.Purpose) -> base.Vectors:
        """One row per text; none is cut. A query IN CAPITALS is lower-cased: the table hardly knows such words."""
        _check_model_name(self._model, VECTORS)
        if purpose == "query":
            texts = [text.lower() if text.isupper() else text for text in texts]
        if self._vectors.is_loaded and len(texts) == 1 and len(texts[0]) <= _INLINE:
            return self._vectors.unit_vectors(texts)
        blocks = [
            await asyncio.to_thread(self._vectors.unit_vectors, texts[start : start + _BLOCK])
            for start in range(0, len(texts), _BLOCK)
        ]
        return numpy.concatenate([numpy.zeros((0, DIMENSIONS), dtype=numpy.float32), *blocks])


class ExtractiveModel:
    """A LanguageModel that writes nothing of its own: it quotes the sentences that answer, and cites each."""

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

    async def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """The quotations in groups of words; NOT_FOUND when nothing answers, INTRODUCTION when nothing is given."""
        _check_model_name(self._model, ANSWERER)
        _reject_unsupported_fields(options.extra_fields)
        text, finished = await asyncio.to_thread(self._quote_answer, prompt, options.max_tokens)
        for group in _word_groups(text):
            yield base.TextDelta(group)
            await asyncio.sleep(0)
        yield finished

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """The ledger shows estimates for it as for others."""
        return None

    async def relay_request(
        self, request: base.JsonObject, on_behalf_of: tuple[str, str]
    ) -> AsyncGenerator[base.JsonObject]:
        """What it is, in the client's terms: without passages there is nothing to quote."""
        prompt = _parse_prompt(request)
        limit = request.get("max_completion_tokens") or request.get("max_tokens")
        options = base.GenerationOptions(limit if isinstance(limit, int) else None, None, CONTEXT_WINDOW, request)
        answer = completions.CompletionBuilder(request, self._model)
        async with aclosing(self.stream_answer(prompt, options)) as pieces:
            async for piece in pieces:
                for chunk in answer.add_piece(piece):
                    yield chunk

    async def context_window(self) -> int:
        """32,768: there is no limit but time."""
        return CONTEXT_WINDOW

    def _quote_answer(self, prompt: base.Prompt, most: int | None) -> tuple[str, base.Finished]:
        if prompt.passages:
            parts = extractive.quote_answer(prompt.question, prompt.passages, self._vectors.sum_vectors) or [NOT_FOUND]
        else:
            parts = [INTRODUCTION]
        text = self._shorten_to_limit(parts, most)
        whole = text == extractive.join_quotations(parts)
        read = sum(self._vectors.count(message.content) for message in prompt.messages)
        return text, base.Finished("STOP" if whole else "LENGTH", read, self._vectors.count(text))

    def _shorten_to_limit(self, parts: Sequence[str], most: int | None) -> str:
        """As many whole parts as `most` tokens hold; of the first at least its first words."""
        for number in range(len(parts), 0, -1):
            text = extractive.join_quotations(parts[:number])
            if most is None or self._vectors.count(text) <= most:
                return text
        groups = _word_groups(parts[0])
        while groups and most is not None and self._vectors.count("".join(groups)) > most:
            groups.pop()
        return "".join(groups).rstrip()


def _word_groups(text: str) -> list[str]:
    return _GROUP.findall(text)


def _parse_prompt(request: base.JsonObject) -> base.Prompt:
    """Of text alone. Raises ModelRefused for pictures and the like, and for what a tool has said."""
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


def _check_model_name(model: str, expected: str) -> None:
    if model != expected:
        raise errors.ModelNotFound(f"The embedded provider has no model {model!r} of this kind; it has {expected!r}.")


class EmbeddedProvider:
    """A Provider: both models over one set of word vectors."""

    def __init__(self) -> None:
        self._vectors = WordVectors()

    @property
    def name(self) -> str:
        """`embedded`."""
        return "embedded"

    @property
    def is_local(self) -> bool:
        """Nothing leaves the machine."""
        return True

    def language_model(self, model: str) -> base.LanguageModel:
        """The extractive answerer."""
        return ExtractiveModel(model, self._vectors)

    def embedding_model(self, model: str) -> base.EmbeddingModel:
        """The word vectors."""
        return WordVectorModel(model, self._vectors)

    async def list_models(self) -> list[base.ModelInfo]:
        """Both models."""
        return [
            base.ModelInfo(ANSWERER, "CHAT", context_window=CONTEXT_WINDOW),
            base.ModelInfo(VECTORS, "EMBEDDING", dimensions=DIMENSIONS),
        ]

    async def close(self) -> None:
        """Nothing is open."""
