"""Workbooks and OpenDocument sheets that tests write and read."""

import io
from collections.abc import Callable
from typing import Any, cast

import xlsxwriter

from app.knowledge.parsing.dispatch import parse_file
from tests.files.sample import zipped


def read_book(build: Callable[[Any, Any], None]) -> str:
    """The text of an Excel file with one sheet, without the heading."""
    file = io.BytesIO()
    book = cast(Any, xlsxwriter).Workbook(file)
    build(book, book.add_worksheet("Prices"))
    book.close()
    return parse_file(file.getvalue(), name="a.xlsx").text.partition("Sheet “Prices”")[2].strip()


def read_calc(*rows: str) -> str:
    """The text of an OpenDocument file with one sheet."""
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    body = "".join(f"<table:table-row{row}</table:table-row>" for row in rows)
    content = (
        f'<office:document-content{spaces} office:version="1.3"><office:body><office:spreadsheet>'
        f'<table:table table:name="Prices">{body}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return parse_file(
        zipped({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content}), name="a.ods"
    ).text


def calc_cell(value: str, shown: str, more: str) -> str:
    return f'<table:table-cell office:value="{value}" {more}>{shown}</table:table-cell>'
