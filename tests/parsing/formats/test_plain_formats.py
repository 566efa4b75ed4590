"""Notebooks, logs and markup: what readers see of their outputs, colors, comments and tables."""

import json

import pytest

from app.errors import DocumentError
from app.knowledge.chunking import split_document
from app.knowledge.parsing.dispatch import parse_file


def read_output(output: dict[str, object]) -> str:
    cells = [{"cell_type": "code", "source": "run()", "outputs": [output]}]
    text = parse_file(json.dumps({"nbformat": 4, "cells": cells}).encode(), name="a.ipynb").text
    return text.removeprefix("run()").strip("\n")


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"text": ["\x1b[31mred\x1b[0m and\n", "\x1b[1;32mgreen\x1b[0m"]}, "red and\ngreen"),
        ({"output_type": "error", "ename": "ValueError", "evalue": "bad \x1b[1m3"}, "ValueError: bad 3"),
        ({"data": {"text/markdown": "**5** kg", "text/plain": "<Markdown object>"}}, "**5** kg"),
        ({"data": {"text/plain": ["a\n", "b"], "text/html": "<p>a"}}, "a\nb"),
        ({"data": {"text/html": "<table><tr><th>A<th>B<tr><td>1<td>2</table>"}}, "| A: 1; B: 2"),
        ({"data": {"image/png": "AAAA"}}, ""),
    ],
)
def test_outputs_of_cells_are_read_as_they_are_shown(output: dict[str, object], text: str) -> None:
    assert read_output(output) == text


@pytest.mark.parametrize("between", [" ", "\n"])
def test_a_long_output_is_cut_between_numbers(between: str) -> None:
    numbers = [str(1_000_000 + number) for number in range(1_000)]
    kept = read_output({"text": between.join(numbers)}).removesuffix(" …").split(between)
    assert 100 < len(kept) < 300
    assert kept == numbers[: len(kept)]


@pytest.mark.parametrize("name", ["a.log", "a.yaml", "a.md"])
def test_colors_of_terminals_are_no_text(name: str) -> None:
    log = "\x1b[0;31mERROR\x1b[0m at \x1b]8;;file://x\x1b\\line 7\x1b]8;;\x07, \x1b(Bdone"
    assert parse_file(log.encode(), name=name).text == "ERROR at line 7, done"


@pytest.mark.parametrize("opening", ["Write `<!--` to comment.", "An arrow: <!-- no end", "<!-- a --> b <!--"])
def test_headings_stand_below_what_only_looks_like_a_comment(opening: str) -> None:
    text = f"{opening}\n\n# Returns\n\n{'Within a week. ' * 40}\n\n# Prices\n\n{'They are low. ' * 40}\n"
    assert [chunk.heading for chunk in split_document(parse_file(text.encode(), name="a.md"))][-1] == ("Prices",)


def test_comments_hide_their_headings() -> None:
    text = "<!--\n# Old\n\n# Older\n-->\n# New\n\nWords <!-- with a remark --> here.\n"
    document = parse_file(text.encode(), name="a.md")
    assert [heading.text for heading in document.headings] == ["New"]


GRID = """
+-------+-------+-------+
| Area  | Unit  | Price |
+=======+=======+=======+
| North | kg    | 5     |
| East  +-------+-------+
|       | piece | 6 or  |
+       |       | 7     |
+-------+-------+-------+
| closed in winter      |
+-------+-------+-------+
| South | kg    | 8     |
+-------+-------+-------+
"""


def test_grids_have_cells_over_several_rows() -> None:
    assert parse_file(GRID.encode(), name="a.rst").text.strip().split("\n") == [
        "| Area: North East; Unit: kg; Price: 5",
        "| Area: North East; Unit: piece; Price: 6 or 7",
        "| Area: closed in winter",
        "| Area: South; Unit: kg; Price: 8",
    ]


def test_a_simple_table_may_have_an_empty_first_cell() -> None:
    table = "=====  =====\nArea   Price\n=====  =====\nNorth  5\n\\      6\n=====  =====\n"
    assert parse_file(table.encode(), name="a.rst").text.strip() == "| Area: North; Price: 5\n| Price: 6"


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        ("|a\\|b |c", "| A: a|b; B: c"),
        ("2+|wide\n|x |y", "| A: wide\n| A: x; B: y"),
        (".2+|tall |x\n|y\n|z |w", "| A: tall; B: x\n| A: tall; B: y\n| A: z; B: w"),
        ("4*|same\n|x |y", "| A: same; B: same\n| A: same; B: same\n| A: x; B: y"),
        ("|x .2+^.>s|tall\n|y", "| A: x; B: tall\n| A: y; B: tall"),
        ("2.2+|big\n|x |y", "| A: big\n| A: big\n| A: x; B: y"),
    ],
)
def test_cells_of_asciidoc_stand_under_their_headers(cells: str, text: str) -> None:
    table = f"[options=header]\n|===\n|A |B\n\n{cells}\n|===\n"
    assert parse_file(table.encode(), name="a.adoc").text.strip() == text


def test_a_small_table_of_tall_cells_is_refused() -> None:
    table = f'[cols="{",".join("1" * 1000)}"]\n|===\n' + ".999+|a\n" * 3_000 + "|===\n"
    with pytest.raises(DocumentError, match="cells in a table"):
        parse_file(table.encode(), name="a.adoc")
