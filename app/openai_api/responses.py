"""Responses: an answer's chunks as server-sent events that end or say why not, or one JSON object."""

import json
from collections.abc import AsyncGenerator, Mapping

from starlette.types import Send

from app.openai_api.refusals import refusal
from app.providers.base import JsonObject

_DONE = b"data: [DONE]\n\n"


async def stream(first: JsonObject, rest: AsyncGenerator[JsonObject], headers: Mapping[str, str], send: Send) -> None:
    """Send `first` and what follows. What breaks off ends with an error event, and without `[DONE]`."""
    await _start(send, {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache", **headers})
    await _part(send, _event(first))
    try:
        async for chunk in rest:
            await _part(send, _event(chunk))
        end = _DONE
    except OSError:  # the client has gone
        raise
    except Exception as error:  # a wall too: the status is out, so the error goes where the answer would
        end = _event(refusal(error).body)
    await _part(send, end, more=False)


async def whole(answer: JsonObject, headers: Mapping[str, str], send: Send) -> None:
    """Send one completion."""
    body = _json(answer)
    await _start(send, {"content-type": "application/json", "content-length": str(len(body)), **headers})
    await _part(send, body, more=False)


async def _start(send: Send, headers: Mapping[str, str]) -> None:
    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": named})


async def _part(send: Send, body: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


def _event(data: JsonObject) -> bytes:
    return b"data: " + _json(data) + b"\n\n"


def _json(data: JsonObject) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a character, which has no bytes of its own, and travels as an escape
        return json.dumps(data, separators=(",", ":")).encode()
