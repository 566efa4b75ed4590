"""Parse JSON and JSON Lines: each record becomes a readable line with the names of its values."""

import json
from collections.abc import Iterable, Iterator
from typing import cast

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import tables
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.table_grid import Row
from app.knowledge.parsing.parsers.text_writer import TextWriter

_MAX_DEPTH = 100
_LONGEST_LIST = 50  # plain values in one cell


def parse_json(data: bytes, declared: str | None, limits: ParsingLimits) -> ParsedDocument:
    """Parse JSON; text that is not JSON is kept unchanged, line by line."""
    text = plain.normalize_data(plain.decode_text(data, declared), limits)
    writer = TextWriter(limits)
    try:
        _write_value(writer, _read_value(text))
    except (ValueError, RecursionError):
        writer = TextWriter(limits)
        if not _write_lines(writer, text):
            return plain.read_lines(text, Format.JSON.media_type)
    document = writer.to_document(Format.JSON.media_type, None) if plain.has_text(writer.text) else None
    return document or plain.read_lines(text, Format.JSON.media_type)


def _read_value(text: str) -> object:
    """Parse a JSON value; numbers keep their spelling. Raises ValueError and RecursionError."""
    return json.loads(text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_read_object)


def _read_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object. The values of a repeated name become a list; most JSON parsers would keep only the last."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    values: dict[str, list[object]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: each if len(each) > 1 else each[0] for name, each in values.items()}


def _write_lines(writer: TextWriter, text: str) -> bool:
    """Write JSON Lines; returns False if it is something else. Damaged lines are kept unchanged."""
    rows: list[Row] = []
    records = damaged = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = _read_value(line)
            records += isinstance(value, dict | list)
        except (ValueError, RecursionError):
            value = line.strip()
            damaged += 1
        rows.append(_to_row(value, number))
    if damaged and damaged >= records:
        return False
    _write_records(writer, rows, "line")
    return bool(rows)


def _write_value(writer: TextWriter, value: object) -> None:
    """Write a value. List items and the values of an object of objects are records; lists in objects get headings."""
    if isinstance(value, list):
        items = cast("list[object]", value)
        _write_records(writer, (_to_row(item, number) for number, item in enumerate(items, 1)), "record")
        return
    if not isinstance(value, dict):
        _write_records(writer, [_to_row(value, 1)], "record")
        return
    entries = cast("dict[str, object]", value)
    if entries and all(isinstance(entry, dict) for entry in entries.values()):
        named = ({"": name, **cast("dict[str, object]", entry)} for name, entry in entries.items())
        _write_records(writer, (_to_row(entry, number) for number, entry in enumerate(named, 1)), "record")
        return
    lists = {name: entry for name, entry in entries.items() if _is_records(entry)}
    rest = {name: entry for name, entry in entries.items() if name not in lists}
    for name, entry in rest.items():  # one line each: a single object is a list of names and values
        for row in _split_object(name, entry):
            writer.write_rows(tables.NO_HEADER, [row])
    for name, entry in lists.items():
        writer.write_heading(plain.clean_text(name), 1, is_part=True)
        records = cast("list[object]", entry)
        _write_records(writer, (_to_row(item, number) for number, item in enumerate(records, 1)), "record")


def _split_object(name: str, value: object) -> Iterator[Row]:
    for cell in _to_cells(value, name):
        yield Row([cell])


def _is_records(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in cast("list[object]", value))


def _write_records(writer: TextWriter, rows: Iterable[Row], unit: str) -> None:
    writer.begin_paragraph()
    writer.write_rows(tables.NO_HEADER, rows, unit)
    writer.begin_paragraph()


def _to_row(value: object, number: int) -> Row:
    cells = _to_cells(value, "")
    return Row(cells if len(cells) != 2 else [*cells, ""], number=number)


def _to_cells(value: object, name: str) -> list[str]:
    """The cleaned values inside `value` with their names: escapes may encode invalid text, like lone surrogates."""
    return [plain.clean_text(f"{path}: {text}" if path else text) for path, text in _flatten(value, name)]


def _flatten(value: object, path: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The values inside `value` with their paths: "address.city", or "items 1.price" for the first item of a list."""
    if isinstance(value, dict) and depth < _MAX_DEPTH:
        for name, inner in cast("dict[str, object]", value).items():
            yield from _flatten(inner, f"{path}.{name}" if path and name else path or name, depth + 1)
    elif isinstance(value, list) and depth < _MAX_DEPTH:
        items = cast("list[object]", value)
        if len(items) <= _LONGEST_LIST and not any(isinstance(item, dict | list) for item in items):
            yield path, ", ".join(filter(None, map(_write_scalar, items)))
        else:
            for number, inner in enumerate(items, 1):
                # Not "items[1]": programmers would count it from 0, and it would look like a citation.
                yield from _flatten(inner, f"{path} {number}".lstrip(), depth + 1)
    else:
        yield path, _write_scalar(cast("object", value))


def _write_scalar(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)
