"""Read server-sent events from a streamed response.

The `openai` client takes four times as long, which would be most of the cost of a token.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing, suppress

import httpx2  # the HTTP library of the `openai` client
from pydantic_core import from_json  # twice as fast as `json`

from app import errors
from app.providers import server_values
from app.providers.openai import transport, wire
from app.providers.openai.repeated_events import RepeatedEvents
from app.providers.resilience.error_mapping import ErrorMapper

_DONE = b"[DONE]"
_FIELD, _END = b"data: ", b"\n\n"
# A stream may begin with this; it is ignored.
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# How long to wait for the end of the response after `[DONE]`; some servers keep the connection open.
_REST_SECONDS = 0.5
# More than any event of a text answer, and more than any event at all (pictures and sound). Longer data is not an
# event and would fill the memory.
_MAX_TEXT_BYTES = 1 << 20
_MAX_BYTES = 16 << 20


class EventStreamParser:
    """Splits a byte stream into the data of server-sent events. An event named `error` gets an `error` field."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._data: list[bytes] = []
        self._is_first_line = True
        self._is_error = False
        self._return_waits = False  # a line feed may follow the last carriage return
        self.pending_bytes = 0
        """The bytes of an incomplete event."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The data of each event that `data` completes."""
        if events := self._split_whole_events(data):
            yield from events
            return
        self._rest.append(data)
        self.pending_bytes += len(data)
        if not (b"\n" in data or b"\r" in data or self._return_waits):
            return  # a long line is joined once, not again with each of its pieces
        text = b"".join(self._rest)
        held = b""
        if b"\r" in text:
            held = b"\r" if text.endswith(b"\r") else b""
            text = text.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = text.split(b"\n")
        if lines and self._is_first_line:
            lines[0], self._is_first_line = lines[0].removeprefix(_BYTE_ORDER_MARK), False
        self._rest, self._return_waits = [rest + held], bool(held)
        for line in lines:
            if (event := self._read_line(line)) is not None:
                self.pending_bytes = len(rest)
                yield event
        if not self._data:
            self.pending_bytes = len(rest)

    def _read_line(self, line: bytes) -> bytes | None:
        """The data of the event that this line completes, if it does."""
        if line.startswith(b"data:"):
            self._data.append(line[5:].lstrip(b" "))
        elif line.startswith(b"event:"):
            self._is_error = line[6:].strip() == b"error"
        elif not line:
            is_error, self._is_error = self._is_error, False
            if self._data:
                event, self._data = b"\n".join(self._data), []
                return _make_error(event) if is_error else event
        return None

    def _split_whole_events(self, data: bytes) -> list[bytes] | None:
        """The data of complete events with one line each, the usual case; None for anything else."""
        if (
            self.pending_bytes
            or self._data
            or self._return_waits
            or self._is_error
            or not (data.startswith(_FIELD) and data.endswith(_END))
        ):
            return None
        events = data[len(_FIELD) : -len(_END)].split(_END + _FIELD)
        plain = data.count(b"\n") == len(_END) * len(events) and b"\r" not in data and b"" not in events
        return events if plain else None


def _make_error(data: bytes) -> bytes:
    """Wrap the data of an `error` event in an object with the field `error`."""
    try:
        value: object = server_values.decode_json(data)
    except ValueError:
        value = str(data, "utf-8", "replace")
    return json.dumps(value if server_values.read_fields(value).get("error") else {"error": value}).encode()


async def read_events(
    response: wire.Response,
    error_mapper: ErrorMapper,
    max_bytes: int = _MAX_BYTES,
    repeated: RepeatedEvents | None = None,
) -> AsyncGenerator[list[object]]:
    """The events up to `[DONE]`, grouped by arrival. The rest is read, too, so that the connection can be reused.

    With `repeated`, events that differ only in their text may be joined. Raises an AnswerError for an event that
    reports an error or exceeds `max_bytes`, and if the connection breaks.
    """
    lines, begun = EventStreamParser(), False
    async with aclosing(transport.read_stream(response)) as pieces:
        try:
            async for data in pieces:
                if repeated and not lines.pending_bytes and (joined := repeated.join_events(data)) is not None:
                    yield [joined]
                    continue
                if group := list(lines.feed(data)):
                    begun = True
                    for values in _parse_events(group, error_mapper):
                        yield values
                        if repeated and values:
                            repeated.learn(group[len(values) - 1], values[-1])
                    if any(map(_is_done, group)):
                        await _drain_response(pieces)
                        return
                if lines.pending_bytes > max_bytes:
                    raise error_mapper.incomplete_answer() if begun else error_mapper.unexpected_response()
        except httpx2.RequestError as error:
            raise error_mapper.incomplete_answer() from error
    # The last line end may have been a lone carriage return.
    for values in _parse_events(list(lines.feed(b"\n")), error_mapper):
        yield values


def read_text_events(response: wire.Response, error_mapper: ErrorMapper) -> AsyncGenerator[list[object]]:
    """The events of a text answer, all of them short; events that differ only in their text may be joined."""
    return read_events(response, error_mapper, _MAX_TEXT_BYTES, RepeatedEvents())


async def _drain_response(pieces: AsyncGenerator[bytes]) -> None:
    with suppress(TimeoutError, httpx2.RequestError):
        async with asyncio.timeout(_REST_SECONDS):
            async for _ in pieces:
                pass


def _parse_events(group: Iterable[bytes], error_mapper: ErrorMapper) -> Iterator[list[object]]:
    """Parse events up to `[DONE]` into one list. The values before a broken event are yielded before it raises."""
    values: list[object] = []
    for event in group:
        if _is_done(event):
            break
        try:
            values.append(_parse_event(event, error_mapper))
        except (ValueError, errors.AnswerError):
            yield values
            raise
    yield values


def _is_done(event: bytes) -> bool:
    """Whether an event is the end marker, which some servers follow with white space."""
    return event.startswith(_DONE)


def _parse_event(event: bytes, error_mapper: ErrorMapper) -> object:
    try:
        value: object = from_json(event)
    except ValueError:  # only Python's parser accepts lone surrogates, which some servers send
        value = server_values.decode_json(str(event, "utf-8"))
    if error := wire.find_error(value):
        raise error_mapper.map_reported_error(error)
    return value
