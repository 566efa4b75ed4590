"""What Word files hold beside paragraphs: notes, boxes, charts, formulas, numbers of lists, merged cells."""

import pytest

from app.knowledge.chunking import split_document
from app.knowledge.parsing.dispatch import parse_file
from tests.files.office import word_parts

LEVELS = (
    '<w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Chapter"/>'
    '<w:lvlText w:val="§ %1"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>'
    '<w:lvl w:ilvl="2"><w:numFmt w:val="bullet"/><w:lvlText w:val="\uf0b7"/></w:lvl>'
)
NUMBERING = (
    f'<w:abstractNum w:abstractNumId="7">{LEVELS}</w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="7"/>'
    '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
)
STYLES = (
    '<w:style w:styleId="Chapter"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    '</w:style><w:style w:styleId="Annex"><w:name w:val="Annex"/><w:basedOn w:val="Chapter"/></w:style>'
)
CHART = (
    "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>"
    '<c:barChart><c:ser><c:tx><c:v>2024</c:v></c:tx><c:cat><c:pt idx="0"><c:v>North</c:v></c:pt></c:cat>'
    '<c:val><c:pt idx="0"><c:v>5</c:v></c:pt></c:val></c:ser></c:barChart></c:plotArea></c:chart>'
)


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*inside: str, properties: str = "") -> str:
    runs = (each if each.startswith("<") else run(each) for each in inside)
    return f"<w:p><w:pPr>{properties}</w:pPr>{''.join(runs)}</w:p>"


def item(text: str, level: int, instance: int = 1) -> str:
    properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{instance}"/></w:numPr>'
    return paragraph(text, properties=properties)


def cell(*inside: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(*inside)}</w:tc>"


def table(*rows: str) -> str:
    return (
        f'<w:tbl><w:tblPr><w:tblLook w:firstRow="1"/></w:tblPr>{"".join(f"<w:tr>{row}</w:tr>" for row in rows)}</w:tbl>'
    )


def note(kind: str, text: str) -> str:
    return f'<w:{kind} w:id="2">{paragraph(text)}</w:{kind}>'


def refer(kind: str) -> str:
    return f'<w:r><w:{kind}Reference w:id="2"/></w:r>'


def read(body: str, **parts: str) -> str:
    return parse_file(word_parts(body, **parts), name="a.docx").text


HEADERS = cell("Region") + cell("Quarter") + cell("Sales")
MERGED, CONTINUED = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"


def test_notes_stand_below_what_refers_to_them() -> None:
    body = paragraph("Within a week.", refer("footnote")) + paragraph("By mail.", refer("endnote")) + paragraph("Bye.")
    notes = {f"{kind}s": note(kind, f"The {kind}.") for kind in ("footnote", "endnote")}
    assert read(body, **notes).split("\n\n") == ["Within a week.", "The footnote.", "By mail.", "The endnote.", "Bye."]


def test_notes_and_boxes_of_cells_stand_below_the_table() -> None:
    box = f"<w:r><w:pict><w:txbxContent>{paragraph('In a box.')}</w:txbxContent></w:pict></w:r>"
    body = table(cell("Region") + cell("Price"), cell("North", box) + cell("12", refer("footnote"))) + paragraph("Bye.")
    text = read(body, footnotes=note("footnote", "Without tax."))
    assert text.split("\n\n") == ["| Region: North; Price: 12", "In a box.", "Without tax.", "Bye."]


def test_a_cell_over_several_rows_counts_for_each() -> None:
    rows = [
        cell("North", properties=MERGED) + cell("Q1") + cell("10"),
        cell(properties=CONTINUED) + cell("Q2") + cell("20"),
    ]
    last = cell("South", properties=MERGED) + cell("Q1") + cell("30")
    assert read(table(HEADERS, *rows, last)).split("\n") == [
        "| Region: North; Quarter: Q1; Sales: 10",
        "| Region: North; Quarter: Q2; Sales: 20",
        "| Region: South; Quarter: Q1; Sales: 30",
    ]


def test_a_row_that_begins_later_stands_under_the_right_headers() -> None:
    late = '<w:trPr><w:gridBefore w:val="1"/></w:trPr>' + cell("Q2") + cell("20")
    assert read(table(HEADERS, cell("North") + cell("Q1") + cell("10"), late)).split("\n") == [
        "| Region: North; Quarter: Q1; Sales: 10",
        "| Quarter: Q2; Sales: 20",
    ]


def test_charts_are_tables() -> None:
    drawing = '<w:r><w:drawing><c:chart r:id="chart"/></w:drawing></w:r>'
    assert read(paragraph("See:", drawing), chart=CHART) == "See:\n\nSales\n\n| North; 2024: 5"


def test_items_and_headings_have_the_numbers_that_word_shows() -> None:
    heading = paragraph("Returns", properties='<w:pStyle w:val="Chapter"/>')
    body = (
        heading
        + item("first", 1)
        + item("second", 1)
        + item("point", 2)
        + paragraph("Prices", properties='<w:pStyle w:val="Annex"/>')
        + item("again first", 1)
        + item("begins again", 0, 2)
        + table(cell("Duty"), f"<w:tc>{item('one', 0, 2)}{item('two', 0, 2)}</w:tc>")
    )
    document = parse_file(word_parts(body, numbering=NUMBERING, styles=STYLES), name="a.docx")
    assert [line for line in document.text.split("\n") if line] == [
        *("§ 3 Returns", "  3.a) first", "  3.b) second", "    - point", "§ 4 Prices", "  4.a) again first"),
        *("§ 1 begins again", "| Duty", "| § 2 one § 3 two"),
    ]
    assert [heading.text for heading in document.headings] == ["§ 3 Returns", "§ 4 Prices"]
    assert [chunk.heading for chunk in split_document(document)] == [()]


def test_after_z_letters_are_repeated_as_in_word() -> None:
    level = LEVELS.replace('<w:start w:val="1"/><w:numFmt', '<w:start w:val="26"/><w:numFmt')
    body = "".join(item("item", 1) for _ in range(3))
    text = parse_file(word_parts(body, numbering=NUMBERING.replace(LEVELS, level)), name="a.docx").text
    assert [line.split()[0] for line in text.split("\n") if line] == ["3.z)", "3.aa)", "3.bb)"]


FRACTION = "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
POWER = "<m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (f"<m:oMath><m:r><m:t>E=m</m:t></m:r>{POWER}</m:oMath>", "It is E=mc^2."),
        (f"<m:oMath>{FRACTION}</m:oMath>", "It is (a+b)/2."),
        (f"<m:oMath><m:rad><m:e>{FRACTION}</m:e></m:rad></m:oMath>", "It is √((a+b)/2)."),
        (run("10") + run("-6", '<w:vertAlign w:val="superscript"/>') + run(" m"), "It is 10⁻⁶ m."),
        (run("10") + "<w:bookmarkEnd/>" * 2 + run("6", '<w:vertAlign w:val="superscript"/>'), "It is 10⁶."),
        (run("5") + run("th", '<w:vertAlign w:val="superscript"/>'), "It is 5th."),
        (run("5 ") + '<w:r><w:sym w:font="Symbol" w:char="F06D"/></w:r>' + run("g"), "It is 5 μg."),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>' + run(" paid"), "It is ☑ paid."),
        (run("shown") + run(" and hidden", "<w:vanish/>"), "It is shown."),
        (run("shown", '<w:vanish w:val="0"/>'), "It is shown."),
    ],
)
def test_formulas_and_symbols_are_read(inside: str, text: str) -> None:
    assert read(paragraph("It is ", inside, ".")) == text
