"""Relay a chat request to a server that speaks the OpenAI API, and its answer to the client.

Nothing is added and nothing dropped. Only an end without `finish_reason` and errors sent as data become AnswerErrors.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import openai

from app import errors
from app.providers import base
from app.providers.openai import sse, wire
from app.providers.resilience.error_mapping import ErrorMapper

_PATH = "/chat/completions"


async def relay_request(
    client: openai.AsyncOpenAI, error_mapper: ErrorMapper, body: base.JsonObject
) -> AsyncGenerator[base.JsonObject]:
    """One attempt: the chunks if `body` asks for a stream, else the completion."""
    if body.get("stream") is not True:
        with error_mapper.translate_errors():
            whole = await client.post(_PATH, cast_to=object, body=body)
        yield _check_answer(whole, error_mapper)
        return
    with error_mapper.translate_errors():
        stream = await client.post(_PATH, cast_to=object, body=body, stream=True, stream_cls=openai.AsyncStream[object])
    try:
        await check_is_stream(stream.response, error_mapper)
        finish = None
        with error_mapper.translate_errors(reading=True):
            async with aclosing(sse.read_events(stream.response, error_mapper)) as groups:
                async for group in groups:
                    for chunk in group:
                        fields = _check_answer(chunk, error_mapper)
                        finish = wire.find_finish_reason(fields) or finish
                        if finish == "error":
                            raise error_mapper.failed_answer()
                        yield fields
        if finish is None:
            raise error_mapper.incomplete_answer()
    finally:
        await stream.close()


async def check_is_stream(response: wire.Response, error_mapper: ErrorMapper) -> None:
    """Raise for a 200 that is not a stream: a web page, or a JSON object, which may hold an error."""
    content = response.headers.get("content-type", "")
    if "html" in content:
        raise error_mapper.unexpected_response()
    if content.startswith("application/json"):
        with error_mapper.translate_errors(reading=True):
            await response.aread()
            body: object = response.json()
        error = cast("base.JsonObject", body).get("error") if isinstance(body, dict) else None
        if error:
            raise error_mapper.map_reported_error(error)
        raise errors.ModelRefused(f"{error_mapper.label} does not stream its answers.")


def _check_answer(value: object, error_mapper: ErrorMapper) -> base.JsonObject:
    """A chunk or a completion. Raises for an error sent with status 200, and for anything but an object."""
    if not isinstance(value, dict):
        raise error_mapper.unexpected_response()
    fields = cast("base.JsonObject", value)
    if fields.get("error") and not fields.get("choices"):
        raise error_mapper.map_reported_error(fields["error"])
    return fields
