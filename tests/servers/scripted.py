"""A model server of the OpenAI API whose responses are written byte by byte."""

import json
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tests.servers.openai import CHAT, OpenAIServer
from tests.servers.running import Break, How, break_off

DONE = b"data: [DONE]\n\n"
EVENTS, JSON = "text/event-stream", "application/json"


def chunk(delta: Mapping[str, object], finish: str | None = None, **fields: Any) -> bytes:
    """The event of one chunk."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "chat"}
    return event({**head, "choices": [choice], **fields})


def say(text: str, finish: str | None = None) -> bytes:
    """The event of a chunk with text."""
    return chunk({"content": text}, finish)


def event(value: object) -> bytes:
    """One event."""
    return b"data: %s\n\n" % json.dumps(value).encode()


STOP = chunk({}, "stop")
USAGE = event({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}})


class ScriptedServer(OpenAIServer):
    """Answers each chat request with these pieces of a body; then the connection ends as `then` says."""

    def __init__(self, *body: bytes, then: How = "end", media_type: str = EVENTS, status: int = 200) -> None:
        super().__init__()
        self._body, self._media_type, self._status = body, media_type, status
        self._then: How = then

    def routes(self) -> list[Route]:
        return [
            Route(CHAT, self._scripted, methods=["POST"]),
            *(route for route in super().routes() if route.path != CHAT),
        ]

    async def _scripted(self, request: Request) -> Response:
        await self.record(request)
        return StreamingResponse(self._pieces(request), self._status, media_type=self._media_type)

    async def _pieces(self, request: Request) -> AsyncGenerator[bytes]:
        for piece in self._body:
            yield piece
        await break_off(Break(self._then), request)
