"""Read the header of a GGUF file: the kind of model, its window, and its memory needs.

The format is documented at https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Only the header is read, so this
takes milliseconds for a file of any size, before a process loads it.
"""

import math
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from app.providers import catalog

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
# As much as most headers have, since vocabularies take a few megabytes; and more than any.
_FIRST_HEADER_BYTES, _MAX_HEADER_BYTES = 8 << 20, 256 << 20
_MAX_KEYS = 100_000
_MAX_TENSORS = 1_000_000
_MAX_DIMENSIONS = 8
# Longer lists (the vocabulary) are skipped; lists with one number per layer are shorter.
_MAX_LIST = 4096
_SCALARS: Mapping[int, str] = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_STRING, _ARRAY = 8, 9
_BYTES_PER_CACHED_NUMBER = 2  # 16-bit floats
_PART = re.compile(r"-(\d{5})-of-(\d{5})(?=\.gguf$)")
# Longer than any chunk; the memory for a text grows with the square of its length.
_MAX_EMBEDDING_WINDOW = 2048

_ENCODERS = re.compile(r"bert|t5encoder|gemma-embedding|embed", re.IGNORECASE)
"""Architectures for vectors or scores, which cannot generate text."""


class UnusableFile(Exception):
    """The file cannot be used as a model; the message says why, worded as a predicate."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model in one file, or split over several. `window` is in tokens; `cache_bytes` is per token.

    `embeds`: it is made for vectors or scores. `parameters`: the total size of its tensors; None if it is split.
    """

    parts: tuple[Path, ...]
    file_bytes: int
    architecture: str
    window: int | None
    cache_bytes: int
    embeds: bool
    parameters: int | None

    @property
    def writes(self) -> bool:
        """Whether the model can generate text."""
        return not _ENCODERS.search(self.architecture)

    def choose_window(self, largest: int, *, writing: bool) -> int:
        """The window to run the model with, at most `largest` tokens."""
        window = min(self.window or catalog.DEFAULT_CONTEXT_WINDOW, largest)
        return window if writing else min(window, _MAX_EMBEDDING_WINDOW)


