"""Encode large values as JSON in pieces, so that other tasks of the event loop can run in between.

The fast encoder keeps the interpreter to itself until it has encoded the whole value, so another thread would not help.
"""

from collections.abc import Generator
from typing import Any, cast

from app.http import strict_json
from app.http.shared_pace import SharedPace

# The weight of a piece: its characters, and more for each value. Encoding it takes a few milliseconds at most.
_MAX_WEIGHT = 50_000
_VALUE_WEIGHT = 20


class EncodedTooLarge(Exception):
    """The JSON of a value has too many bytes."""


async def encode_with_pauses(data: object, *, max_bytes: int | None = None) -> bytes:
    """The JSON of a value, in ASCII; others run while a large one is encoded. Raises EncodedTooLarge."""
    if _weigh(data, _MAX_WEIGHT) >= 0:
        return _encode(data)
    pieces: list[bytes] = []
    size, pace = 0, SharedPace()
    for piece in _encode_pieces(data):
        pieces.append(piece)
        size += len(piece)
        if max_bytes is not None and size > max_bytes:
            raise EncodedTooLarge
        await pace.let_others_run()
    return b"".join(pieces)


def _encode(data: object) -> bytes:
    return strict_json.encode(data, ascii_only=True)


def _encode_pieces(data: object) -> Generator[bytes]:
    if _weigh(data, _MAX_WEIGHT) >= 0:
        yield _encode(data)
    elif isinstance(data, str):
        yield b'"'
        for start in range(0, len(data), _MAX_WEIGHT):
            yield _encode(data[start : start + _MAX_WEIGHT])[1:-1]
        yield b'"'
    elif isinstance(data, dict):
        before = b"{"
        for key, value in cast("dict[str, Any]", data).items():
            yield before + _encode(key) + b":"
            yield from _encode_pieces(value)
            before = b","
        yield b"}"
    elif isinstance(data, list):
        before = b"["
        for value in cast("list[Any]", data):
            yield before
            yield from _encode_pieces(value)
            before = b","
        yield b"]"
    else:
        yield _encode(data)


def _weigh(data: object, left: int) -> int:
    """What is left of an allowance of weight after a value, negative if that is too heavy."""
    left -= _VALUE_WEIGHT
    if isinstance(data, str):
        return left - len(data)
    if isinstance(data, dict):
        for key, value in cast("dict[str, Any]", data).items():
            left = _weigh(value, left - len(key))
            if left < 0:
                break
    elif isinstance(data, list):
        for value in cast("list[Any]", data):
            left = _weigh(value, left)
            if left < 0:
                break
    return left
