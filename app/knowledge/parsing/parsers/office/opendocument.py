"""Parse OpenDocument texts (.odt) and presentations (.odp): headings, lists, tables, notes and slides."""

from collections.abc import Iterable, Iterator

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.office.package import PARSE_ERRORS, Element, OfficePackage
from app.knowledge.parsing.parsers.text_writer import TextWriter

_NAMES = "{urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE = f"{_NAMES}office:1.0}}"
_TEXT = f"{_NAMES}text:1.0}}"
_TABLE = f"{_NAMES}table:1.0}}"
_DRAW = f"{_NAMES}drawing:1.0}}"
_STYLE = f"{_NAMES}style:1.0}}"
_SHOW = f"{_NAMES}presentation:1.0}}"
_MANIFEST = f"{_NAMES}manifest:1.0}}"
_DC = "{http://purl.org/dc/elements/1.1/}"
# Elements that readers do not see: tracked changes, field definitions, reviewers' annotations.
_UNSEEN = frozenset(
    {f"{_TEXT}tracked-changes", f"{_TEXT}sequence-decls", f"{_OFFICE}forms", f"{_OFFICE}annotation", f"{_TEXT}note"}
)
_MAX_DEPTH = 200
_MAX_REPEATED = 1_000


def parse_opendocument(data: bytes, kind: Format, limits: ParsingLimits) -> ParsedDocument:
    """Parse a file. The title is the first paragraph in the style Title, else a property, else a slide's title."""
    try:
        package = OfficePackage(data, kind.noun, limits.elements)
        if _is_encrypted(package):
            raise refusals.encrypted_file(kind.noun)
        content = package.read_part("content.xml")
        body = content.find(f"{_OFFICE}body") if content is not None else None
        if content is None or body is None:
            raise refusals.damaged_file(kind.noun)
        reader = _OpenDocumentReader(limits, content)
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

    def __init__(self, limits: ParsingLimits, content: Element) -> None:
        self.writer = TextWriter(limits)
        self.title: str | None = None
        self.slide_title = ""
        self._limits = limits
        self._slides = 0
        self._lists = 0
        self._titles = {"Title"} | {
            style.get(f"{_STYLE}name") or ""
            for style in content.iter(f"{_STYLE}style")
            if style.get(f"{_STYLE}parent-style-name") == "Title"
        }

    def read_blocks(self, parent: Iterable[Element], depth: int = 0) -> None:
        """The blocks of `parent`, in order."""
        if depth > _MAX_DEPTH:
            raise refusals.nested_too_deep(_MAX_DEPTH)
        for child in parent:
            tag = child.tag
            if tag in {f"{_TEXT}p", f"{_TEXT}h"}:
                self._paragraph(child)
            elif tag == f"{_TEXT}list":
                self._list(child, depth)
            elif tag == f"{_TABLE}table":
                self._table(child)
            elif tag == f"{_DRAW}page":
                self._slide(child, depth)
            elif tag == f"{_SHOW}notes":
                self._notes(child)
            elif isinstance(tag, str) and tag not in _UNSEEN:
                self.read_blocks(child, depth + 1)

    def _paragraph(self, paragraph: Element) -> None:
        notes: list[Element] = []
        text = "".join(_text_pieces(paragraph, notes))
        style = paragraph.get(f"{_TEXT}style-name") or ""
        level = paragraph.get(f"{_TEXT}outline-level") or "1"
        if paragraph.tag == f"{_TEXT}h":
            self.writer.write_heading(
                text.replace("\n", " "), int(level) if level.isdecimal() and int(level) < 10 else 1
            )
        elif style in self._titles and text.strip():
            self.title = self.title or text
            self.writer.write_heading(text.replace("\n", " "), 1)
        else:
            for line in text.split("\n"):
                self.writer.write_text(line)
                self.writer.begin_line()
            if not self._lists:
                self.writer.begin_paragraph()
        for note in notes:
            self.writer.begin_paragraph()
            self.writer.write_text(" ".join("".join(_text_pieces(each, [])) for each in note.iter(f"{_TEXT}p")))
            self.writer.begin_paragraph()

    def _list(self, items: Element, depth: int) -> None:
        self._lists += 1
        for item in items:
            self.writer.begin_item("  " * min(8, self._lists - 1) + "- ")
            self.read_blocks(item, depth + 2)
        self._lists -= 1
        if not self._lists:
            self.writer.begin_paragraph()

    def _table(self, table: Element) -> None:
        self.writer.begin_table()
        for row in table.iter(f"{_TABLE}table-row"):
            is_header = next(row.iterancestors(f"{_TABLE}table-header-rows"), None) is not None
            self.writer.begin_row()
            for cell in row:
                if cell.tag == f"{_TABLE}table-cell":
                    self._cell(cell, is_header=is_header)
            self.writer.end_row()
        self.writer.end_table(has_header=True)

    def _cell(self, cell: Element, *, is_header: bool) -> None:
        text = " ".join("".join(_text_pieces(each, [])) for each in cell.iter(f"{_TEXT}p", f"{_TEXT}h"))
        for _ in range(min(_read_number(cell, "number-columns-repeated"), _MAX_REPEATED)):
            columns, rows = _read_number(cell, "number-columns-spanned"), _read_number(cell, "number-rows-spanned")
            self.writer.begin_cell(is_header=is_header, columns=columns, rows=rows)
            self.writer.write_text(text)
            self.writer.end_cell()

    def _slide(self, slide: Element, depth: int) -> None:
        self._slides += 1
        if self._slides > self._limits.pages:
            raise refusals.too_many("slides", self._limits.pages)
        frames = [frame for frame in slide if frame.get(f"{_SHOW}class") == "title"]
        title = " ".join(
            "".join(_text_pieces(each, [])) for frame in frames for each in frame.iter(f"{_TEXT}p")
        ).strip()
        self.slide_title = self.slide_title or title
        named = f"Slide {self._slides}: {title}" if title else f"Slide {self._slides}"
        self.writer.write_heading(named, 1, is_part=True)
        for frame in slide:
            if frame not in frames:
                self.read_blocks([frame] if frame.tag == f"{_SHOW}notes" else frame, depth + 1)

    def _notes(self, notes: Element) -> None:
        texts = ["".join(_text_pieces(each, [])).strip() for each in notes.iter(f"{_TEXT}p")]
        if any(texts):
            self.writer.begin_paragraph()
            self.writer.write_text(f"Notes: {' '.join(filter(None, texts))}")
            self.writer.begin_paragraph()


def _text_pieces(parent: Element, notes: list[Element]) -> Iterator[str]:
    """Texts below `parent`; adds its footnotes to `notes`."""
    yield parent.text or ""
    waiting = [(child, False) for child in list(parent)[::-1]]
    while waiting:
        element, is_end = waiting.pop()
        if is_end:
            yield element.tail or ""
            continue
        waiting.append((element, True))
        tag = element.tag
        if tag == f"{_TEXT}note":
            notes.extend(element.findall(f"{_TEXT}note-body"))
        elif tag == f"{_TEXT}s":
            yield " "
        elif tag == f"{_TEXT}tab":
            yield "\t"
        elif tag == f"{_TEXT}line-break":
            yield "\n"
        elif isinstance(tag, str) and tag not in _UNSEEN:
            yield element.text or ""
            waiting.extend((child, False) for child in list(element)[::-1])


def _read_number(cell: Element, name: str) -> int:
    value = cell.get(f"{_TABLE}{name}") or ""
    return int(value) if value.isdecimal() and len(value) < 6 else 1
