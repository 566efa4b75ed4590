"""A chat request of the OpenAI API in, as its client sent it; the server's answer out, as it comes.

Nothing is added and nothing dropped. Only an end without `finish_reason`, and errors that come as data, are told apart.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import openai

from app import errors
from app.providers import base
from app.providers.openai import sse, wire
from app.providers.resilience.error_mapping import Wall

_PATH = "/chat/completions"


async def relayed(client: openai.AsyncOpenAI, wall: Wall, body: base.Json) -> AsyncGenerator[base.Json]:
    """One attempt: the chunks of a stream if `body` asks for one, else the whole completion."""
    if body.get("stream") is not True:
        with wall.translated():
            whole = await client.post(_PATH, cast_to=object, body=body)
        yield _answer(whole, wall)
        return
    with wall.translated():
        stream = await client.post(_PATH, cast_to=object, body=body, stream=True, stream_cls=openai.AsyncStream[object])
    try:
        await check(stream.response, wall)
        finish = None
        with wall.translated(reading=True):
            async with aclosing(sse.events(stream.response, wall)) as groups:
                async for group in groups:
                    for chunk in group:
                        fields = _answer(chunk, wall)
                        finish = wire.finish_in(fields) or finish
                        if finish == "error":
                            raise wall.broken_off()
                        yield fields
        if finish is None:
            raise wall.incomplete()
    finally:
        await stream.close()


async def check(response: wire.Response, wall: Wall) -> None:
    """Refuse a 200 that is no stream: a web page, or one JSON object that may hold an error."""
    content = response.headers.get("content-type", "")
    if "html" in content:
        raise wall.strange()
    if content.startswith("application/json"):
        with wall.translated(reading=True):
            await response.aread()
            body: object = response.json()
        error = cast("base.Json", body).get("error") if isinstance(body, dict) else None
        if error:
            raise wall.reported(error)
        raise errors.ModelRefused(f"{wall.where} does not stream its answers.")


def _answer(value: object, wall: Wall) -> base.Json:
    """A chunk or a completion. Raises for an error that comes with status 200, and for what is no object."""
    if not isinstance(value, dict):
        raise wall.strange()
    fields = cast("base.Json", value)
    if fields.get("error") and not fields.get("choices"):
        raise wall.reported(fields["error"])
    return fields
