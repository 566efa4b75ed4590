"""Parse Word files: text with headings, lists, table rows and charts, and notes where they are referenced."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.office import word_text
from app.knowledge.parsing.parsers.office.drawings import charts
from app.knowledge.parsing.parsers.office.list_numbers import WordNumbers
from app.knowledge.parsing.parsers.office.package import PARSE_ERRORS, Element, OfficePackage
from app.knowledge.parsing.parsers.office.word_text import W as _W
from app.knowledge.parsing.parsers.office.word_text import WordContent, read_value
from app.knowledge.parsing.parsers.text_writer import TextWriter

_ALTERNATIVES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_SEVERAL_ROWS = 3
_GROUPS = frozenset(  # of blocks
    {f"{_W}customXml", f"{_W}ins", f"{_W}moveTo", f"{_ALTERNATIVES}AlternateContent", f"{_ALTERNATIVES}Choice"}
)


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
    numbered: dict[str, tuple[str, str]]
    """The list of a style, and the level in it, as numbers; empty where there is none."""

    @classmethod
    def read(cls, styles: Element | None) -> "_Styles":
        levels: dict[str, int] = {}
        names: dict[str, str] = {}
        parents: dict[str, str] = {}
        headed: set[str] = set()
        numbered: dict[str, tuple[str, str]] = {}
        for style in styles.findall(f"{_W}style") if styles is not None else ():
            style_id = style.get(f"{_W}styleId") or ""
            names[style_id] = read_value(style, "name").lower()
            parents[style_id] = read_value(style, "basedOn")
            named = _HEADING.fullmatch(names[style_id])
            levels[style_id] = int(named[1]) if named else _outline_level(style.find(f"{_W}pPr"))
            numbered[style_id] = _read_list(style)
            if style.find(f"{_W}tblStylePr[@{_W}type='firstRow']") is not None:
                headed.add(style_id)
        for style_id in names:
            for ancestor in _list_ancestors(style_id, parents):
                levels[style_id] = levels[style_id] or levels.get(ancestor, 0)
                mine, inherited = numbered[style_id], numbered.get(ancestor, ("", ""))
                numbered[style_id] = (mine[0] or inherited[0], mine[1] or inherited[1])
                if ancestor in headed:
                    headed.add(style_id)
        lists = {style_id for style_id, name in names.items() if name.startswith("list") and name != "list paragraph"}
        titles = {style_id for style_id, name in names.items() if name == "title"}
        return cls(levels, lists, titles, headed, numbered)


def _list_ancestors(style_id: str, parents: dict[str, str]) -> Iterator[str]:
    """The styles that a style is based on, nearest first; in a damaged file, it may be based on itself."""
    for _ in range(10):
        style_id = parents.get(style_id, "")
        yield style_id


class _WordReader:
    """Walks the blocks of the body, including those in content controls, insertions and text boxes."""

    def __init__(self, package: OfficePackage, main: str, limits: ParsingLimits) -> None:
        self.writer = TextWriter(limits)
        self.title: str | None = None
        self._styles = _Styles.read(package.read_part(package.find_related_part(main, "styles")))
        self._numbers = WordNumbers(package.read_part(package.find_related_part(main, "numbering")))
        self._drawn = charts.DrawnParts(self.writer, package, main)
        self._notes = {
            (kind, id): text
            for kind in ("footnote", "endnote")
            for id, text in _read_notes(package.read_part(package.find_related_part(main, f"{kind}s")), kind)
        }

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
            elif child.tag in _GROUPS:
                self.read_blocks(child)

    def _paragraph(self, paragraph: Element) -> None:
        content = word_text.read_content(paragraph)
        style = read_value(paragraph, "pPr/pStyle")
        level = _outline_level(paragraph.find(f"{_W}pPr")) or self._styles.levels.get(style, 0)
        number = self._number(paragraph)
        if style in self._styles.titles:
            level = 1
            self.title = self.title or content.text
        if level:
            self.writer.write_heading(f"{number}{content.text}".replace("\n", " "), level)
        else:
            self._body_text(paragraph, style, number, content.text)
        self._write_attached(content)

    def _number(self, paragraph: Element) -> str:
        """The number of a paragraph in a list, with a space; empty if it has none."""
        style = read_value(paragraph, "pPr/pStyle")
        (own, own_level), (usual, usual_level) = _read_list(paragraph), self._styles.numbered.get(style, ("", ""))
        level = own_level or ("" if own else usual_level)
        number = self._numbers.number(own or usual, int(level) if level.isdecimal() else None, style)
        return f"{number} " if number else ""

    def _write_attached(self, content: WordContent) -> None:
        """Write the text boxes, charts and diagrams of a paragraph or table, and its notes."""
        for element in content.drawn:
            if element.tag == word_text.BOX:
                self.read_blocks(element)
            elif element.tag == word_text.CHART:
                self._drawn.write_chart(element.get(f"{_R}id"))
            else:
                self._drawn.write_diagram(element.get(f"{_R}dm"))
        for note in content.notes:
            self.writer.write_paragraph(self._notes.pop(note, ""))

    def _body_text(self, paragraph: Element, style: str, number: str, text: str) -> None:
        listed, depth = _read_list(paragraph)
        is_item = (listed not in {"", "0"}) or style in self._styles.lists
        if text.strip() and (is_item or number):
            indent = "  " * (int(depth) if depth.isdecimal() and int(depth) < 9 else 0)
            self.writer.begin_item(indent + (number or "- "))
        else:
            self.writer.begin_paragraph()
        self.writer.write_lines(text)
        if is_item or number:
            self.writer.begin_line()
        else:
            self.writer.begin_paragraph()

    def _table(self, table: Element) -> None:
        self.writer.begin_table()
        rows = list(_find_children(table, f"{_W}tr"))
        attached = WordContent()
        for row in _place_cells(rows):
            self.writer.begin_row()
            for cell, columns, height in row:
                self.writer.begin_cell(columns=columns, rows=height)
                if cell is not None:
                    content = word_text.read_content(cell, self._number)
                    attached.add(content)
                    self.writer.write_text(content.text)
                self.writer.end_cell()
            self.writer.end_row()
        self.writer.end_table(has_header=self._has_header(table, rows))
        self._write_attached(attached)

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
        return read_value(table, "tblPr/tblStyle") in self._styles.headed or all(map(_is_bold, cells))


_Placed = tuple[Element | None, int, int]
"""A cell, or None for a gap at the side of a row; the numbers of columns and rows over which it extends."""


def _place_cells(rows: Sequence[Element]) -> list[list[_Placed]]:
    """The cells of each row, without those that continue a cell above."""
    placed: list[list[_Placed]] = []
    above: dict[int, tuple[int, int]] = {}  # the column of a cell that may continue below → its row, its index there
    for number, row in enumerate(rows):
        cells: list[_Placed] = []
        tall: dict[int, tuple[int, int]] = {}
        column = _read_count(row, "trPr/gridBefore", 0)
        if column:
            cells.append((None, column, 1))
        for cell in _find_children(row, f"{_W}tc"):
            columns, merge = _read_count(cell, "tcPr/gridSpan", 1), cell.find(f"{_W}tcPr/{_W}vMerge")
            is_start = merge is not None and merge.get(f"{_W}val") == "restart"
            if merge is not None and not is_start and column in above:
                top, index = tall[column] = above[column]
                first, width, _ = placed[top][index]
                placed[top][index] = (first, width, number - top + 1)
            else:
                if is_start:
                    tall[column] = (number, len(cells))
                cells.append((cell, columns, 1))
            column += columns
        placed.append(cells)
        above = tall
    return placed


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


def _read_count(parent: Element, path: str, default: int) -> int:
    value = read_value(parent, path)
    return int(value) if value.isdecimal() and len(value) < 4 else default


def _read_list(parent: Element) -> tuple[str, str]:
    """The list of a paragraph or style, and its level in it; empty where they are not given."""
    return read_value(parent, "pPr/numPr/numId"), read_value(parent, "pPr/numPr/ilvl")


def _outline_level(properties: Element | None) -> int:
    """Outline level 1 to 9, or 0 for body text."""
    value = read_value(properties, "outlineLvl") if properties is not None else ""
    return int(value) + 1 if value.isdecimal() and int(value) < 9 else 0


def _is_bold(cell: Element) -> bool:
    """Whether all text of a cell is bold."""
    runs = [run for run in cell.iter(f"{_W}r") if run.find(f"{_W}t") is not None]
    bold = [run.find(f"{_W}rPr/{_W}b") for run in runs]
    return bool(bold) and all(map(word_text.is_on, bold))


def _read_notes(notes: Element | None, kind: str) -> Iterator[tuple[str, str]]:
    """The ids and texts of footnotes or endnotes."""
    for note in notes.findall(f"{_W}{kind}") if notes is not None else ():
        yield note.get(f"{_W}id") or "", word_text.read_content(note).text.strip()
