"""Relay a chat request to a server that speaks the OpenAI API, and relay its answer to the client.

Nothing is added or dropped. Only an end without `finish_reason`, a completion without an answer, and errors
sent as data become AnswerErrors.
"""

from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import aclosing, asynccontextmanager
from typing import cast

from app.providers import base, server_values
from app.providers.openai import sse, wire
from app.providers.openai.answer_reader import AnswerReader
from app.providers.openai.connection import OpenAIConnection
from app.providers.resilience.error_mapping import ErrorMapper


async def relay_request(
    connection: OpenAIConnection, model: str, body: base.JsonObject, adaptable: Collection[str]
) -> AsyncGenerator[base.JsonObject | None]:
    """One attempt: yields chunks if `body` requests a stream, else a completion. None: see `stream_with_retries`."""
    error_mapper = connection.error_mapper(model)
    response = await connection.send_chat(model, body, adaptable)
    try:
        if body.get("stream") is not True:
            completion = await _read_completion(response, error_mapper)
            if wire.is_failure(wire.find_finish_reason(completion)):
                raise error_mapper.failed_answer()
            yield completion
            return
        async with open_groups(response, error_mapper, sse.read_events) as groups:
            answer = AnswerReader(groups, error_mapper, connection)
            with error_mapper.translate_errors(reading=True):
                begun = False
                while (group := await answer.next_group()) is not None:
                    for chunk in group:
                        if isinstance(chunk, dict):
                            fields = cast("base.JsonObject", chunk)
                            if not wire.is_failure(wire.find_finish_reason(fields)):
                                yield fields
                            begun = True
                        elif not answer.is_complete:
                            raise error_mapper.incomplete_answer() if begun else error_mapper.unexpected_response()
                    if answer.is_complete:
                        yield None
    finally:
        await response.aclose()


@asynccontextmanager
async def open_groups(
    response: wire.Response, error_mapper: ErrorMapper, read_events: Callable[..., AsyncGenerator[list[object]]]
) -> AsyncGenerator[AsyncGenerator[list[object]]]:
    """The chunks of a streamed answer. If it is a single JSON object, that is its only chunk.

    Raises for a web page, and for a JSON object that is not an answer, such as an error.
    """
    _refuse_page(response, error_mapper)
    if response.headers.get("content-type", "").startswith("application/json"):
        groups = _make_group(wire.to_chunk(await _read_completion(response, error_mapper)))
    else:
        groups = read_events(response, error_mapper)
    async with aclosing(groups):
        yield groups


async def _make_group(chunk: base.JsonObject) -> AsyncGenerator[list[object]]:
    yield [chunk]


async def _read_completion(response: wire.Response, error_mapper: ErrorMapper) -> base.JsonObject:
    """A completion. Raises for one without an answer, and for an error sent with status 200."""
    _refuse_page(response, error_mapper)
    with error_mapper.translate_errors(reading=True):
        await response.aread()
        value = response.json()
    fields = server_values.read_fields(value)
    choices = fields.get("choices")
    if isinstance(choices, list) and choices and all(isinstance(one, dict) for one in cast("list[object]", choices)):
        return fields
    if error := wire.find_error(value):
        raise error_mapper.map_reported_error(error)
    raise error_mapper.incomplete_answer()


def _refuse_page(response: wire.Response, error_mapper: ErrorMapper) -> None:
    if "html" in response.headers.get("content-type", ""):
        raise error_mapper.unexpected_response()
