"""Relay a chat request to a server that speaks the OpenAI API, and its answer to the client.

Nothing is added and nothing dropped. Only an end without `finish_reason` and errors sent as data become AnswerErrors.
"""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from typing import cast

import openai

from app import errors
from app.providers import base
from app.providers.openai import sse, wire
from app.providers.openai.answer_reader import AnswerReader
from app.providers.openai.connection import OpenAIConnection
from app.providers.resilience.error_mapping import ErrorMapper

_PATH = "/chat/completions"


async def relay_request(
    connection: OpenAIConnection, error_mapper: ErrorMapper, body: base.JsonObject
) -> AsyncGenerator[base.JsonObject | None]:
    """One attempt: the chunks if `body` asks for a stream, else the completion. None: see `stream_with_retries`."""
    client = connection.client
    if body.get("stream") is not True:
        with error_mapper.translate_errors():
            whole = await client.post(_PATH, cast_to=object, body=body)
        yield _check_answer(whole, error_mapper)
        return
    with error_mapper.translate_errors():
        stream = await client.post(_PATH, cast_to=object, body=body, stream=True, stream_cls=openai.AsyncStream[object])
    try:
        await check_is_stream(stream.response, error_mapper)
        async with aclosing(sse.read_events(stream.response, error_mapper)) as groups:
            answer = AnswerReader(groups, error_mapper, connection.limits.between_tokens)
            with error_mapper.translate_errors(reading=True):
                while (group := await answer.next_group()) is not None:
                    for chunk in _check_chunks(group, answer, error_mapper):
                        yield chunk
                    if answer.is_complete:
                        yield None
    finally:
        await stream.close()


def _check_chunks(
    group: Sequence[object], answer: AnswerReader, error_mapper: ErrorMapper
) -> Iterator[base.JsonObject]:
    """The chunks to pass on. Raises for anything but an object, unless the answer is complete without it."""
    for chunk in group:
        if isinstance(chunk, dict):
            fields = cast("base.JsonObject", chunk)
            if wire.find_finish_reason(fields) != "error":
                yield fields
        elif not answer.is_complete:
            raise error_mapper.unexpected_response()


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
