"""Parse presentations (.pptx): slides with their titles, lists, tables, charts and notes."""

from collections.abc import Iterator, Sequence

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.office.drawings import charts, shape_text
from app.knowledge.parsing.parsers.office.package import PARSE_ERRORS, Element, OfficePackage
from app.knowledge.parsing.parsers.text_writer import TextWriter

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_FALSE = frozenset({"0", "false", "off"})
_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"sldNum", "dt", "ftr", "hdr", "sldImg"})  # on every slide: number, date, footer
_USUAL_SIZE = 1800  # default text size, in hundredths of a point
_LONGEST_TITLE = 100  # for a text box that is not a placeholder
_LISTS = frozenset({"body", "obj", ""})  # placeholders whose paragraphs are a list if there are several


def parse_presentation(data: bytes, limits: ParsingLimits) -> ParsedDocument:
    """Parse a presentation: each slide is a part under a heading with its number. Hidden slides are skipped."""
    writer = TextWriter(limits)
    try:
        package = OfficePackage(data, Format.PPTX.noun, limits.elements)
        main = package.find_related_part("", "officeDocument") or "/ppt/presentation.xml"
        slides = dict(package.find_related_parts(main, "slide"))
        presentation = package.read_part(main)
        if presentation is None:
            raise refusals.damaged_file(Format.PPTX.noun)
        listed = presentation.findall(f"{_P}sldIdLst/{_P}sldId")
        if len(listed) > limits.pages:
            raise refusals.too_many("slides", limits.pages)
        title = plain.clean_title(package.read_property("title"))
        for number, entry in enumerate(listed, 1):
            part = slides.get(entry.get(f"{_R}id") or "")
            slide = package.read_part(part)
            if slide is None or part is None or slide.get("show") in _FALSE:
                continue
            notes = package.read_part(package.find_related_part(part, "notesSlide"))
            own_title = _SlideReader(writer, package, part).read_slide(number, slide, notes)
            title = title or plain.clean_title(own_title)
    except PARSE_ERRORS as error:
        raise refusals.damaged_file(Format.PPTX.noun) from error
    return writer.to_document(Format.PPTX.media_type, title)


class _SlideReader:
    """Writes one slide."""

    def __init__(self, writer: TextWriter, package: OfficePackage, part: str) -> None:
        self._writer = writer
        self._drawn = charts.DrawnParts(writer, package, part)

    def read_slide(self, number: int, slide: Element, notes: Element | None) -> str:
        """Write a slide and its notes; returns its title."""
        shapes = list(_find_shapes(slide))
        titles = [shape for shape in shapes if _placeholder(shape) in _TITLES] or list(_find_title_box(shapes))
        title = " ".join(" ".join(shape_text.read_paragraphs(shape)) for shape in titles).strip()
        self._writer.write_heading(f"Slide {number}: {title}" if title else f"Slide {number}", 1, is_part=True)
        for shape in shapes:
            if shape not in titles:
                self._shape(shape)
        spoken = [shape for shape in _find_shapes(notes) if _placeholder(shape) == "body"] if notes is not None else []
        if any(text.strip() for shape in spoken for text in shape_text.read_paragraphs(shape)):
            self._writer.begin_paragraph()
            self._writer.write_text("Notes: ")
            for shape in spoken:
                self._shape(shape, is_list=False)
        return title

    def _shape(self, shape: Element, *, is_list: bool = True) -> None:
        table = next(shape.iter(f"{_A}tbl"), None)
        if table is not None:
            self._table(table)
            return
        if (chart := next(shape.iter(f"{_C}chart"), None)) is not None:
            self._drawn.write_chart(chart.get(f"{_R}id"))
            return
        if (diagram := next(shape.iter(f"{_DIAGRAM}relIds"), None)) is not None:
            self._drawn.write_diagram(diagram.get(f"{_R}dm"))
            return
        if _placeholder(shape) in _FURNITURE:
            return
        paragraphs = [text for text in shape_text.read_paragraphs(shape) if text.strip()]
        in_list = is_list and len(paragraphs) > 1 and _placeholder(shape) in _LISTS
        for text in paragraphs:
            if in_list:
                self._writer.begin_item("- ")
            self._writer.write_text(text)
            self._writer.begin_line()
        self._writer.begin_paragraph()

    def _table(self, table: Element) -> None:
        self._writer.begin_table()
        properties = table.find(f"{_A}tblPr")
        for row in table.findall(f"{_A}tr"):
            self._writer.begin_row()
            for cell in row.findall(f"{_A}tc"):
                if cell.get("hMerge") in {"1", "true"} or cell.get("vMerge") in {"1", "true"}:
                    continue
                self._writer.begin_cell(columns=_read_number(cell, "gridSpan"), rows=_read_number(cell, "rowSpan"))
                self._writer.write_text(" ".join(shape_text.read_paragraphs(cell)))
                self._writer.end_cell()
            self._writer.end_row()
        has_header = properties is not None and properties.get("firstRow") in {"1", "true"}
        self._writer.end_table(has_header=has_header)


def _find_shapes(slide: Element) -> Iterator[Element]:
    """The shapes of a slide in order, including those in groups, without fallbacks for old programs."""
    tree = slide.find(f"{_P}cSld/{_P}spTree")
    waiting = list(tree)[::-1] if tree is not None else []
    while waiting:
        element = waiting.pop()
        if element.tag in {f"{_P}sp", f"{_P}graphicFrame"}:
            yield element
        elif element.tag != _FALLBACK:
            waiting.extend(list(element)[::-1])


def _placeholder(shape: Element) -> str | None:
    """The kind of a placeholder, "" if it has none; None for other shapes."""
    found = next(shape.iter(f"{_P}ph"), None)
    return None if found is None else found.get("type") or ""


def _find_title_box(shapes: Sequence[Element]) -> Iterator[Element]:
    """The first text of a slide without placeholders, as some programs write it, if it is short and the largest."""
    texts = [(shape, list(filter(str.strip, shape_text.read_paragraphs(shape)))) for shape in shapes]
    filled = [(shape, paragraphs) for shape, paragraphs in texts if paragraphs]
    if not filled or any(_placeholder(shape) is not None for shape, _ in filled):
        return
    first, paragraphs = filled[0]
    is_short = len(paragraphs) == 1 and len(paragraphs[0]) <= _LONGEST_TITLE and plain.has_text(paragraphs[0])
    others = max((_read_largest_size(shape) for shape, _ in filled[1:]), default=0)
    if is_short and _read_largest_size(first) > max(others, _USUAL_SIZE):
        yield first


def _read_largest_size(shape: Element) -> int:
    sizes = [run.get("sz") or "" for run in shape.iter(f"{_A}rPr")]
    return max((int(size) for size in sizes if size.isdecimal() and len(size) < 7), default=_USUAL_SIZE)


def _read_number(cell: Element, name: str) -> int:
    value = cell.get(name) or ""
    return int(value) if value.isdecimal() and len(value) < 5 else 1
