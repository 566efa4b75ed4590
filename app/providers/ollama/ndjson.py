"""Read the newline-delimited JSON frames of an Ollama answer."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import httpx

from app.providers import base, server_values
from app.providers.resilience.error_mapping import ErrorMapper

# Longer than any frame. More data is not a frame and would fill the memory.
_MAX_BYTES = 1 << 20


async def read_frames(
    http: httpx.AsyncClient, error_mapper: ErrorMapper, body: base.JsonObject
) -> AsyncGenerator[base.JsonObject]:
    """The frames of one answer, up to the one with `done`. Raises an AnswerError if that one is missing."""
    with error_mapper.translate_errors():
        request = http.build_request("POST", "/api/chat", json=body)
        response = await http.send(request, stream=True)
    try:
        with error_mapper.translate_errors():
            if response.is_error:
                await response.aread()
                response.raise_for_status()
        if "html" in response.headers.get("content-type", ""):
            raise error_mapper.unexpected_response()
        with error_mapper.translate_errors(reading=True):
            async with aclosing(_read_lines(response, error_mapper)) as lines:
                async for line in lines:
                    frame = _check_frame(line, error_mapper)
                    yield frame
                    if frame.get("done") is True:
                        return
        raise error_mapper.incomplete_answer()
    finally:
        await response.aclose()


def _check_frame(line: object, error_mapper: ErrorMapper) -> base.JsonObject:
    if not isinstance(line, dict):
        raise error_mapper.incomplete_answer()
    frame = cast("base.JsonObject", line)
    if frame.get("error") is not None:
        raise error_mapper.map_reported_error(frame["error"])
    if frame.get("done") is True and frame.get("done_reason") in {"load", "unload"}:
        raise error_mapper.incomplete_answer()
    return frame


async def _read_lines(response: httpx.Response, error_mapper: ErrorMapper) -> AsyncGenerator[object]:
    """The JSON values of a stream, one per line. Only line feeds end lines; httpx would also split at U+0085."""
    rest, begun = bytearray(), False
    async for data in response.aiter_bytes():
        first, *others = data.split(b"\n")
        rest += first
        if others:
            for line in (rest, *others[:-1]):
                if line.strip():
                    yield server_values.decode_json(line)
            rest, begun = bytearray(others[-1]), True
        if len(rest) > _MAX_BYTES:
            raise error_mapper.incomplete_answer() if begun else error_mapper.unexpected_response()
    if rest.strip():
        yield server_values.decode_json(rest)
