"""Send responses: the chunks of an answer as server-sent events, or one JSON object."""

from collections.abc import AsyncGenerator, Mapping

from starlette.types import Send

from app.http import strict_json
from app.openai_api.refusals import to_refusal
from app.providers.base import JsonObject

_DONE = b"data: [DONE]\n\n"


async def send_stream(
    first: JsonObject,
    rest: AsyncGenerator[JsonObject],
    headers: Mapping[str, str],
    send: Send,
    *,
    named_events: bool,
) -> None:
    """Send `first` and the rest. If the answer breaks off, the stream ends with an error event instead of `[DONE]`.

    Named events have their `type` as their name. Clients recognize the last one by it, so no `[DONE]` follows.
    """
    encode = _encode_named_event if named_events else _encode_event
    await _send_start(
        send, {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache", **headers}
    )
    await _send_part(send, encode(first))
    try:
        async for chunk in rest:
            await _send_part(send, encode(chunk))
        end = b"" if named_events else _DONE
    except OSError:  # the client is gone
        raise
    except Exception as error:  # the status has been sent, so the error becomes the last event
        end = _encode_event(to_refusal(error).body)
    await _send_part(send, end, more=False)


async def send_object(value: JsonObject, headers: Mapping[str, str], send: Send) -> None:
    """Send one JSON object, such as a completion."""
    body = strict_json.encode(value)
    await _send_start(send, {"content-type": "application/json", "content-length": str(len(body)), **headers})
    await _send_part(send, body, more=False)


async def _send_start(send: Send, headers: Mapping[str, str]) -> None:
    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": named})


async def _send_part(send: Send, body: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


def _encode_event(data: JsonObject) -> bytes:
    return b"data: " + strict_json.encode(data) + b"\n\n"


def _encode_named_event(data: JsonObject) -> bytes:
    return b"event: " + str(data["type"]).encode() + b"\n" + _encode_event(data)
