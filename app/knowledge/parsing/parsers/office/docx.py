"""Parse Word files: text with headings, lists, table rows, and footnotes where they are referenced."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.office.package import PARSE_ERRORS, Element, OfficePackage
from app.knowledge.parsing.parsers.text_writer import TextWriter

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_SEVERAL_ROWS = 3


def parse_docx(data: bytes, limits: ParsingLimits) -> ParsedDocument:
    """Parse a file. The title is the first paragraph in the style Title, or else the document's property."""
    try:
        package = OfficePackage(data, Format.DOCX.noun, limits.elements)
        main = package.find_related_part("", "officeDocument") or "/word/document.xml"
        document = package.read_part(main)
        body = document.find(f"{_W}body") if document is not None else None
        if body is None:
            raise refusals.damaged_file(Format.DOCX.noun)
        reader = _WordReader(package, main, limits)
        reader.read_blocks(body)
    except PARSE_ERRORS as error:
        raise refusals.damaged_file(Format.DOCX.noun) from error
    title = plain.clean_title(reader.title) or plain.clean_title(package.read_property("title"))
    return reader.writer.to_document(Format.DOCX.media_type, title)


@dataclass(frozen=True, slots=True)
class _Styles:
    """The meaning of a file's styles, by their ids. Style names are the same in every language."""

    levels: dict[str, int]
    """Heading levels; 0 for other paragraphs."""
    lists: set[str]
    titles: set[str]
    headed: set[str]
    """Table styles that format the first row differently."""

    @classmethod
    def read(cls, styles: Element | None) -> "_Styles":
        levels: dict[str, int] = {}
        names: dict[str, str] = {}
        parents: dict[str, str] = {}
        headed: set[str] = set()
        for style in styles.findall(f"{_W}style") if styles is not None else ():
            style_id = style.get(f"{_W}styleId") or ""
            names[style_id] = _read_value(style, "name").lower()
            parents[style_id] = _read_value(style, "basedOn")
            named = _HEADING.fullmatch(names[style_id])
            levels[style_id] = int(named[1]) if named else _outline_level(style.find(f"{_W}pPr"))
            if style.find(f"{_W}tblStylePr[@{_W}type='firstRow']") is not None:
                headed.add(style_id)
        for style_id in names:
            for ancestor in _list_ancestors(style_id, parents):
                levels[style_id] = levels[style_id] or levels.get(ancestor, 0)
                if ancestor in headed:
                    headed.add(style_id)
        lists = {style_id for style_id, name in names.items() if name.startswith("list") and name != "list paragraph"}
        return cls(levels, lists, {style_id for style_id, name in names.items() if name == "title"}, headed)


def _list_ancestors(style_id: str, parents: dict[str, str]) -> Iterator[str]:
    """The styles that a style is based on, nearest first; in a damaged file, it may be based on itself."""
    for _ in range(10):
        style_id = parents.get(style_id, "")
        yield style_id


