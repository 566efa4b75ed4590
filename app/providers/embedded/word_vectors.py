"""Static word vectors from WordLlama (MIT; 32,000 tokens of 256 numbers, inside its wheel).

Its files are read directly. Importing the package would set up logging for the whole process, and its loader can
download.
"""

import importlib.util
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy
from numpy.typing import NDArray
from safetensors.numpy import load
from tokenizers import Tokenizer

from app import errors
from app.providers import base

DIMENSIONS = 256
_PIECE = 8_000  # characters tokenized at once; bounds memory whatever the length of a text


@dataclass(frozen=True, slots=True)
class _ModelFiles:
    table: NDArray[numpy.float32]
    tokenizer: Tokenizer


class WordVectors:
    """Turns texts into sums of token vectors. Reads its 16 MB when first used; threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._files: _ModelFiles | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether the next call returns without reading files."""
        return self._files is not None

    def sum_vectors(self, texts: Sequence[str]) -> base.Vectors:
        """Shape (texts, 256), not normalized; a text of white space alone is a row of zeros."""
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
        """As `sum_vectors`, with rows of norm 1 or zeros."""
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
