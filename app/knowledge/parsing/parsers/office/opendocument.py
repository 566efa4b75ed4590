"""Parse OpenDocument texts (.odt) and presentations (.odp): headings, lists, tables, notes and slides."""

from collections.abc import Iterable, Iterator

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.office.list_numbers import OpenDocumentNumbers
from app.knowledge.parsing.parsers.office.opendocument_text import (
    DRAW,
    NAMES,
    OFFICE,
    SHOW,
    TABLE,
    TEXT,
    UNSEEN,
    OpenDocumentContent,
    OpenDocumentStyles,
    read_content,
)
from app.knowledge.parsing.parsers.office.package import PARSE_ERRORS, Element, OfficePackage
from app.knowledge.parsing.parsers.text_writer import TextWriter

_MANIFEST = f"{NAMES}manifest:1.0}}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_CHART = f"{NAMES}chart:1.0}}"
_MATH = "{http://www.w3.org/1998/Math/MathML}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_ROW_GROUPS = frozenset({f"{TABLE}table-header-rows", f"{TABLE}table-row-group", f"{TABLE}table-rows"})
_MAX_DEPTH = 200
_MAX_REPEATED = 1_000


def parse_opendocument(data: bytes, kind: Format, limits: ParsingLimits) -> ParsedDocument:
    """Parse a file. The title is the first paragraph in the style Title, else a property, else a slide's title."""
    try:
        package = OfficePackage(data, kind.noun, limits.elements)
        if _is_encrypted(package):
            raise refusals.encrypted_file(kind.noun)
        content = package.read_part("content.xml")
        body = content.find(f"{OFFICE}body") if content is not None else None
        if content is None or body is None:
            raise refusals.damaged_file(kind.noun)
        reader = _OpenDocumentReader(limits, package, content)
        for part in body:
            reader.read_blocks(part)
        titles = (reader.title, _read_title(package), reader.slide_title)
        title = next(filter(None, map(plain.clean_title, titles)), None)
    except PARSE_ERRORS as error:
        raise refusals.damaged_file(kind.noun) from error
    return reader.writer.to_document(kind.media_type, title)


def _is_encrypted(package: OfficePackage) -> bool:
    manifest = package.read_part("META-INF/manifest.xml")
    return manifest is not None and any(True for _ in manifest.iter(f"{_MANIFEST}encryption-data"))


def _read_title(package: OfficePackage) -> str | None:
    try:
        meta = package.read_part("meta.xml")
    except PARSE_ERRORS:
        return None
    return next((found.text for found in meta.iter(f"{_DC}title")), None) if meta is not None else None


