"""What OpenDocument files hold beside paragraphs: each text once, at its place, and what is hidden not at all."""

import pytest

from app.knowledge.parsing.dispatch import parse_file
from tests.files.sample import zipped

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{path}:1.0"'
    for name, path in (
        *(("draw", "drawing"), ("svg", "svg-compatible")),
        *((each, each) for each in ("office", "text", "table", "style", "presentation", "chart")),
    )
)
BOX = "<draw:frame><draw:text-box><text:p>In a box.</text:p><text:p>Below.</text:p></draw:text-box></draw:frame>"
NOTE = (
    "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body>"
    "</text:note>"
)
STYLES = (
    '<style:style style:name="Up"><style:text-properties style:text-position="33% 58%"/></style:style>'
    '<style:style style:name="Down"><style:text-properties style:text-position="-33% 58%"/></style:style>'
    '<style:style style:name="Gone"><style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="Skipped"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
)
NUMBERS = (
    '<text:list-style style:name="L">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="." text:start-value="3"/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="2"/>'
    '<text:list-level-style-bullet text:level="3" text:bullet-char="x"/></text:list-style>'
    '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="I"/>'
    '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
    '<text:outline-level-style text:level="3" style:num-format=""/></text:outline-style>'
)


def write(body: str, kind: str = "text", styles: str = "", **objects: str) -> bytes:
    def root(inside: str) -> str:
        return f"<office:document-content {NAMES}>{inside}</office:document-content>"

    content = root(
        f"<office:automatic-styles>{STYLES}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    )
    parts = {f"{name}/content.xml": root(inside) for name, inside in objects.items()}
    named = {"styles.xml": root(f"<office:styles>{styles}</office:styles>")}
    return zipped({"mimetype": f"application/vnd.oasis.opendocument.{kind}", "content.xml": content, **named, **parts})


def paragraph(*inside: str) -> str:
    return f"<text:p>{''.join(inside)}</text:p>"


def row(*cells: str) -> str:
    written = (
        f"<table:table-cell>{each if '<text:p>' in each else paragraph(each)}</table:table-cell>" for each in cells
    )
    return f"<table:table-row>{''.join(written)}</table:table-row>"


def table(*rows: str) -> str:
    return f"<table:table>{''.join(rows)}</table:table>"


def read(body: str, **values: str) -> str:
    return parse_file(write(body, **values), name="a.odt").text


def test_a_table_in_a_cell_is_read_once() -> None:
    inner = paragraph("before") + table(row("one", "two")) + paragraph("after")
    assert read(table(row("Name", "Duties"), row("Ada", inner))) == "| Name: Ada; Duties: before one two after"


def test_boxes_and_notes_stand_below_what_holds_them() -> None:
    assert read(paragraph("Some", BOX, " words.", NOTE)).split("\n\n") == [
        "Some words.",
        "In a box.",
        "Below.",
        "A note.",
    ]
    text = read(table(row("Name", "Price"), row(f"Ada{BOX}", f"12{NOTE}")) + paragraph("Bye."))
    assert text.split("\n\n") == ["| Name: Ada; Price: 12", "In a box.", "Below.", "A note.", "Bye."]


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (
            "See <draw:frame><draw:image/><svg:title>Logo</svg:title><svg:desc>A blue logo</svg:desc></draw:frame>here",
            "See here",
        ),
        ('10<text:span text:style-name="Up">6</text:span> m', "10⁶ m"),
        ('10<text:bookmark-start/><text:bookmark-end/><text:span text:style-name="Up">6</text:span> m', "10⁶ m"),
        (
            'CO<text:span text:style-name="Down">2</text:span> in 5<text:span text:style-name="Down">2</text:span>',
            "CO2 in 52",
        ),
        ('Shown<text:span text:style-name="Gone"> hidden</text:span>.', "Shown."),
        ("<text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>kana</text:ruby-text></text:ruby>.", "漢字."),
    ],
)
def test_a_paragraph_is_what_readers_see(inside: str, text: str) -> None:
    assert read(paragraph(inside)) == text


def test_what_is_hidden_is_not_read() -> None:
    hidden = f'<text:section text:display="none">{paragraph("Hidden.")}</text:section>'
    assert read(hidden + paragraph("Shown.") + '<text:p text:style-name="Gone">Hidden.</text:p>') == "Shown."
    slides = "".join(
        f"<draw:page{style}><draw:frame><draw:text-box>{paragraph(words)}</draw:text-box></draw:frame></draw:page>"
        for words, style in (("One.", ""), ("Hidden.", ' draw:style-name="Skipped"'), ("Three.", ""))
    )
    assert parse_file(write(slides, "presentation"), name="a.odp").text == "Slide 1\n\nOne.\n\nSlide 3\n\nThree."


def test_items_and_headings_have_the_numbers_that_readers_see() -> None:
    def items(*inside: str, more: str = "") -> str:
        listed = "".join(f"<text:list-item>{each}</text:list-item>" for each in inside)
        return f'<text:list text:style-name="L"{more}>{listed}</text:list>'

    def heading(level: int, text: str) -> str:
        return f'<text:h text:outline-level="{level}">{text}</text:h>'

    body = (
        heading(1, "Rules")
        + items(paragraph("three") + items(paragraph("a"), paragraph("b") + items(paragraph("dot"))), paragraph("four"))
        + heading(2, "Terms")
        + items(paragraph("goes on"), more=' text:continue-numbering="true"')
        + heading(1, "Prices")
        + heading(3, "Plain")
        + items(paragraph("again"))
    )
    lines = read(body, styles=NUMBERS).split("\n")
    assert [line for line in lines if line] == [
        *("I Rules", "3. three", "  3.a) a", "  3.b) b", "    - dot", "4. four", "I.1 Terms", "5. goes on"),
        *("II Prices", "Plain", "3. again"),
    ]


@pytest.mark.parametrize(("synchronized", "marks"), [("false", ["z", "aa", "ab"]), ("true", ["z", "aa", "bb"])])
def test_after_z_come_the_letters_that_the_style_says(synchronized: str, marks: list[str]) -> None:
    level = f'text:level="1" style:num-format="a" text:start-value="26" style:num-letter-sync="{synchronized}"'
    style = f'<text:list-style style:name="L"><text:list-level-style-number {level}/></text:list-style>'
    items = "".join(f"<text:list-item>{paragraph('item')}</text:list-item>" for _ in marks)
    lines = read(f'<text:list text:style-name="L">{items}</text:list>', styles=style).split("\n")
    assert [line.removesuffix(" item") for line in lines if line] == marks


def test_charts_are_tables() -> None:
    headers = f"<table:table-header-rows>{row('', '2024', '2025')}</table:table-header-rows>"
    numbers = table(headers, row("North", "5", "6"))
    chart = f"<chart:chart><chart:title>{paragraph('Sales')}</chart:title>{numbers}</chart:chart>"
    body = paragraph(
        'See:<draw:frame><draw:object xlink:href="./Chart" xmlns:xlink="http://www.w3.org/1999/xlink"/></draw:frame>'
    )
    text = read(body, Chart=f"<office:body><office:chart>{chart}</office:chart></office:body>")
    assert text == "See:\n\nSales\n\n| North; 2024: 5; 2025: 6"
