"""A response that streams in, its bytes cut anywhere; the JSON of its events out.

The `openai` client has the same and takes four times as long, which is most of what a token costs.
"""

import json
from collections.abc import AsyncGenerator, Iterable, Iterator
from typing import cast

import httpx2  # the HTTP library of the `openai` client

from app import errors
from app.providers import base
from app.providers.openai_wire import Response
from app.providers.wall import Wall

_DONE = b"[DONE]"


class EventLines:
    """Splits a stream of server-sent events; only their data is of interest."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The data of each event that `data` completes."""
        text = self._rest + data
        held = b""
        if b"\r" in text:
            held = b"\r" if text.endswith(b"\r") else b""  # its line feed may be on the way
            text = text.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = text.split(b"\n")
        self._rest = rest + held
        for line in lines:
            if line.startswith(b"data:"):
                self._data.append(line[5:].lstrip(b" "))
            elif not line and self._data:
                event, self._data = b"\n".join(self._data), []
                yield event


async def events(response: Response, wall: Wall) -> AsyncGenerator[list[object]]:
    """The events up to `[DONE]`, those together that came together; then the rest is read, so that the connection can
    be used again.

    Raises the AnswerError of an event that says that something broke, or of a connection that does.
    """
    lines, done = EventLines(), False
    try:
        async for data in response.aiter_bytes():
            group = list(lines.feed(data))
            if not done and group:
                done = any(event.startswith(_DONE) for event in group)
                for each in _read(group, wall):
                    yield each
    except httpx2.RequestError as error:
        raise wall.incomplete() from error
    if not done:
        # The last line end may have been a lone carriage return.
        for each in _read(list(lines.feed(b"\n")), wall):
            yield each


def _read(group: Iterable[bytes], wall: Wall) -> Iterator[list[object]]:
    """The values of events up to `[DONE]`, in one list; of a broken one those before it, and then its error."""
    values: list[object] = []
    for event in group:
        if event.startswith(_DONE):
            break
        try:
            values.append(_value(event, wall))
        except (ValueError, errors.AnswerError):
            yield values
            raise
    yield values


def _value(event: bytes, wall: Wall) -> object:
    value: object = json.loads(str(event, "utf-8"))
    error = cast("base.Json", value).get("error") if isinstance(value, dict) else None
    if error:
        raise wall.reported(error)
    return cast("object", value)
