"""A chat request for Ollama in; the frames of its answer, whole and in order, out."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import httpx

from app.providers import base
from app.providers.resilience.error_mapping import Wall

# More than any frame; what is longer is none, and would fill the memory.
_MOST_BYTES = 1 << 20


async def frames(http: httpx.AsyncClient, wall: Wall, body: base.Json) -> AsyncGenerator[base.Json]:
    """The frames of one answer; the last is `done`. Raises an AnswerError when there is none such."""
    with wall.translated():
        request = http.build_request("POST", "/api/chat", json=body)
        response = await http.send(request, stream=True)
    try:
        with wall.translated():
            if response.is_error:
                await response.aread()
                response.raise_for_status()
        if "html" in response.headers.get("content-type", ""):
            raise wall.strange()
        with wall.translated(reading=True):
            async with aclosing(_lines(response, wall)) as lines:
                async for line in lines:
                    frame = _checked(line, wall)
                    yield frame
                    if frame.get("done") is True:
                        return
        raise wall.incomplete()
    finally:
        await response.aclose()


def _checked(line: object, wall: Wall) -> base.Json:
    if not isinstance(line, dict):
        raise wall.incomplete()
    frame = cast("base.Json", line)
    if "error" in frame:
        raise wall.reported(frame["error"])
    if frame.get("done") is True and frame.get("done_reason") in {"load", "unload"}:
        raise wall.incomplete()
    return frame


async def _lines(response: httpx.Response, wall: Wall) -> AsyncGenerator[object]:
    """The JSON values of a stream, one a line. Only a line feed ends a line; httpx would also break at U+0085."""
    rest = bytearray()
    async for data in response.aiter_bytes():
        first, *others = data.split(b"\n")
        rest += first
        if others:
            for line in (rest, *others[:-1]):
                if line.strip():
                    yield json.loads(line)
            rest = bytearray(others[-1])
        if len(rest) > _MOST_BYTES:
            raise wall.strange()
    if rest.strip():
        yield json.loads(rest)
