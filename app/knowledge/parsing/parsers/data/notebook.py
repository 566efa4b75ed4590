"""Parse Jupyter notebooks: the text and code of their cells, with the code's output and errors."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from app.errors import DocumentError
from app.knowledge.parsed_documents import Heading, ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.markup import markdown
from app.knowledge.parsing.parsers.parts import PartJoiner
from app.knowledge.parsing.parsers.web import html

_LONGEST_OUTPUT = 2_000
_LONGEST_PAGE = 100_000
_MAX_CELLS = 100_000

_Object = Mapping[str, object]


def parse_notebook(data: bytes, declared: str | None, limits: ParsingLimits) -> ParsedDocument:
    """Parse a notebook. Cells count from 1; the title is the first level-1 heading."""
    try:
        notebook = json.loads(plain.decode_text(data, declared))
    except (ValueError, RecursionError) as error:
        raise refusals.damaged_file(Format.IPYNB.noun) from error
    cells = _list_cells(notebook)
    if cells is None:
        raise refusals.damaged_file(Format.IPYNB.noun)
    if len(cells) > _MAX_CELLS:
        raise refusals.too_many("cells", _MAX_CELLS)
    joiner = PartJoiner(limits)
    titles: list[Heading] = []
    for number, cell in enumerate(cells, 1):
        document = _read_cell(cell, joiner.limits)
        if document is not None:
            titles += [heading for heading in document.headings if heading.level == 1][: not titles]
            joiner.add_part(document, place=("cell", number))
    return joiner.to_document(Format.IPYNB.media_type, plain.clean_title(titles[0].text) if titles else None)


def _list_cells(notebook: object) -> list[_Object] | None:
    """The cells of any version of the format."""
    if not isinstance(notebook, dict):
        return None
    found = cast(_Object, notebook).get("cells")
    if found is None:  # version 3
        sheets = cast(_Object, notebook).get("worksheets")
        first = cast("list[object]", sheets)[0] if isinstance(sheets, list) and sheets else None
        found = cast(_Object, first).get("cells") if isinstance(first, dict) else None
    if not isinstance(found, list):
        return None
    return [cast(_Object, cell) for cell in cast("list[object]", found) if isinstance(cell, dict)]


def _read_cell(cell: _Object, limits: ParsingLimits) -> ParsedDocument | None:
    source = _join(cell.get("source", cell.get("input")))
    if cell.get("cell_type") in {"markdown", "heading"}:
        try:
            return markdown.parse_markdown(source.encode("utf-8", "replace"), "utf-8", limits)
        except DocumentError as error:
            if error.reason != "EMPTY":
                raise
            return None
    outputs = cell.get("outputs")
    listed = cast("list[object]", outputs) if isinstance(outputs, list) else []
    shown = [_read_output(output, limits) for output in listed]
    text = plain.clean_text("\n\n".join(part.strip("\n") for part in (source, *shown) if part.strip()))
    return ParsedDocument(text, Format.TEXT.media_type, line_spans=((0, len(text)),)) if text.strip() else None


def _read_output(output: object, limits: ParsingLimits) -> str:
    """What a cell printed or returned, or its error, as text."""
    if not isinstance(output, dict):
        return ""
    found = cast(_Object, output)
    if found.get("output_type") in {"error", "pyerr"}:
        return _shorten(f"{_join(found.get('ename'))}: {_join(found.get('evalue'))}")
    data = found.get("data", found)  # version 3 has no `data`
    shown: _Object = cast(_Object, data) if isinstance(data, dict) else {}
    texts = (_join(found.get("text")), *(_join(shown.get(f"text/{kind}")) for kind in ("markdown", "latex", "plain")))
    return _shorten(next(filter(None, texts), "") or _read_page(_join(shown.get("text/html")), limits))


def _read_page(page: str, limits: ParsingLimits) -> str:
    """The text of a cell's output in HTML, if there is nothing else."""
    if len(page) > _LONGEST_PAGE or not page.strip():
        return ""
    try:
        return html.parse_html(page.encode("utf-8", "replace"), "utf-8", limits, has_boilerplate=False).text
    except DocumentError:
        return ""


def _shorten(text: str) -> str:
    """The beginning of a long output, up to the end of a line or word, with an ellipsis."""
    text = plain.clean_text(text)
    if len(text) <= _LONGEST_OUTPUT:
        return text
    kept = text[: _LONGEST_OUTPUT + 1]
    space = max(kept.rfind(" "), kept.rfind("\n"))
    return f"{kept[:space] if space > 0 else kept[:-1]} …"


def _join(source: object) -> str:
    if isinstance(source, str):
        return source
    if isinstance(source, Sequence):
        return "".join(line for line in cast("Sequence[object]", source) if isinstance(line, str))
    return ""