class _OpenDocumentReader:
    """Walks the blocks of a document."""

    def __init__(self, limits: ParsingLimits, package: OfficePackage, content: Element) -> None:
        self.writer = TextWriter(limits)
        self.title: str | None = None
        self.slide_title = ""
        self._limits = limits
        self._package = package
        self._slides = 0
        self._lists: list[str] = []  # the styles of open lists
        self._styles = OpenDocumentStyles.read(content)
        self._numbers = OpenDocumentNumbers([*_read_styles(package), content])

    def read_blocks(self, parent: Iterable[Element], depth: int = 0) -> None:
        """The blocks of `parent`, in order."""
        if depth > _MAX_DEPTH:
            raise refusals.nested_too_deep(_MAX_DEPTH)
        for child in parent:
            tag = child.tag
            if tag in {f"{TEXT}p", f"{TEXT}h"}:
                self._paragraph(child, depth)
            elif tag == f"{TEXT}list":
                self._list(child, depth)
            elif tag == f"{TABLE}table":
                self._table(child, depth)
            elif tag == f"{DRAW}page":
                self._slide(child, depth)
            elif tag == f"{SHOW}notes":
                self._notes(child)
            elif tag == f"{DRAW}object":
                self._object(child, depth)
            elif isinstance(tag, str) and tag not in UNSEEN and child.get(f"{TEXT}display") != "none":
                self.read_blocks(child, depth + 1)

    def _paragraph(self, paragraph: Element, depth: int) -> None:
        content = self._read(paragraph)
        text = content.text
        style = paragraph.get(f"{TEXT}style-name") or ""
        if style in self._styles.hidden:
            return
        if paragraph.tag == f"{TEXT}h":
            outline = paragraph.get(f"{TEXT}outline-level") or "1"
            level = int(outline) if outline.isdecimal() and len(outline) < 2 else 1
            is_numbered = not self._lists and paragraph.get(f"{TEXT}is-list-header") != "true"
            number = self._numbers.number_heading(level) if is_numbered and text.strip() else None
            named = f"{number} {text}" if number else text
            self.writer.write_heading(named.replace("\n", " "), level)
        elif style in self._styles.titles and text.strip():
            self.title = self.title or text
            self.writer.write_heading(text.replace("\n", " "), 1)
        else:
            self.writer.write_lines(text)
            if self._lists:
                self.writer.begin_line()
            else:
                self.writer.begin_paragraph()
        self._write_attached(content, depth)

    def _write_attached(self, content: OpenDocumentContent, depth: int) -> None:
        """Write the text boxes and charts of a paragraph or table, and its notes."""
        self.read_blocks(content.drawn, depth + 1)
        for note in content.notes:
            self.writer.write_paragraph(self._read(note).text)

    def _list(self, items: Element, depth: int) -> None:
        level = len(self._lists) + 1
        style = items.get(f"{TEXT}style-name") or (self._lists[-1] if self._lists else "")
        self._lists.append(style)
        if items.get(f"{TEXT}continue-numbering") != "true" and not items.get(f"{TEXT}continue-list"):
            self._numbers.begin_list(style, level)
        for item in items:
            number = None
            if item.tag == f"{TEXT}list-item":
                number = self._numbers.number_item(style, level, item.get(f"{TEXT}start-value"))
            self.writer.begin_item("  " * min(8, level - 1) + (f"{number} " if number else "- "))
            self.read_blocks(item, depth + 2)
        self._lists.pop()
        if not self._lists:
            self.writer.begin_paragraph()

    def _table(self, table: Element, depth: int) -> None:
        self.writer.begin_table()
        attached = OpenDocumentContent()
        for row, is_header in _find_rows(table):
            self.writer.begin_row()
            for cell in row:
                if cell.tag == f"{TABLE}table-cell":
                    self._cell(cell, attached, is_header=is_header)
            self.writer.end_row()
        self.writer.end_table(has_header=True)
        self._write_attached(attached, depth)

    def _cell(self, cell: Element, attached: OpenDocumentContent, *, is_header: bool) -> None:
        content = self._read(cell)
        attached.notes += content.notes
        attached.drawn += content.drawn
        for _ in range(min(_read_number(cell, "number-columns-repeated"), _MAX_REPEATED)):
            columns, rows = _read_number(cell, "number-columns-spanned"), _read_number(cell, "number-rows-spanned")
            self.writer.begin_cell(is_header=is_header, columns=columns, rows=rows)
            self.writer.write_text(content.text)
            self.writer.end_cell()

    def _object(self, frame: Element, depth: int) -> None:
        """Write an embedded chart as a table, or a formula. A damaged one is left out."""
        name = (frame.get(_LINK) or "").removeprefix("./")
        try:
            root = self._package.read_part(f"{name}/content.xml")
        except PARSE_ERRORS:
            return
        for chart in () if root is None else root.iter(f"{_CHART}chart"):
            for title in chart.findall(f"{_CHART}title"):
                self.writer.begin_paragraph()
                self.writer.write_text(self._read(title).text)
            self.writer.begin_paragraph()
            for table in chart.findall(f"{TABLE}table"):
                self._table(table, depth)
        for formula in () if root is None else root.iter(f"{_MATH}annotation"):
            self.writer.write_paragraph(formula.text or "")

    def _read(self, parent: Element) -> OpenDocumentContent:
        return read_content(parent, self._styles)

    def _slide(self, slide: Element, depth: int) -> None:
        self._slides += 1
        if self._slides > self._limits.pages:
            raise refusals.too_many("slides", self._limits.pages)
        if slide.get(f"{DRAW}style-name") in self._styles.hidden:
            return
        frames = [frame for frame in slide if frame.get(f"{SHOW}class") == "title"]
        paragraphs = (each for frame in frames for each in frame.iter(f"{TEXT}p"))
        title = " ".join(self._read(each).text for each in paragraphs).strip()
        self.slide_title = self.slide_title or title
        named = f"Slide {self._slides}: {title}" if title else f"Slide {self._slides}"
        self.writer.write_heading(named, 1, is_part=True)
        for frame in slide:
            if frame not in frames:
                self.read_blocks([frame] if frame.tag == f"{SHOW}notes" else frame, depth + 1)

    def _notes(self, notes: Element) -> None:
        texts = [self._read(each).text.strip() for each in notes.iter(f"{TEXT}p")]
        if any(texts):
            self.writer.write_paragraph(f"Notes: {' '.join(filter(None, texts))}")


def _find_rows(parent: Element, *, is_header: bool = False) -> Iterator[tuple[Element, bool]]:
    """The rows of a table, without those of tables in its cells, and whether they are headers."""
    for child in parent:
        if child.tag == f"{TABLE}table-row":
            yield child, is_header
        elif child.tag in _ROW_GROUPS:
            yield from _find_rows(child, is_header=is_header or child.tag == f"{TABLE}table-header-rows")


def _read_styles(package: OfficePackage) -> Iterator[Element]:
    """The named styles, if there are any; damaged ones are ignored."""
    try:
        styles = package.read_part("styles.xml")
    except PARSE_ERRORS:
        return
    if styles is not None:
        yield styles


def _read_number(cell: Element, name: str) -> int:
    value = cell.get(f"{TABLE}{name}") or ""
    return int(value) if value.isdecimal() and len(value) < 6 else 1