class _Header:
    """A cursor over the first bytes of a file, of which at most `limit` bytes can be its header."""

    def __init__(self, data: bytes, limit: int) -> None:
        self._data = data
        self._limit = limit
        self._at = len(_MAGIC)

    def read_number(self, form: str) -> int | float | bool:
        size = struct.calcsize(f"<{form}")
        (number,) = struct.unpack_from(f"<{form}", self._data, self._at)
        self._at += size
        return cast("int | float | bool", number)

    def read_int(self, form: str = "Q") -> int:
        return int(self.read_number(form))

    def read_string(self) -> str:
        length = self.read_int()
        self._skip(length)
        return self._data[self._at - length : self._at].decode("utf-8", "replace")

    def read_value(self, kind: int) -> object:
        """A value; None for long lists, which are skipped."""
        if kind == _STRING:
            return self.read_string()
        if kind == _ARRAY:
            return self._read_list(self.read_int("I"), self.read_int())
        return self.read_number(_SCALARS[kind])

    def _read_list(self, kind: int, count: int) -> list[object] | None:
        if count <= _MAX_LIST:
            return [self.read_value(kind) for _ in range(count)]
        if kind in _SCALARS:
            self._skip(struct.calcsize(f"<{_SCALARS[kind]}") * count)
        elif kind == _STRING:
            self._skip_strings(count)
        else:
            raise KeyError(kind)
        return None

    def _skip_strings(self, count: int) -> None:
        length_at, data, at = struct.Struct("<Q").unpack_from, self._data, self._at
        for _ in range(count):
            at += 8 + length_at(data, at)[0]
        self._at = at

    def _skip(self, length: int) -> None:
        self._at += length
        if self._at > self._limit:
            raise ValueError(length)
        if self._at > len(self._data):
            raise struct.error("the header ends early")

    def read_tensors(self, tensors: int, alignment: int) -> tuple[int, int]:
        """The minimum offset of the last tensor's data, and the total size of all tensors."""
        last = numbers = 0
        for _ in range(tensors):
            self.read_string()
            if (dimensions := self.read_int("I")) > _MAX_DIMENSIONS:
                raise ValueError(dimensions)
            numbers += math.prod(self.read_int() for _ in range(dimensions))
            self.read_int("I")
            last = max(last, self.read_int())
        return -(-self._at // alignment) * alignment + last, numbers


def read_model_file(path: Path) -> ModelFile:
    """Read the header of a GGUF file. Raises UnusableFile."""
    try:
        parts = _list_parts(path)
        sizes = [part.stat().st_size for part in parts]
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise UnusableFile("is not a GGUF file")
            fields, parameters = _read_header(file, sizes[0])
    except FileNotFoundError as error:
        raise UnusableFile(f"cannot be opened: there is no file {error.filename}") from error
    except OSError as error:
        raise UnusableFile(f"cannot be opened: {error.strerror}") from error
    except (struct.error, IndexError, KeyError, ValueError, OverflowError, MemoryError, RecursionError) as error:
        raise UnusableFile("is not a whole GGUF file: it is damaged, or its download has not finished") from error
    return _describe(parts, sum(sizes), fields, parameters if len(parts) == 1 else None)


def _read_header(file: BinaryIO, size: int) -> tuple[dict[str, object], int]:
    """The fields of a header, and the total size of the tensors in this file.

    The header is read, not mapped into memory: if the file became shorter meanwhile, for example because it is
    downloaded again, that would end this process.
    """
    length, limit = _FIRST_HEADER_BYTES, min(size, _MAX_HEADER_BYTES)
    while True:
        file.seek(0)
        data = file.read(length)
        try:
            return _read_fields(_Header(data, limit), size)
        except struct.error:  # the header is longer, or the file is damaged
            if len(data) < length or length >= limit:
                raise
        length = min(4 * length, limit)


def _list_parts(path: Path) -> list[Path]:
    """All files of a split model, in order."""
    found = _PART.search(path.name)
    if found is None:
        return [path]
    if int(found[1]) != 1:
        raise UnusableFile("is one part of a model; name the first part (…-00001-of-…)")
    names = (_PART.sub(f"-{part:05}-of-{found[2]}", path.name) for part in range(1, int(found[2]) + 1))
    return [path.with_name(name) for name in names]


def _read_fields(header: _Header, size: int) -> tuple[dict[str, object], int]:
    version = header.read_int("I")
    if version not in _VERSIONS:
        raise UnusableFile(f"is of GGUF version {version}; {' and '.join(map(str, _VERSIONS))} are supported")
    tensors, keys = header.read_int(), header.read_int()
    if keys > _MAX_KEYS or tensors > _MAX_TENSORS:
        raise ValueError(keys)
    fields: dict[str, object] = {}
    for _ in range(keys):
        key = header.read_string()
        fields[key] = header.read_value(header.read_int("I"))
    alignment = fields.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment < 1:
        raise ValueError(alignment)
    data_end, numbers = header.read_tensors(tensors, alignment)
    if data_end >= size:
        raise ValueError(data_end)
    return fields, numbers


def _describe(parts: Sequence[Path], size: int, fields: Mapping[str, object], parameters: int | None) -> ModelFile:
    architecture = fields.get("general.architecture")
    if fields.get("general.type", "model") != "model" or not isinstance(architecture, str):
        raise UnusableFile(f"holds no model of its own (general.type is {fields.get('general.type')})")
    if architecture == "clip":
        raise UnusableFile("holds only the vision part of a model")

    def find(name: str) -> object:
        return fields.get(f"{architecture}.{name}")

    window = find("context_length")
    return ModelFile(
        tuple(parts),
        size,
        architecture,
        window if isinstance(window, int) and window > 0 else None,
        _cache_bytes(
            _positive(find("block_count")),
            _positive(find("embedding_length")),
            find("attention.head_count"),
            find("attention.head_count_kv"),
            _positive(find("attention.key_length")),
            _positive(find("attention.value_length")),
        ),
        bool(find("pooling_type")) or bool(_ENCODERS.search(architecture)),
        parameters,
    )


def _cache_bytes(layers: int, width: int, heads: object, cached_heads: object, keys: int, values: int) -> int:
    """The bytes per token in the key-value cache; 0 if the header does not say."""
    per_layer = cast("list[object]", heads) if isinstance(heads, list) else [heads] * layers
    first = max(map(_positive, per_layer), default=0)
    if not first:
        return 0
    head = width // first
    cached = cast("list[object]", cached_heads) if isinstance(cached_heads, list) else [cached_heads] * layers
    total = sum(_positive(own) if own is not None else first for own in cached)
    return total * ((keys or head) + (values or head)) * _BYTES_PER_CACHED_NUMBER


def _positive(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
