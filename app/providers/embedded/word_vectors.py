"""Static word vectors from WordLlama (MIT; 32,000 tokens of 256 numbers, inside its wheel).

Its files are read directly: importing the package would set up logging for the whole process, and its loader may
download files.
"""

import importlib.util
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

import numpy
from numpy.typing import NDArray
from safetensors.numpy import load_file  # pyright: ignore[reportUnknownVariableType]
from tokenizers import Tokenizer

from app import errors
from app.providers import base
from app.providers.embedded.splitting import split_at_spaces

_PIECE = 8_000  # characters tokenized at once, to limit memory


# No token spans two of these pieces (a token has a space only at its start, and never a line break), so a text's tokens
# are those of its pieces. Most pieces are cached words: this takes a tenth of the time.
_PIECES = re.compile(r"\n| *[^ \n]+| +")
_KEPT_PIECES, _LONGEST_KEPT = 50_000, 32
# Texts with these are left to the tokenizer: the first three are special tokens, and the last stands for a space.
_SPECIAL = ("<s>", "</s>", "<unk>", "▁")


class _TokenIds(dict[str, tuple[int, ...]]):
    """A cache from pieces of text to token ids: a dictionary is faster than a cached function."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._model = tokenizer.model

    def of_text(self, text: str) -> list[int]:
        """The token ids of a text, without the begin token."""
        if any(special in text for special in _SPECIAL):
            return self._tokenizer.encode(text, add_special_tokens=False).ids
        # The tokenizer treats a text as if it began with a space.
        pieces = _PIECES.findall(f" {text}" if text else "")
        return list(chain.from_iterable(map(self.__getitem__, pieces)))

    def __missing__(self, piece: str) -> tuple[int, ...]:
        ids = tuple(token.id for token in self._model.tokenize(piece.replace(" ", "▁")))
        if len(piece) <= _LONGEST_KEPT:
            if len(self) >= _KEPT_PIECES:
                self.clear()
            self[piece] = ids
        return ids


class _TokenVectors:
    """The vectors of tokens, converted on first use: converting all would add 50 ms to the first text.

    Two threads may convert the same vectors, which is harmless.
    """

    def __init__(self, stored: NDArray[numpy.float16]) -> None:
        self._stored = stored
        self._rows = numpy.empty(stored.shape, dtype=numpy.float32)
        self._is_converted = numpy.zeros(len(stored), dtype=bool)

    def sum_of(self, token_ids: Sequence[int]) -> NDArray[numpy.float32]:
        """The sum of the vectors of these tokens."""
        ids = numpy.array(token_ids, dtype=numpy.intp)
        converted = self._is_converted[ids]
        if not converted.all():
            new = ids[~converted]
            self._rows[new] = self._stored[new]
            self._is_converted[new] = True
        return self._rows[ids].sum(axis=0)


@dataclass(frozen=True, slots=True)
class _ModelFiles:
    vectors: _TokenVectors
    token_ids: _TokenIds


class WordVectors:
    """Turns texts into sums of token vectors. Its 16 MB are read on first use, once per process.

    Thread-safe.
    """

    dimensions = 256
    block = 128
    """Texts per call on a thread: about 20 ms."""
    inline = 2_000
    """Up to this many characters, a query is embedded without a thread (26 µs)."""

    @property
    def is_loaded(self) -> bool:
        """Whether the next call returns without reading files."""
        return _read_model_files.cache_info().currsize > 0

    def sum_vectors(self, texts: Sequence[str]) -> base.Vectors:
        """Shape (texts, 256), not normalized; the row of a blank text is zero."""
        files = _load_files()
        rows = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        # One sum per text: numpy.add.reduceat over all of them takes twenty times as long.
        for index, text in enumerate(texts):
            if len(text) > _PIECE:
                for piece in split_at_spaces(text, _PIECE):
                    rows[index] += self.sum_vectors([piece])[0]
            elif not text.isspace():
                rows[index] = files.vectors.sum_of(files.token_ids.of_text(text))
        return rows

    def unit_vectors(self, texts: Sequence[str]) -> base.Vectors:
        """Like `sum_vectors`, with rows of norm 1, or zeros."""
        rows = self.sum_vectors(texts)
        norms = numpy.linalg.norm(rows, axis=1, keepdims=True)
        return numpy.divide(rows, norms, out=rows, where=norms > 0)

    def token_ids(self, text: str) -> list[int]:
        """The text's tokens."""
        return _load_files().token_ids.of_text(text)

    def count(self, text: str) -> int:
        """How many tokens the text has."""
        return sum(len(self.token_ids(piece)) for piece in split_at_spaces(text, _PIECE))


_READING = threading.Lock()


def _load_files() -> _ModelFiles:
    with _READING:  # otherwise, two threads could both read them
        return _read_model_files()


@cache
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
    return _ModelFiles(_TokenVectors(load_file(weights)["embedding.weight"]), _TokenIds(tokenizer))
