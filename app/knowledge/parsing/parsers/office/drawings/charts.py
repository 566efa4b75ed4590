"""Read the charts of an office file as tables, and its diagrams as lists."""

import datetime
import itertools

from app.knowledge.parsing.parsers import table_grid, tables
from app.knowledge.parsing.parsers.office.drawings import shape_text
from app.knowledge.parsing.parsers.office.number_formats import NumberFormat, is_date_format, parse_format
from app.knowledge.parsing.parsers.office.package import PARSE_ERRORS, Element, OfficePackage
from app.knowledge.parsing.parsers.text_writer import TextWriter

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_LABELS, _VALUES = ("cat", "xVal"), ("val", "yVal", "bubbleSize")
_FALSE = frozenset({"0", "false"})
_LONGEST_INDEX = 9  # in digits
_DAY_SECONDS = 86_400
# Day 0 of most files, and of those that use the 1904 date system of old Macs.
_DAY_0, _DAY_0_OF_1904 = datetime.datetime(1899, 12, 30), datetime.datetime(1904, 1, 1)


class DrawnParts:
    """The charts and diagrams of one part of a file, such as a slide. Damaged ones are left out."""

    def __init__(self, writer: TextWriter, package: OfficePackage, part: str) -> None:
        self._writer, self._package = writer, package
        self._part = part
        self._found: dict[str, dict[str, str]] = {}

    def write_chart(self, id: str | None) -> None:
        """Write the chart that the relationship `id` leads to."""
        chart = self._read("chart", id)
        if chart is not None:
            _write_chart(self._writer, chart)

    def write_diagram(self, id: str | None) -> None:
        """Write the texts of a diagram, such as a process or a hierarchy, as a list."""
        diagram = self._read("diagramData", id)
        for text in () if diagram is None else filter(str.strip, shape_text.read_paragraphs(diagram)):
            self._writer.begin_item("- ")
            self._writer.write_text(text)
            self._writer.begin_line()
        self._writer.begin_paragraph()

    def _read(self, kind: str, id: str | None) -> Element | None:
        if kind not in self._found:
            self._found[kind] = dict(self._package.find_related_parts(self._part, kind))
        try:
            return self._package.read_part(self._found[kind].get(id or ""))
        except PARSE_ERRORS:
            return None


def _write_chart(writer: TextWriter, chart: Element) -> None:
    """Write the title, and a row for each category, with a column for each series."""
    title = chart.find(f"{_C}chart/{_C}title")
    if title is not None:
        writer.write_text("".join(part.text or "" for part in title.iter(f"{_A}t")))
        writer.begin_paragraph()
    series = list(chart.iter(f"{_C}ser"))
    day_0 = _find_day_0(chart)
    labels = [_read_points(each, _LABELS, day_0) for each in series]
    values = [_read_points(each, _VALUES, day_0) for each in series]
    # In scatter charts, each series has its own categories.
    for shared, group in itertools.groupby(range(len(series)), key=labels.__getitem__):
        columns = list(group)
        header = tables.Header(("", *(_read_name(series[column]) for column in columns)))
        places = sorted({*shared, *(at for column in columns for at in values[column])})
        rows = [(shared.get(at, ""), *(values[column].get(at, "") for column in columns)) for at in places]
        writer.begin_paragraph()
        writer.write_rows(header, [table_grid.Row(cells) for cells in rows])
        writer.begin_paragraph()


def _find_day_0(chart: Element) -> datetime.datetime:
    setting = chart.find(f"{_C}date1904")
    return _DAY_0 if setting is None or setting.get("val") in _FALSE else _DAY_0_OF_1904


def _read_name(series: Element) -> str:
    name = series.find(f"{_C}tx")
    return " ".join(value.text or "" for value in name.iter(f"{_C}v")) if name is not None else ""


def _read_points(series: Element, kinds: tuple[str, ...], day_0: datetime.datetime) -> dict[int, str]:
    """The points of a series by index, formatted as in the chart."""
    found: dict[int, str] = {}
    for kind in kinds:
        holder = series.find(f"{_C}{kind}")
        if holder is None:
            continue
        code = next(holder.iter(f"{_C}formatCode"), None)
        code = code.text or "" if code is not None else ""
        number_format = None if is_date_format(code) else parse_format(code)
        for point in holder.iter(f"{_C}pt"):
            value, at = point.find(f"{_C}v"), point.get("idx") or ""
            if value is not None and at.isdecimal() and len(at) <= _LONGEST_INDEX:
                text = _show_value(value.text or "", number_format, day_0)
                found[int(at)] = f"{found[int(at)]} / {text}" if int(at) in found else text
    return found


def _show_value(text: str, number_format: NumberFormat | None, day_0: datetime.datetime) -> str:
    """A value in its format; without one, it is a date, in days from day 0."""
    try:
        number = float(text)
        if number_format is not None:
            return number_format.write_number(number)
        moment = day_0 + datetime.timedelta(seconds=round(number * _DAY_SECONDS))
        return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat(" ")
    except (ValueError, OverflowError):
        return text.strip()
