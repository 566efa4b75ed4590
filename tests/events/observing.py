"""What tests of events share: the events that a server keeps, and a check against the schemas that are shipped."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, cast

from app.events.envelope import event_schemas
from tests import behind

Json = dict[str, Any]

SCHEMAS = event_schemas()


def kept_events(database_url: str) -> list[Json]:
    """The events that are in a test's database, in the order in which they were written."""
    rows = behind.fetch(database_url, "SELECT CAST(body AS TEXT) FROM outbox_events ORDER BY id")
    events = [json.loads(body) for (body,) in rows]
    check_events(events)
    return events


async def events_of(database_url: str, count: int) -> list[Json]:
    """The kept events, once there are so many."""
    await behind.wait_for_value(database_url, f"SELECT count(*) >= {count} FROM outbox_events")
    events = await asyncio.to_thread(kept_events, database_url)
    assert len(events) == count, [event["eventType"] for event in events]
    return events


def check_events(events: Sequence[Json]) -> None:
    """Each event is as its schema says, and has nothing besides."""
    for event in events:
        schema = SCHEMAS[event["eventType"]]
        problems = list(_problems(event, schema, schema, "event"))
        assert not problems, (problems, event)


def _problems(value: Any, schema: Json, root: Json, place: str) -> list[str]:
    if "$ref" in schema:
        referred: Json = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            referred = referred[step]
        return _problems(value, referred, root, place)
    if "anyOf" in schema:
        tried = [_problems(value, each, root, place) for each in schema["anyOf"]]
        return [] if [] in tried else tried[0]
    if "const" in schema:
        return [] if value == schema["const"] else [f"{place} is not {schema['const']}"]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{place} is not one of {schema['enum']}"]
    kinds: dict[str, Any] = {
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
        "null": type(None),
        "object": dict,
    }
    kind = kinds[schema["type"]]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return [f"{place} is no {schema['type']}"]
    if "minimum" in schema and cast("float", value) < schema["minimum"]:
        return [f"{place} is less than {schema['minimum']}"]
    return _problems_of_object(cast("Json", value), schema, root, place) if kind is dict else []


def _problems_of_object(value: Json, schema: Json, root: Json, place: str) -> list[str]:
    fields = schema["properties"]
    found = [f"{place} and its schema differ in {name}" for name in value.keys() ^ set(fields)]
    found += [f"{place}.{name} is not required" for name in fields if name not in schema["required"]]
    for name in value.keys() & fields.keys():
        found += _problems(value[name], fields[name], root, f"{place}.{name}")
    return found
