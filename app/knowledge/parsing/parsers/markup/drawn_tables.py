"""Find the tables of reStructuredText: grid tables, simple tables, and directives."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.knowledge.parsing.parsers.markup.rewriting import DrawnTable, find_line_end, is_inside

_START = re.compile(
    r"^[ \t]*+(?:(?P<grid>\+-++(?:\+-++)*+\+)|(?P<simple>=++(?:[ \t]++=++)++)"
    r"|\.\. (?P<kind>list-table|csv-table|table)::[^\n]*+)[ \t]*+$",
    re.MULTILINE,
)
_OPTION = re.compile(r"[ \t]+:([\w-]+):(.*)$")
_ITEM = re.compile(r"([ \t]*)(\*[ \t]+)?-(?:[ \t](.*))?$")
_MAX_LINES = 200_000
_MAX_COLUMNS = 200


def find_tables(text: str, code: Sequence[tuple[int, int]]) -> Iterator[DrawnTable]:
    """The tables of `text` outside code, in order; anything malformed is left unchanged."""
    reached = 0
    for start in _START.finditer(text):
        if start.start() < reached or is_inside(code, start.start()) or start["kind"] == "table":
            continue
        if start["grid"]:
            table = _read_grid(text, start.start())
        elif start["simple"]:
            table = _read_simple(text, start.start())
        else:
            table = _read_directive(text, start.start(), start.end(), is_list=start["kind"] == "list-table")
        if table is not None:
            reached = table.end
            yield table


def _lines(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Lines from `start` on, each with its end."""
    position = start
    for _ in range(_MAX_LINES):
        if position >= len(text):
            return
        end = find_line_end(text, position)
        yield text[position:end], end
        position = end + 1


def _read_grid(text: str, start: int) -> DrawnTable | None:
    lines: list[tuple[str, int]] = []
    for line, end in _lines(text, start):
        if not line.lstrip().startswith(("+", "|")):
            break
        lines.append((line, end))
    bounds = [index for index, character in enumerate(lines[0][0]) if character == "+"]
    if not 1 < len(bounds) <= _MAX_COLUMNS:
        return None
    rows, headers = list[list[str]](), list[list[str]]()
    row = [""] * (len(bounds) - 1)
    for line, _ in lines[1:]:
        ended = _find_borders(line, bounds)
        row = [f"{cell} {part}" for cell, part in zip(row, _cut(line, bounds, ended), strict=True)]
        if not ended:
            continue
        rows.append([cell.strip() for cell in row])
        row = ["" if index in ended else cell for index, cell in enumerate(row)]
        if "=" in line and not headers:
            headers, rows = rows, []
    return DrawnTable(start, lines[-1][1], headers, rows) if rows else None


def _find_borders(line: str, bounds: Sequence[int]) -> set[int]:
    """The columns whose cells end at this line; a cell that spans several rows continues."""
    parts = (line[start + 1 : end] for start, end in pairwise(bounds))
    return {index for index, part in enumerate(parts) if part and (set(part) == {"-"} or set(part) == {"="})}


def _cut(line: str, bounds: Sequence[int], borders: set[int]) -> list[str]:
    """The parts of a line between the bars at `bounds`; a cell across several columns counts for the first."""
    if borders:
        pairs = enumerate(pairwise(bounds))
        return ["" if index in borders else line[start + 1 : end].strip(" |+") for index, (start, end) in pairs]
    parts = [""] * (len(bounds) - 1)
    first = 0
    for index, (_, end) in enumerate(pairwise(bounds)):
        if line[end : end + 1] in {"|", "+", ""}:
            parts[first] = line[bounds[first] + 1 : end].strip()
            first = index + 1
    return parts


def _read_simple(text: str, start: int) -> DrawnTable | None:
    lines = _lines(text, start)
    border, _ = next(lines)
    columns = [match.span() for match in re.finditer("=+", border)]
    groups: list[list[list[str]]] = [[]]
    if len(columns) > _MAX_COLUMNS:
        return None
    for line, end in lines:
        if line.strip() == border.strip():
            groups.append([])
            if len(groups) == 3:
                return _simple_table(start, end, groups)
            continue
        if set(line.strip()) <= {"-", " "}:
            if not line.strip() and len(groups) == 2:  # the second border was the last
                return _simple_table(start, end - len(line) - 1, groups)
            continue
        cells = [line[begin:stop].strip() for begin, stop in columns[:-1]] + [line[columns[-1][0] :].strip()]
        if groups[-1] and not cells[0]:
            groups[-1][-1] = [f"{above} {cell}".strip() for above, cell in zip(groups[-1][-1], cells, strict=True)]
        else:
            groups[-1].append(["" if cell == "\\" else cell for cell in cells])  # an empty first cell
    return _simple_table(start, len(text), groups) if len(groups) == 2 else None


def _simple_table(start: int, end: int, groups: Sequence[list[list[str]]]) -> DrawnTable | None:
    headers, rows = (groups[0], groups[1]) if groups[1] else (list[list[str]](), groups[0])
    return DrawnTable(start, end, headers, rows) if rows else None


def _read_directive(text: str, start: int, head_end: int, *, is_list: bool) -> DrawnTable | None:
    options: dict[str, str] = {}
    content: list[str] = []
    end = head_end
    indent = len(text[start:head_end]) - len(text[start:head_end].lstrip())
    for line, line_end in _lines(text, head_end + 1):
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        option = _OPTION.match(line)
        if option and not content:
            options[option[1]] = option[2].strip()
        elif line.strip():
            content.append(line)
        if line.strip():
            end = line_end
    rows = _read_items(content) if is_list else _read_csv(content)
    named = options.get("header-rows", "0").strip()
    count = int(named) if named.isdecimal() and len(named) < 3 else 0
    headers = rows[:count] or (_read_csv([options["header"]]) if options.get("header") else [])
    return DrawnTable(start, end, headers, rows[count:]) if rows[count:] else None


def _read_items(lines: Sequence[str]) -> list[list[str]]:
    rows: list[list[str]] = []
    for line in lines:
        item = _ITEM.match(line)
        if item and item[2]:
            rows.append([(item[3] or "").strip()])
        elif item and rows:
            rows[-1].append((item[3] or "").strip())
        elif rows:
            rows[-1][-1] += f" {line.strip()}"
    return rows


def _read_csv(lines: Sequence[str]) -> list[list[str]]:
    try:
        return [row for row in csv.reader((line.strip() for line in lines), skipinitialspace=True) if row]
    except csv.Error:
        return []
