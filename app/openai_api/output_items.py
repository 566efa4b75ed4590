"""The items of a response's output, with the events that build each in a stream.

The items are the model's reasoning, its messages and its function calls. The pieces of several calls may arrive in
turn, so an item stays open until it is closed, whatever is opened after it.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.providers.base import JsonObject

ItemKind = Literal["reasoning", "message", "function_call"]
TextKind = Literal["reasoning_text", "output_text", "refusal", "function_call_arguments"]

_PREFIXES: dict[ItemKind, str] = {"reasoning": "rs", "message": "msg", "function_call": "fc"}
# The field of a part, and of the event at its end, that holds the text; `text` for the other kinds.
_FIELDS: dict[TextKind, str] = {"refusal": "refusal", "function_call_arguments": "arguments"}
# The parts of messages, which have events for their beginning and end.
_ANNOUNCED = ("output_text", "refusal")


@dataclass(slots=True)
class TextPart:
    """A text of one kind in an item. `start` is its position in the answer, which may have several messages."""

    kind: TextKind
    index: int
    start: int
    pieces: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        """All of its text so far."""
        return "".join(self.pieces)

    @property
    def field_name(self) -> str:
        """The name of the field that holds its text."""
        return _FIELDS.get(self.kind, "text")


Annotate = Callable[[TextPart], Sequence[JsonObject]]
"""The annotations of a part, as far as they are known."""


@dataclass(slots=True)
class OutputItem:
    """One item: reasoning and function calls have one part, and a message has one or more."""

    kind: ItemKind
    index: int
    annotate: Annotate
    call_id: str = ""
    name: str = ""
    parts: list[TextPart] = field(default_factory=list[TextPart])
    status: Literal["in_progress", "completed", "incomplete"] = "in_progress"
    id: str = ""

    def __post_init__(self) -> None:
        self.id = f"{_PREFIXES[self.kind]}_{secrets.token_hex(12)}"

    @property
    def is_open(self) -> bool:
        """Whether more text may be added."""
        return self.status == "in_progress"

    def to_object(self) -> JsonObject:
        """The item as it appears in the output."""
        head: JsonObject = {"id": self.id, "type": self.kind, "status": self.status}
        match self.kind:
            case "reasoning":
                return {**head, "summary": [], "content": self._content()}
            case "message":
                return {**head, "role": "assistant", "content": self._content()}
            case "function_call":
                arguments = "".join(part.text for part in self.parts)
                return {**head, "call_id": self.call_id, "name": self.name, "arguments": arguments}

    def open(self) -> list[JsonObject]:
        """The event that adds the item to the output."""
        return [self._item_event("added")]

    def add_text(self, kind: TextKind, text: str, start: int = 0) -> list[JsonObject]:
        """The events of more text, which may be empty; text of another kind begins another part."""
        events: list[JsonObject] = []
        if not self.parts or self.parts[-1].kind != kind:
            events += self._end_part()
            self.parts.append(TextPart(kind, len(self.parts), start))
            events += self._part_event("added")
        part = self.parts[-1]
        part.pieces.append(text)
        return [*events, self._text_event(part, "delta", delta=text)] if text else events

    def close(self, status: Literal["completed", "incomplete"] = "completed") -> list[JsonObject]:
        """The events after its last text."""
        events = self._end_part()
        self.status = status
        return [*events, self._item_event("done")]

    def _content(self) -> list[JsonObject]:
        return [self._part_object(part) for part in self.parts]

    def _part_object(self, part: TextPart) -> JsonObject:
        found: JsonObject = {"type": part.kind, part.field_name: part.text}
        if part.kind == "output_text":
            return {**found, "annotations": self.annotate(part), "logprobs": []}
        return found

    def _end_part(self) -> list[JsonObject]:
        """The events after the last text of the last part, if there is one."""
        if not self.parts:
            return []
        part = self.parts[-1]
        annotated = [
            self._text_event(part, "annotation.added", annotation_index=at, annotation=annotation)
            for at, annotation in enumerate(self.annotate(part) if part.kind == "output_text" else ())
        ]
        done = self._text_event(part, "done", **{part.field_name: part.text})
        return [*annotated, done, *self._part_event("done")]

    def _part_event(self, what: str) -> list[JsonObject]:
        """The event for the beginning or end of the last part, if its kind has such events."""
        part = self.parts[-1]
        if part.kind not in _ANNOUNCED:
            return []
        return [self._event(f"content_part.{what}", part, part=self._part_object(part))]

    def _text_event(self, part: TextPart, what: str, /, **fields: object) -> JsonObject:
        if part.kind == "output_text" and what in ("delta", "done"):
            fields["logprobs"] = []
        return self._event(f"{part.kind}.{what}", part, **fields)

    def _event(self, kind: str, part: TextPart, /, **fields: object) -> JsonObject:
        place = {} if self.kind == "function_call" else {"content_index": part.index}
        return {"type": f"response.{kind}", "item_id": self.id, "output_index": self.index, **place, **fields}

    def _item_event(self, what: str) -> JsonObject:
        return {"type": f"response.output_item.{what}", "output_index": self.index, "item": self.to_object()}
