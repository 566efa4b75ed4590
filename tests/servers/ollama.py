"""A stand-in for Ollama: scripted answers, vectors and faults, and its silent truncation.

Rules from Ollama 0.33: 4096 tokens of context unless told otherwise; a prompt that is too long loses its oldest
messages and, for models that Ollama renders itself, all but half the window, with status 200; with `truncate: false`
it is a 400, whose message is for most models the runner's JSON as a string. Embeddings likewise are cut or refused.
"""

import json
import re
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
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

CHAT, EMBED, SHOW, TAGS = "/api/chat", "/api/embed", "/api/show", "/api/tags"
DEFAULT_NUM_CTX = 4096
_CRASHED = b'{"error": "an error was encountered while running the model: unexpected EOF"}\n'
_GARBAGE = b'{"message": \xff\xfe\n'
_TOKEN = re.compile(r"\s?\w{1,6}|\s?[^\w\s]|\s+")


@dataclass(frozen=True)
class Model:
    """A model in Ollama. `rendered`: Ollama renders its prompt, not the runner."""

    family: str = "llama"
    context_length: int = 8192
    capabilities: Sequence[str] = ("completion", "tools")
    dimensions: int = 128
    rendered: bool = False
    parameters: Mapping[str, int] = field(default_factory=dict[str, int])


MODELS: Mapping[str, Model] = {
    "tiny": Model(),
    "small": Model(context_length=2048),
    "thinking": Model("gptoss", capabilities=("completion", "tools", "thinking"), rendered=True),
    "baked": Model(context_length=32_768, parameters={"num_ctx": 4096}),
    "minilm": Model("bert", 256, ("embedding",), 384),
}


