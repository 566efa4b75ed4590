"""Static word vectors from WordLlama (MIT; 32,000 tokens of 256 numbers, inside its wheel).

Its files are read directly. Importing the package would set up logging for the whole process, and its loader can
download.
"""

import importlib.util
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy
from numpy.typing import NDArray
from safetensors.numpy import load
from tokenizers import Tokenizer

from app import errors
from app.providers import base

DIMENSIONS = 256
_PIECE = 8_000  # characters tokenized at once; bounds memory whatever the length of a text


# No token spans two of these (a token has a space only at its start, and none has a line break), so the tokens of a
# text are those of its pieces. Most pieces are words that were met before: that takes a tenth of the time.
_PIECES = re.compile(r"\n| *[^ \n]+| +")
_KEPT_PIECES, _LONGEST_KEPT = 50_000, 32
# Texts with these are left to the tokenizer: it takes the first three as tokens of their own, and the last for a space.
_SPECIAL = ("<s>", "</s>", "<unk>", "▁")


class _TokenIds:
    """The token ids of texts, remembered by word."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._model = tokenizer.model
        self._known_ids = lru_cache(_KEPT_PIECES)(self._piece_ids)

    def of_text(self, text: str) -> list[int]:
        """What the tokenizer finds, without the token for the beginning."""
        if any(special in text for special in _SPECIAL):
            return self._tokenizer.encode(text, add_special_tokens=False).ids
        ids: list[int] = []
        # A text is read as if it began with a space.
        for piece in _PIECES.findall(f" {text}" if text else ""):
            ids += self._known_ids(piece) if len(piece) <= _LONGEST_KEPT else self._piece_ids(piece)
        return ids

    def _piece_ids(self, piece: str) -> tuple[int, ...]:
        return tuple(token.id for token in self._model.tokenize(piece.replace(" ", "▁")))


@dataclass(frozen=True, slots=True)
class _ModelFiles:
    table: NDArray[numpy.float32]
    token_ids: _TokenIds


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
        # One sum per text: numpy.add.reduceat over all of them takes twenty times as long.
        for index, text in enumerate(texts):
            if len(text) > _PIECE:
                for piece in _split_at_spaces(text):
                    rows[index] += self.sum_vectors([piece])[0]
            elif not text.isspace():
                rows[index] = files.table[files.token_ids.of_text(text)].sum(axis=0)
        return rows

    def unit_vectors(self, texts: Sequence[str]) -> base.Vectors:
        """As `sum_vectors`, with rows of norm 1 or zeros."""
        rows = self.sum_vectors(texts)
        norms = numpy.linalg.norm(rows, axis=1, keepdims=True)
        return numpy.divide(rows, norms, out=rows, where=norms > 0)

    def token_ids(self, text: str) -> list[int]:
        """The text's tokens."""
        return self._load_files().token_ids.of_text(text)

    def count(self, text: str) -> int:
        """How many tokens the text has."""
        return sum(len(self.token_ids(piece)) for piece in _split_at_spaces(text))

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
    return _ModelFiles(table.astype(numpy.float32), _TokenIds(tokenizer))


def _split_at_spaces(text: str) -> Iterator[str]:
    """`text` in pieces that end at a space where there is one: words, and so tokens, stay whole."""
    start = 0
    while len(text) - start > _PIECE:
        cut = text.rfind(" ", start + 1, start + _PIECE)
        end = start + _PIECE if cut < 0 else cut
        yield text[start:end]
        start = end if cut < 0 else end + 1
    yield text[start:]
