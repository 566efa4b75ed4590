"""Translate the answer to a chat request into a response of the Responses API: one object, or events as they come."""

import secrets
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import count
from typing import Literal, cast

from app.openai_api.chat_answers import Replies, Routed
from app.openai_api.refusals import Refusal, to_refusal
from app.providers.base import JsonObject

# Fields of the request that its response repeats, with their values when the client sends none.
_REPEATED: JsonObject = {
    **dict.fromkeys(("instructions", "max_output_tokens", "temperature", "top_p", "user")),
    "metadata": {},
    "parallel_tool_calls": True,
    "reasoning": {"effort": None, "summary": None},
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
}
_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}
_OUR_FIELDS = ("source_nodes", "citations", "notices", "budget")
_PREFIXES = {"reasoning": "rs", "message": "msg", "function_call": "fc"}

_Kind = Literal["reasoning", "message", "function_call"]


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
            builder.add(first, "message")
            _, response = builder.end()
            yield response
            async for _ in replies:  # to the end: an answer that is closed before counts as cancelled
                pass


async def _stream_events(
    builder: "_ResponseBuilder", first: JsonObject, rest: AsyncGenerator[JsonObject]
) -> AsyncGenerator[JsonObject]:
    numbers = count()
    for event in [*builder.begin(), *builder.add(first, "delta")]:
        yield {**event, "sequence_number": next(numbers)}
    try:
        async for chunk in rest:
            for event in builder.add(chunk, "delta"):
                yield {**event, "sequence_number": next(numbers)}
        events, response = builder.end()
    except Exception as error:  # the status has been sent, so the error becomes the last event
        events, response = [], builder.fail(to_refusal(error))
    for event in [*events, {"type": f"response.{response['status']}", "response": response}]:
        yield {**event, "sequence_number": next(numbers)}


@dataclass(slots=True)
class _OutputItem:
    """One item of the output: the model's reasoning, its message, or a function call, whose text is its arguments."""

    kind: _Kind
    index: int
    call_id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list[str])
    id: str = ""

    def __post_init__(self) -> None:
        self.id = f"{_PREFIXES[self.kind]}_{secrets.token_hex(12)}"

    @property
    def text(self) -> str:
        """All of its text so far."""
        return "".join(self.pieces)

    def to_object(self, status: str, content: Sequence[JsonObject]) -> JsonObject:
        """The item, as it stands in the output."""
        head: JsonObject = {"id": self.id, "type": self.kind, "status": status}
        match self.kind:
            case "reasoning":
                return {**head, "summary": [], "content": content}
            case "message":
                return {**head, "role": "assistant", "content": content}
            case "function_call":
                return {**head, "call_id": self.call_id, "name": self.name, "arguments": self.text}

    def open(self) -> list[JsonObject]:
        """The events before its first text."""
        events = [self._item_event("added", "in_progress", [])]
        return [*events, self._event("content_part.added", part=_text_part("", []))] if self._has_parts else events

    def add(self, text: str) -> list[JsonObject]:
        """The event of some more text."""
        self.pieces.append(text)
        return [self._event(f"{self._text_event}.delta", delta=text, **self._logprobs)] if text else []

    def close(self, annotations: Sequence[JsonObject] = (), status: str = "completed") -> list[JsonObject]:
        """The events after its last text."""
        cited = [
            self._event("output_text.annotation.added", annotation_index=at, annotation=annotation)
            for at, annotation in enumerate(annotations)
        ]
        named = "arguments" if self.kind == "function_call" else "text"
        done = self._event(f"{self._text_event}.done", **{named: self.text}, **self._logprobs)
        content = self.content(annotations)
        ends = [self._event("content_part.done", part=content[0])] if self._has_parts else []
        return [*cited, done, *ends, self._item_event("done", status, content)]

    def content(self, annotations: Sequence[JsonObject]) -> list[JsonObject]:
        """The parts of a message or of reasoning."""
        return [
            _text_part(self.text, annotations) if self._has_parts else {"type": "reasoning_text", "text": self.text}
        ]

    @property
    def _has_parts(self) -> bool:
        return self.kind == "message"

    @property
    def _text_event(self) -> str:
        names = {"reasoning": "reasoning_text", "message": "output_text", "function_call": "function_call_arguments"}
        return names[self.kind]

    @property
    def _logprobs(self) -> JsonObject:
        return {"logprobs": []} if self._has_parts else {}

    def _event(self, kind: str, **fields: object) -> JsonObject:
        place = {} if self.kind == "function_call" else {"content_index": 0}
        return {"type": f"response.{kind}", "item_id": self.id, "output_index": self.index, **place, **fields}

    def _item_event(self, kind: str, status: str, content: Sequence[JsonObject]) -> JsonObject:
        item = self.to_object(status, content)
        return {"type": f"response.output_item.{kind}", "output_index": self.index, "item": item}


