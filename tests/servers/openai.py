"""A stand-in for an OpenAI server: scripted answers, vectors and faults, in shapes recorded from real servers."""

import json
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.servers.running import (
    Answer,
    Body,
    Break,
    Drip,
    Fault,
    Page,
    Refusal,
    StandIn,
    Thought,
    break_off,
    dripping,
    instead,
    refused,
    stalled,
    vector,
)

CHAT, EMBEDDINGS, MODELS = "/v1/chat/completions", "/v1/embeddings", "/v1/models"

_CRASHED = b'data: {"error": {"message": "the model crashed", "type": "server_error", "code": 500}}\n\n'
_GARBAGE = b'data: {"choices": [\xff\xfe\n\n'


class OpenAIServer(StandIn):
    """A server that speaks the OpenAI API.

    `models` are the entries of /v1/models; `refuses` names parameters that get a 400, as strict servers do;
    `max_input_words` is the longest text it embeds, `max_batch` the most texts at once, and `batch_status` the status
    for more; `norm` the length of its vectors (not all servers normalize); `finish` is the finish reason; `streams`
    False answers one JSON object to everything; `model_list` is a fault of /v1/models; `reads` how many tokens it says
    that it has read.
    """

    def __init__(
        self,
        answer: Answer | None = None,
        *,
        faults: Iterable[Fault] = (),
        byte_by_byte: bool = False,
        models: Sequence[Mapping[str, Any]] = ({"id": "chat", "object": "model", "owned_by": "stand-in"},),
        key: str | None = None,
        refuses: Mapping[str, str] | None = None,
        finish: str = "stop",
        streams: bool = True,
        dimensions: int = 16,
        max_input_words: int | None = None,
        max_batch: int | None = None,
        batch_status: int = 413,
        norm: float = 1.0,
        model_list: Fault = None,
        reads: Callable[[Body], int] | None = None,
    ) -> None:
        super().__init__(answer, faults, byte_by_byte)
        self.models, self.key, self.refuses, self.finish = models, key, refuses or {}, finish
        self.streams, self.dimensions, self.max_input_words, self.norm = streams, dimensions, max_input_words, norm
        self.max_batch, self.batch_status = max_batch, batch_status
        self.model_list = model_list
        self.reads = reads or _words

    @property
    def url(self) -> str:
        """The base URL, as OPENAI_BASE_URL."""
        return f"{self.root}/v1"

    @property
    def chats(self) -> list[Body]:
        """Bodies of the chat requests."""
        return self.bodies(CHAT)

    @property
    def embeddings(self) -> list[Body]:
        """Bodies of the embedding requests."""
        return self.bodies(EMBEDDINGS)

    def routes(self) -> list[Route]:
        return [
            Route(CHAT, self._chat, methods=["POST"]),
            Route(EMBEDDINGS, self._embed, methods=["POST"]),
            Route(MODELS, self._models),
        ]

    async def _models(self, request: Request) -> Response:
        await self.record(request)
        if isinstance(self.model_list, Refusal | Page):
            return refused(self.model_list)
        if isinstance(self.model_list, Break):
            await stalled(request)
        listed = json.dumps({"object": "list", "data": list(self.models)})
        return self._unauthorized(request) or Response(listed, media_type="application/json")

    async def _chat(self, request: Request) -> Response:
        body = await self.record(request)
        fault = self.fault(body)
        if (other := await instead(fault, request)) is not None:
            return other
        if denied := self._unauthorized(request):
            return denied
        for parameter, message in self.refuses.items():
            if parameter in body:
                return _error(400, message, "invalid_request_error", param=parameter)
        pieces = list(self.answer(body))
        if not self.streams or not body.get("stream"):
            text = "".join(piece for piece in pieces if isinstance(piece, str))
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": self.finish}
            return JSONResponse({"object": "chat.completion", "choices": [choice], "usage": self._usage(body, pieces)})
        frames = self._events(request, body, pieces, fault)
        return self.stream(request, dripping(frames) if isinstance(fault, Drip) else frames, "text/event-stream")

    async def _events(
        self, request: Request, body: Body, pieces: list[str | Thought], fault: Fault
    ) -> AsyncGenerator[bytes]:
        yield b": comments are part of the format\n\n"
        yield _event(body, choices=[_choice({"role": "assistant", "content": None})])
        for number, piece in enumerate([*pieces, ""]):
            if isinstance(fault, Break) and number == fault.after:
                await break_off(fault, request)
                yield {
                    "half": _event(body, choices=[_choice({"content": "never seen"})])[:40],
                    "error": _CRASHED,
                    "garbage": _GARBAGE,
                }.get(fault.how, b"")
                return
            if isinstance(piece, Thought):
                yield _event(body, choices=[_choice({"reasoning_content": piece.text})])
            elif piece:
                yield _event(body, choices=[_choice({"content": piece})])
        yield _event(body, choices=[_choice({}, self.finish)])
        options: Body = body.get("stream_options") or {}
        if options.get("include_usage"):
            yield _event(body, choices=[], usage=self._usage(body, pieces))
        yield b"data: [DONE]\n\n"

    async def _embed(self, request: Request) -> Response:
        body = await self.record(request)
        fault = self.fault(body)
        if (other := await instead(fault, request)) is not None:
            return other
        if denied := self._unauthorized(request):
            return denied
        texts: list[str] = [body["input"]] if isinstance(body["input"], str) else body["input"]
        if not texts or "" in texts:
            return _error(400, "'$.input' is invalid.", "invalid_request_error")
        if self.max_batch and len(texts) > self.max_batch:  # as Text Embeddings Inference does
            message = f"batch size {len(texts)} > maximum allowed batch size {self.max_batch}"
            return _error(self.batch_status, message, "Validation")
        if self.max_input_words and max(len(text.split()) for text in texts) > self.max_input_words:
            return _error(400, f"This model's maximum context length is {self.max_input_words} tokens.", "BadRequest")
        found = [[value * self.norm for value in vector(text, self.dimensions)] for text in texts]
        data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(found)]
        # In another order: the index is what counts.
        return JSONResponse({"object": "list", "data": data[::-1], "model": body["model"]})

    def _usage(self, body: Body, pieces: Sequence[str | Thought]) -> Mapping[str, int]:
        read = self.reads(body)
        return {"prompt_tokens": read, "completion_tokens": len(pieces), "total_tokens": read + len(pieces)}

    def _unauthorized(self, request: Request) -> Response | None:
        sent = request.headers.get("authorization", "")
        if self.key is None or sent == f"Bearer {self.key}":
            return None
        # As OpenAI does, with the key in the message.
        return _error(401, f"Incorrect API key provided: {sent.removeprefix('Bearer ')}.", "invalid_request_error")


def too_long(window: int) -> object:
    """The body of llama.cpp's 400."""
    message = f"request (9012 tokens) exceeds the available context size ({window} tokens), try increasing it"
    return {"error": {"code": 400, "message": message, "type": "exceed_context_size_error", "n_ctx": window}}


def _error(status: int, message: str, kind: str, **more: object) -> Response:
    return JSONResponse({"error": {"message": message, "type": kind, "code": None, **more}}, status)


def _words(body: Body) -> int:
    return sum(len(re.findall(r"\w+", message["content"])) for message in body["messages"])


def _choice(delta: Mapping[str, object], finish: str | None = None) -> Mapping[str, object]:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _event(body: Body, **fields: object) -> bytes:
    chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"], **fields}
    # Half a character travels as an escape: it has no bytes of its own.
    frame = re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", json.dumps(chunk, ensure_ascii=False))
    return f"data: {frame}\n\n".encode()