class _WordReader:
    """Walks the body's blocks, including those python-docx leaves out (content controls, insertions, text boxes)."""

    def __init__(self, package: OfficePackage, main: str, limits: ParsingLimits) -> None:
        self.writer = TextWriter(limits)
        self.title: str | None = None
        self._styles = _Styles.read(package.read_part(package.find_related_part(main, "styles")))
        self._notes = dict(_read_footnotes(package.read_part(package.find_related_part(main, "footnotes"))))

    def read_blocks(self, parent: Element) -> None:
        """The paragraphs and tables of `parent`, in order."""
        for child in parent:
            if child.tag == f"{_W}p":
                self._paragraph(child)
            elif child.tag == f"{_W}tbl":
                self._table(child)
            elif child.tag == f"{_W}sdt":
                content = child.find(f"{_W}sdtContent")
                if content is not None:
                    self.read_blocks(content)
            elif child.tag in {f"{_W}customXml", f"{_W}ins", f"{_W}moveTo"}:
                self.read_blocks(child)

    def _paragraph(self, paragraph: Element) -> None:
        boxes: list[Element] = []
        notes: list[str] = []
        text = "".join(_text_pieces(paragraph, boxes, notes))
        style = _read_value(paragraph, "pPr/pStyle")
        level = _outline_level(paragraph.find(f"{_W}pPr")) or self._styles.levels.get(style, 0)
        if style in self._styles.titles:
            level = 1
            self.title = self.title or text
        if level:
            self.writer.begin_heading(level)
            self.writer.write_text(text.replace("\n", " "))
            self.writer.end_heading()
        else:
            self._body_text(paragraph, style, text)
        for box in boxes:
            self.read_blocks(box)
        for note in notes:
            self.writer.begin_paragraph()
            self.writer.write_text(self._notes.pop(note, ""))
            self.writer.begin_paragraph()

    def _body_text(self, paragraph: Element, style: str, text: str) -> None:
        numbered = paragraph.find(f"{_W}pPr/{_W}numPr") is not None and _read_value(paragraph, "pPr/numPr/numId") != "0"
        if text.strip() and (numbered or style in self._styles.lists):
            depth = _read_value(paragraph, "pPr/numPr/ilvl")
            self.writer.begin_item("  " * (int(depth) if depth.isdecimal() and int(depth) < 9 else 0) + "- ")
        else:
            self.writer.begin_paragraph()
        for index, line in enumerate(text.split("\n")):
            if index:
                self.writer.begin_line()
            self.writer.write_text(line)
        if numbered or style in self._styles.lists:
            self.writer.begin_line()
        else:
            self.writer.begin_paragraph()

    def _table(self, table: Element) -> None:
        self.writer.begin_table()
        rows = list(_find_children(table, f"{_W}tr"))
        for row in rows:
            self.writer.begin_row()
            for cell in _find_children(row, f"{_W}tc"):
                span = _read_value(cell, "tcPr/gridSpan")
                self.writer.begin_cell(columns=int(span) if span.isdecimal() and len(span) < 4 else 1)
                self.writer.write_text("".join(_text_pieces(cell, [], [])))
                self.writer.end_cell()
            self.writer.end_row()
        self.writer.end_table(has_header=self._has_header(table, rows))

    def _has_header(self, table: Element, rows: Sequence[Element]) -> bool:
        """Whether the first row is declared as a header, or shown as one.

        Word marks the first row of each new table, but only some styles format it differently. Without such a style,
        several rows of two columns are mostly names and values.
        """
        if any(row.find(f"{_W}trPr/{_W}tblHeader") is not None for row in rows):
            return True
        if not rows or not _marks_first_row(table.find(f"{_W}tblPr/{_W}tblLook")):
            return False
        cells = list(_find_children(rows[0], f"{_W}tc"))
        if len(cells) != 2 or len(rows) < _SEVERAL_ROWS:
            return True
        return _read_value(table, "tblPr/tblStyle") in self._styles.headed or all(map(_is_bold, cells))


def _text_pieces(parent: Element, boxes: list[Element], notes: list[str]) -> Iterator[str]:
    """Texts below `parent`; adds text boxes to `boxes` and the ids of footnotes to `notes`."""
    waiting = list(parent)[::-1]
    while waiting:
        element = waiting.pop()
        tag = element.tag
        if tag == f"{_W}t":
            yield element.text or ""
        elif tag in {f"{_W}tab", f"{_W}ptab"}:
            yield "\t"
        elif tag in {f"{_W}br", f"{_W}cr"}:
            yield "\n"
        elif tag == f"{_W}noBreakHyphen":
            yield "-"
        elif tag == f"{_W}txbxContent":
            boxes.append(element)
        elif tag == f"{_W}footnoteReference":
            notes.append(element.get(f"{_W}id") or "")
        elif tag not in {_FALLBACK, f"{_W}pPr", f"{_W}rPr", f"{_W}del", f"{_W}moveFrom"}:
            if tag == f"{_W}p":
                yield " "
            waiting.extend(list(element)[::-1])


def _find_children(parent: Element, tag: str) -> Iterator[Element]:
    """Children of `parent` with this tag, including those in content controls."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in {f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins"}:
            yield from _find_children(child, tag)


def _marks_first_row(look: Element | None) -> bool:
    """Whether a table formats its first row as a header, which is the default."""
    if look is None:
        return False
    flags, bits = look.get(f"{_W}firstRow"), look.get(f"{_W}val") or ""
    if flags is not None:
        return flags in {"1", "true", "on"}
    return bool(int(bits, 16) & 0x20) if re.fullmatch("[0-9A-Fa-f]{1,8}", bits) else False


def _read_value(parent: Element, path: str) -> str:
    found = parent.find("/".join(_W + step for step in path.split("/")))
    return (found.get(f"{_W}val") or "") if found is not None else ""


def _outline_level(properties: Element | None) -> int:
    """Outline level 1 to 9, or 0 for body text."""
    value = _read_value(properties, "outlineLvl") if properties is not None else ""
    return int(value) + 1 if value.isdecimal() and int(value) < 9 else 0


def _is_bold(cell: Element) -> bool:
    """Whether all text of a cell is bold."""
    runs = [run for run in cell.iter(f"{_W}r") if run.find(f"{_W}t") is not None]
    bold = [run.find(f"{_W}rPr/{_W}b") for run in runs]
    return bool(bold) and all(one is not None and one.get(f"{_W}val") not in {"0", "false", "off"} for one in bold)


def _read_footnotes(notes: Element | None) -> Iterator[tuple[str, str]]:
    """The ids and texts of footnotes."""
    for note in notes.findall(f"{_W}footnote") if notes is not None else ():
        yield note.get(f"{_W}id") or "", "".join(_text_pieces(note, [], [])).strip()