class _ResponseBuilder:
    """Builds one response from the chunks of a chat answer, or from its one completion.

    Providers may send JSON of any shape; what does not read as part of an answer is left out.
    """

    def __init__(self, request: JsonObject, first: JsonObject, *, cites: bool) -> None:
        """`first` names the model. `cites`: the answer's `citations` are ours."""
        self._cites = cites
        repeated = {name: value if request.get(name) is None else request[name] for name, value in _REPEATED.items()}
        self._head: JsonObject = {
            "id": f"resp_{secrets.token_hex(12)}",
            "object": "response",
            "created_at": int(time.time()),
            "model": first.get("model") or request.get("model"),
            "background": False,
            "previous_response_id": None,
            "store": False,
            "truncation": "disabled",
            **repeated,
        }
        self._items: list[_OutputItem] = []
        self._calls: dict[object, _OutputItem] = {}
        self._finish: object = None
        self._usage: JsonObject = {}
        self._ours: dict[str, object] = {}

    def begin(self) -> list[JsonObject]:
        """The first events."""
        response = self._response("in_progress")
        return [{"type": f"response.{kind}", "response": response} for kind in ("created", "in_progress")]

    def add(self, chunk: JsonObject, name: Literal["delta", "message"]) -> list[JsonObject]:
        """The events of one chunk, or of a completion, whose choice has its text under `name`."""
        self._usage = _fields(chunk.get("usage")) or self._usage
        self._ours |= {ours: chunk[ours] for ours in _OUR_FIELDS if ours in chunk}
        choice = _fields(next(iter(_list(chunk.get("choices"))), None))
        self._finish = choice.get("finish_reason") or self._finish
        added = _fields(choice.get(name))
        events: list[JsonObject] = []
        for kind, text in (
            ("reasoning", added.get("reasoning_content") or added.get("reasoning")),
            ("message", added.get("content") or added.get("refusal")),
        ):
            if isinstance(text, str) and text:
                item, opened = self._current(cast("_Kind", kind))
                events += [*opened, *item.add(text)]
        for at, call in enumerate(map(_fields, _list(added.get("tool_calls")))):
            events += self._add_call(call, at)
        return events

    def _current(self, kind: _Kind) -> tuple[_OutputItem, list[JsonObject]]:
        """The item of this kind that text goes on with, and the events that open it if it is new."""
        if self._items and self._items[-1].kind == kind:
            return self._items[-1], []
        return self._open(kind)

    def _open(self, kind: _Kind, call_id: str = "", name: str = "") -> tuple[_OutputItem, list[JsonObject]]:
        closed = self._items[-1].close() if self._items else []
        item = _OutputItem(kind, len(self._items), call_id, name)
        self._items.append(item)
        return item, [*closed, *item.open()]

    def _add_call(self, call: JsonObject, at: int) -> list[JsonObject]:
        index, function = call.get("index", at), _fields(call.get("function"))
        item, events = self._calls.get(index), []
        if item is None:
            item, events = self._open("function_call", str(call.get("id")), str(function.get("name")))
            self._calls[index] = item
        return [*events, *item.add(str(function.get("arguments") or ""))]

    def end(self) -> tuple[list[JsonObject], JsonObject]:
        """The events before the last one, and the whole response."""
        events = self._open("message")[1] if not self._items else []
        reason = _INCOMPLETE.get(str(self._finish))
        status = "incomplete" if reason else "completed"
        events += self._items[-1].close(self._annotations(self._items[-1]), status)
        return events, self._response(status, incomplete_details={"reason": reason} if reason else None)

    def fail(self, refusal: Refusal) -> JsonObject:
        """The response that breaks off here."""
        error = {"code": refusal.code, "message": refusal.message}
        return self._response("incomplete", status="failed", error=error)

    def _response(self, last: str, **fields: object) -> JsonObject:
        """The response so far; `last` is the state of its last item, and of itself."""
        states = ["completed"] * len(self._items[:-1]) + [last]
        output = [
            item.to_object(state, item.content(self._annotations(item)))
            for item, state in zip(self._items, states, strict=False)
        ]
        usage = None if last == "in_progress" else _usage(self._usage)
        state = {"status": last, "error": None, "incomplete_details": None, "output": output, "usage": usage}
        return {**self._head, **state, **self._ours, **fields}

    def _annotations(self, item: _OutputItem) -> list[JsonObject]:
        """One for each marker in the text. `index` counts Unicode code points."""
        if item.kind != "message" or not self._cites:
            return []
        found: dict[tuple[int, str], object] = {}
        for citation in map(_fields, _list(self._ours.get("citations"))):
            for use in map(_fields, _list(citation["uses"])):
                start, _ = cast("list[int]", use["marker_span"])
                found[start, str(citation["doc_id"])] = citation["title"]
        return [
            {"type": "file_citation", "file_id": document, "filename": title, "index": start}
            for (start, document), title in sorted(found.items(), key=lambda one: one[0])
        ]


def _text_part(text: str, annotations: Sequence[JsonObject]) -> JsonObject:
    return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}


def _usage(reported: JsonObject) -> JsonObject:
    read, written = reported.get("prompt_tokens") or 0, reported.get("completion_tokens") or 0
    cached = _fields(reported.get("prompt_tokens_details")).get("cached_tokens") or 0
    reasoning = _fields(reported.get("completion_tokens_details")).get("reasoning_tokens") or 0
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": reasoning},
        "total_tokens": reported.get("total_tokens") or 0,
    }


def _fields(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _list(value: object) -> Iterable[object]:
    return cast("list[object]", value) if isinstance(value, list) else ()
