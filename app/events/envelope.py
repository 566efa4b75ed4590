"""The envelope that every event goes out in, and the JSON schema of each."""

import json
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.alias_generators import to_camel

from app.events.payloads import PAYLOADS, EventPayload

SOURCE, VERSION = "footnote", "1.0"
"""The sender of events, and the version of their format: its first number changes when consumers have to change."""


class EventEnvelope(BaseModel):
    """The fields of every event."""

    model_config = ConfigDict(alias_generator=to_camel)

    event_type: str
    event_id: UUID = Field(description="The same if an event is delivered again: consumers use it to tell.")
    timestamp: datetime = Field(description="When it happened, in UTC.")
    correlation_id: str = Field(
        description="The same in all events about one answer (its id, or the id of the request at the OpenAI API) "
        "or one document."
    )
    source: Literal["footnote"]
    version: Literal["1.0"]
    payload: EventPayload


def build_envelope(
    payload: EventPayload, event_id: str, timestamp: datetime, correlation_id: str, *, with_texts: bool
) -> dict[str, Any]:
    """An event as JSON, ready to be sent."""
    return {
        "eventType": payload.event_type,
        "eventId": str(UUID(event_id)),
        "timestamp": timestamp.isoformat(),
        "correlationId": correlation_id,
        "source": SOURCE,
        "version": VERSION,
        "payload": payload.render(with_texts=with_texts),
    }


def encode_event(event: dict[str, Any]) -> bytes:
    """An event as it is sent. It never fails: one that cannot be sent would hold up all others.

    Events that earlier versions wrote may have half of a character in them, which becomes a question mark.
    """
    return json.dumps(event, ensure_ascii=False).encode("utf-8", "replace")


def event_schemas() -> dict[str, dict[str, Any]]:
    """The JSON schema of each type of event, by its name."""
    return {payload.event_type: _build_schema(payload) for payload in PAYLOADS}


def _build_schema(payload: type[EventPayload]) -> dict[str, Any]:
    fields: dict[str, Any] = {"event_type": (Literal[payload.event_type], ...), "payload": (payload, ...)}
    event = cast("type[BaseModel]", create_model(f"{payload.__name__}Event", __base__=EventEnvelope, **fields))
    schema = event.model_json_schema(mode="serialization")
    draft = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return draft | schema | {"description": payload.__doc__}
