"""Translate the answer to a chat request into a response of the Responses API: one object, or a stream of events."""

import secrets
import time
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from itertools import count
from typing import cast

from app.http import strict_json
from app.openai_api.chat_answers import Replies, Routed
from app.openai_api.output_items import ItemKind, OutputItem, TextKind, TextPart
from app.openai_api.refusals import Refusal, to_refusal
from app.providers import base
from app.providers.base import JsonObject
from app.providers.openai import wire
from app.providers.server_values import read_count, read_fields
from app.statuses import FinishReason

# Fields of a request that its response repeats, with their values if the client sends none.
_REPEATED: JsonObject = {
    **dict.fromkeys(("instructions", "max_output_tokens", "temperature", "top_p", "user")),
    "metadata": {},
    "parallel_tool_calls": True,
    "reasoning": {"effort": None, "summary": None},
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
}
_INCOMPLETE = {FinishReason.LENGTH: "max_output_tokens", FinishReason.FILTER: "content_filter"}
_OUR_FIELDS = ("source_nodes", "citations", "notices", "budget")


async def to_response(replies: Replies, request: JsonObject) -> Replies:
    """The route, then the response: one object, or its events if the request streams.

    Raises what `replies` raises before its first chunk; an error that comes later becomes the last event.
    """
    async with aclosing(replies):
        routed = cast("Routed", await anext(replies))
        yield routed
        first = cast("JsonObject", await anext(replies))
        builder = _ResponseBuilder(request, first, cites=routed.route == "rag")
        if request.get("stream") is True:
            async with aclosing(_stream_events(builder, first, cast("AsyncGenerator[JsonObject]", replies))) as events:
                async for event in events:
                    yield event
        else:
            builder.add(first)
            _, response = builder.end()
            yield response
            async for _ in replies:  # until the end: an answer that is closed before that counts as cancelled
                pass


async def _stream_events(
    builder: "_ResponseBuilder", first: JsonObject, rest: AsyncGenerator[JsonObject]
) -> AsyncGenerator[JsonObject]:
    numbers = count()
    for event in [*builder.begin(), *builder.add(first)]:
        yield {**event, "sequence_number": next(numbers)}
    try:
        async for chunk in rest:
            for event in builder.add(chunk):
                yield {**event, "sequence_number": next(numbers)}
        events, response = builder.end()
    except Exception as error:  # the status has been sent, so the error becomes the last event
        events, response = [], builder.fail(to_refusal(error))
    for event in [*events, {"type": f"response.{response['status']}", "response": response}]:
        yield {**event, "sequence_number": next(numbers)}