class OllamaServer(StandIn):
    """An Ollama server with `models` pulled. `loads` are the models loaded with their windows, in order."""

    def __init__(
        self,
        answer: Answer | None = None,
        *,
        faults: Iterable[Fault] = (),
        byte_by_byte: bool = False,
        models: Mapping[str, Model] = MODELS,
        done_reason: str = "stop",
        listing: Fault = None,
    ) -> None:
        super().__init__(answer, faults, byte_by_byte)
        self.models, self.done_reason, self.listing = models, done_reason, listing
        self.showing: Refusal | None = None
        """What /api/show answers instead."""
        self.loads: list[tuple[str, int]] = []
        self.seen: list[list[Mapping[str, Any]]] = []
        """The messages that were left after truncation, one list per chat."""

    @property
    def chats(self) -> list[Body]:
        """Bodies of the chat requests."""
        return self.bodies(CHAT)

    @property
    def embeddings(self) -> list[Body]:
        """Bodies of the embedding requests."""
        return self.bodies(EMBED)

    def routes(self) -> list[Route]:
        return [
            Route("/", self._root),
            Route(TAGS, self._tags),
            Route(SHOW, self._show, methods=["POST"]),
            Route(CHAT, self._chat, methods=["POST"]),
            Route(EMBED, self._embed, methods=["POST"]),
        ]

    async def _root(self, request: Request) -> Response:
        return PlainTextResponse("Ollama is running")

    async def _tags(self, request: Request) -> Response:
        await self.record(request)
        if isinstance(self.listing, Refusal | Page):
            return refused(self.listing)
        if isinstance(self.listing, Break):
            await stalled(request)
        entries = [
            {
                "name": f"{name}:latest",
                "model": f"{name}:latest",
                "size": 5_574_944,
                "details": {"family": model.family},
            }
            for name, model in self.models.items()
        ]
        return JSONResponse({"models": entries})

    async def _show(self, request: Request) -> Response:
        body = await self.record(request)
        model = self._find(body)
        if self.showing is not None:
            return refused(self.showing)
        if model is None:
            return _error(404, f"model '{body.get('model')}' not found")
        info = {
            "general.architecture": model.family,
            f"{model.family}.context_length": model.context_length,
            f"{model.family}.embedding_length": model.dimensions,
        }
        return JSONResponse({"details": {}, "model_info": info, "capabilities": list(model.capabilities)})

    async def _chat(self, request: Request) -> Response:
        body = await self.record(request)
        fault = self.fault(body)
        if (other := await instead(fault, request)) is not None:
            return other
        model = self._find(body)
        if model is None:
            return _error(404, f"model '{body.get('model')}' not found")
        if "completion" not in model.capabilities:
            return _error(400, f'"{body["model"]}" does not support chat')
        if body.get("think") and "thinking" not in model.capabilities:
            return _error(400, f'"{body["model"]}" does not support thinking')
        window = self._load(body, model)
        truncate = body.get("truncate", True) is not False
        messages = _shortened(body["messages"], window) if truncate else body["messages"]
        count = tokens(messages)
        if model.rendered and truncate and count >= window:
            count = window - (window - 5) // 2
        elif count >= window:
            return _too_long(count, window)
        self.seen.append(messages)
        frames = self._frames(request, body, model, count, fault)
        return self.stream(request, dripping(frames) if isinstance(fault, Drip) else frames, "application/x-ndjson")

    async def _frames(
        self, request: Request, body: Body, model: Model, count: int, fault: Fault
    ) -> AsyncGenerator[bytes]:
        limit = body.get("options", {}).get("num_predict", -1)
        pieces = list(self.answer(body))
        sent = 0
        for number, piece in enumerate([*pieces, ""]):
            if isinstance(fault, Break) and number == fault.after:
                await break_off(fault, request)
                yield {
                    "half": _frame(body, {"content": "never seen"})[:40],
                    "error": _CRASHED,
                    "garbage": _GARBAGE,
                }.get(fault.how, b"")
                return
            if sent == limit and number < len(pieces):
                break
            if isinstance(piece, Thought):
                yield _frame(body, {"content": "", "thinking": piece.text})
            elif piece:
                yield _frame(body, {"content": piece})
            sent += 1
        reason = "length" if sent == limit else self.done_reason
        usage = {"prompt_eval_count": count, "eval_count": min(sent, len(pieces))}
        yield _frame(body, {"content": ""}, done=True, done_reason=reason, **usage)

    async def _embed(self, request: Request) -> Response:
        body = await self.record(request)
        fault = self.fault(body)
        if (other := await instead(fault, request)) is not None:
            return other
        model = self._find(body)
        if model is None:
            return _error(404, f"model '{body.get('model')}' not found")
        texts: list[str] = [body["input"]] if isinstance(body["input"], str) else body["input"]
        room = self._load(body, model) - 2
        if body.get("truncate") is False and any(len(_TOKEN.findall(text)) > room for text in texts):
            return _error(400, "the input length exceeds the context length")
        cut = ["".join(_TOKEN.findall(text)[:room]) for text in texts]
        return JSONResponse({"model": body["model"], "embeddings": [vector(text, model.dimensions) for text in cut]})

    def _find(self, body: Body) -> Model | None:
        return self.models.get(str(body.get("model", "")).removesuffix(":latest"))

    def _load(self, body: Body, model: Model) -> int:
        """The window the model runs with; a different one reloads the model."""
        options: Body = body.get("options") or {}
        wanted = options.get("num_ctx") or model.parameters.get("num_ctx") or DEFAULT_NUM_CTX
        load = (str(body["model"]), min(int(wanted), model.context_length))
        loaded = [known for known in self.loads if known[0] == load[0]]
        if not loaded or loaded[-1] != load:
            self.loads.append(load)
        return load[1]


def tokens(messages: Iterable[Mapping[str, Any]]) -> int:
    """The tokens of a rendered prompt, as this server counts them."""
    return sum(len(_TOKEN.findall(f"<|{message['role']}|>{message['content']}")) for message in messages)


def _shortened(messages: list[Mapping[str, Any]], window: int) -> list[Mapping[str, Any]]:
    """Drop the oldest non-system messages until the rest fits or only the last is left."""
    for start in range(len(messages)):
        kept = [message for message in messages[:start] if message["role"] == "system"] + messages[start:]
        if tokens(kept) <= window:
            return kept
    return [message for message in messages[:-1] if message["role"] == "system"] + messages[-1:]


def _too_long(count: int, window: int) -> Response:
    message = f"request ({count} tokens) exceeds the available context size ({window} tokens), try increasing it"
    runner = {"code": 400, "message": message, "type": "exceed_context_size_error", "n_ctx": window}
    return _error(400, json.dumps({"error": runner}))


def _error(status: int, message: str) -> Response:
    return JSONResponse({"error": message}, status)


def _frame(body: Body, message: Mapping[str, object], *, done: bool = False, **more: object) -> bytes:
    frame = {"model": body["model"], "message": {"role": "assistant", **message}, "done": done, **more}
    return json.dumps(frame, ensure_ascii=False).encode() + b"\n"