class _ResponseBuilder:
    """Builds one response from the chunks of a chat answer, or from its one completion.

    Providers may send JSON of any shape; anything that is not recognized as part of an answer is left out.
    """

    def __init__(self, request: JsonObject, first: JsonObject, *, cites: bool) -> None:
        """`first` names the model. `cites`: the answer's `citations` are ours."""
        self._cites = cites
        repeated = {name: value if request.get(name) is None else request[name] for name, value in _REPEATED.items()}
        self._head: JsonObject = {
            "id": f"resp_{secrets.token_hex(12)}",
            "object": "response",
            "created_at": int(time.time()),
            "model": _text(first.get("model")) or _text(request.get("model")),
            "background": False,
            "previous_response_id": None,
            "store": False,
            "truncation": "disabled",
            **repeated,
        }
        self._items: list[OutputItem] = []
        self._calls: dict[int, OutputItem] = {}
        self._latest: OutputItem | None = None  # the item of the last piece
        self._length = 0  # of the answer so far
        self._finish = ""
        self._usage: JsonObject = {}
        self._ours: dict[str, object] = {}

    def begin(self) -> list[JsonObject]:
        """The first events."""
        response = self._response("in_progress")
        return [{"type": f"response.{kind}", "response": response} for kind in ("created", "in_progress")]

    def add(self, chunk: JsonObject) -> list[JsonObject]:
        """The events of one chunk, or of a completion."""
        self._usage = read_fields(chunk.get("usage")) or self._usage
        self._ours |= {ours: chunk[ours] for ours in _OUR_FIELDS if ours in chunk}
        self._finish = wire.find_finish_reason(chunk) or self._finish
        events: list[JsonObject] = []
        for piece in wire.read_chunks([chunk]):
            kind = _text_kind(piece)
            is_answer = kind != "reasoning_text"
            item, opened = self._current("message" if is_answer else "reasoning")
            events += [*opened, *item.add_text(kind, piece.text, self._length)]
            self._length += len(piece.text) if is_answer else 0
        choice = read_fields(next(iter(_list(chunk.get("choices"))), None))
        delta = read_fields(choice.get("delta") or choice.get("message"))
        for at, call in enumerate(map(read_fields, _list(delta.get("tool_calls")))):
            events += self._add_call(call, at)
        return events

    def _current(self, kind: ItemKind) -> tuple[OutputItem, list[JsonObject]]:
        """The item of this kind that more text belongs to, and the events that open it if it is new."""
        if self._items and self._items[-1].kind == kind:
            self._latest = self._items[-1]
            return self._items[-1], []
        return self._open(kind)

    def _open(self, kind: ItemKind, call_id: str = "", name: str = "") -> tuple[OutputItem, list[JsonObject]]:
        """A new item. Text before it is complete; calls are not, because their pieces may come in turn."""
        is_after_text = bool(self._items) and self._items[-1].kind != "function_call"
        closed = self._items[-1].close() if is_after_text else []
        item = self._latest = OutputItem(kind, len(self._items), self._annotations, call_id, name)
        self._items.append(item)
        return item, [*closed, *item.open()]

    def _add_call(self, call: JsonObject, at: int) -> list[JsonObject]:
        """The events of a function call, or of more of its arguments; `at` is its place if it has no index."""
        id, function, index = _text(call.get("id")), read_fields(call.get("function")), call.get("index")
        if not id and not function:
            return []
        index = index if isinstance(index, int) else at
        name, arguments = _text(function.get("name")), function.get("arguments")
        item, events = self._calls.get(index), []
        # Some servers send all calls under one index: ai-dynamo/dynamo#4723, su-kaka/gcli2api#406.
        if item is None or (name and id and id != item.call_id):
            item, events = self._open("function_call", id or f"call_{secrets.token_hex(12)}", name)
            self._calls[index] = item
        self._latest = item
        item.name = item.name or name
        if isinstance(arguments, dict):
            arguments = strict_json.encode(cast("JsonObject", arguments)).decode()
        return [*events, *item.add_text("function_call_arguments", _text(arguments))]

    def end(self) -> tuple[list[JsonObject], JsonObject]:
        """The events before the last one, and the whole response."""
        events: list[JsonObject] = []
        if not self._items:
            item, opened = self._open("message")
            events += [*opened, *item.add_text("output_text", "")]
        reason = _INCOMPLETE.get(wire.map_finish_reason(self._finish))
        status = "incomplete" if reason else "completed"
        for item in self._open_items():
            events += item.close(status if item is self._latest else "completed")
        return events, self._response(status, incomplete_details={"reason": reason} if reason else None)

    def fail(self, refusal: Refusal) -> JsonObject:
        """The response that breaks off here."""
        for item in self._open_items():
            item.status = "incomplete"
        return self._response("failed", error={"code": refusal.code, "message": refusal.message})

    def _open_items(self) -> list[OutputItem]:
        return [item for item in self._items if item.is_open]

    def _response(self, status: str, **fields: object) -> JsonObject:
        """The response so far."""
        output = [item.to_object() for item in self._items]
        usage = None if status == "in_progress" else _usage(self._usage)
        state = {"status": status, "error": None, "incomplete_details": None, "output": output, "usage": usage}
        return {**self._head, **state, **self._ours, **fields}

    def _annotations(self, part: TextPart) -> list[JsonObject]:
        """One for each marker in a text of the answer. `index` counts Unicode code points."""
        if not self._cites:
            return []
        found: dict[tuple[int, str], object] = {}
        places = range(len(part.text))
        for citation in map(read_fields, _list(self._ours.get("citations"))):
            for use in map(read_fields, _list(citation["uses"])):
                place = cast("list[int]", use["marker_span"])[0] - part.start
                if place in places:
                    found[place, str(citation["doc_id"])] = citation["title"]
        return [
            {"type": "file_citation", "file_id": document, "filename": title, "index": place}
            for (place, document), title in sorted(found.items(), key=lambda one: one[0])
        ]


def _text_kind(piece: base.TextDelta | base.ReasoningDelta) -> TextKind:
    match piece:
        case base.RefusalDelta():
            return "refusal"
        case base.TextDelta():
            return "output_text"
        case base.ReasoningDelta():
            return "reasoning_text"


def _usage(reported: JsonObject) -> JsonObject:
    read, written = _count(reported, "prompt_tokens"), _count(reported, "completion_tokens")
    of_read = read_fields(reported.get("prompt_tokens_details"))
    of_written = read_fields(reported.get("completion_tokens_details"))
    return {
        "input_tokens": read,
        "input_tokens_details": {name: _count(of_read, name) for name in ("cached_tokens", "cache_write_tokens")},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": _count(of_written, "reasoning_tokens")},
        "total_tokens": _count(reported, "total_tokens") or read + written,
    }


def _count(fields: JsonObject, name: str) -> int:
    return read_count(fields.get(name)) or 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> Iterable[object]:
    return cast("list[object]", value) if isinstance(value, list) else ()
