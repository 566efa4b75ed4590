"""Parsing text, Markdown, HTML and Word files, and the reasons to refuse a file."""

import docx.document
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import DocumentError
from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.limits import ParsingLimits
from tests.files.office import archive, word
from tests.files.pdf import paragraph, pdf

JAPANESE = (
    "返品は、お届けから三十日以内にお願いいたします。\nソフトウェアは、開封後の返品ができません。"
    "送料はお客様のご負担となります。"
)
CHINESE = "商品可以在收到后三十天内退货\uff0c但是已经打开的软件不能退货。请先联系客服\uff0c然后寄回。"


def reason(data: bytes, name: str | None = None, limits: ParsingLimits | None = None) -> str:
    with pytest.raises(DocumentError) as caught:
        parse_file(data, name=name, limits=limits or ParsingLimits())
    assert caught.value.message.endswith(".")
    return caught.value.reason


def outline(document: ParsedDocument) -> list[tuple[int, str]]:
    for heading in document.headings:
        assert document.text.startswith(heading.text, heading.offset)
    return [(heading.level, heading.text) for heading in document.headings]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße, 中文 and more".encode(), "Grüße, 中文 and more"),
        ("Grüße".encode("utf-8-sig"), "Grüße"),
        ("Grüße".encode("utf-16"), "Grüße"),
        ("Plain words, no mark".encode("utf-16-le"), "Plain words, no mark"),
        ("Plain words, no mark".encode("utf-16-be"), "Plain words, no mark"),
        (JAPANESE.encode("utf-16-le"), JAPANESE),
        (JAPANESE.encode("utf-16-be"), JAPANESE),
        (CHINESE.encode("utf-16-le"), CHINESE),
        (CHINESE.encode("utf-16-be"), CHINESE),
        (JAPANESE.encode("cp932"), JAPANESE),
        (JAPANESE.encode("euc_jp"), JAPANESE),
        (CHINESE.encode("gb18030"), CHINESE),
        (CHINESE.encode("utf-8"), CHINESE),
        (JAPANESE.encode("iso2022_jp"), JAPANESE),
        ("보증 기간은 이 년입니다.".encode("iso2022_kr"), "보증 기간은 이 년입니다."),
        ("Straßenbahnen fahren über große Brücken".encode("cp1252"), "Straßenbahnen fahren über große Brücken"),
        ("Привет, как дела? Сегодня хорошая погода.".encode("cp1251"), "Привет, как дела? Сегодня хорошая погода."),
        (b"one\r\ntwo\rthree\x0cfour\x07\x1b", "one\ntwo\nthree\nfour"),
        ("e\u0301 so\u00adft \U000e0041hidden".encode(), "é soft hidden"),
    ],
)
def test_text_of_any_charset(data: bytes, text: str) -> None:
    assert parse_file(data, name="a.txt") == ParsedDocument(text, "text/plain")


def test_utf8_with_one_wrong_byte_stays_utf8() -> None:
    assert parse_file("ä".encode() * 500 + b"\xff").text == "ä" * 500 + "\ufffd"


@pytest.mark.parametrize("text", ["Größe", "保証期間", "Ünïcode 😀"])
def test_utf8_that_was_cut_within_a_character_stays_utf8(text: str) -> None:
    encoded = f"{text}ä".encode()
    assert parse_file(encoded[:-1]).text == text
    assert parse_file(f"保{text}".encode()[1:]).text == text


def test_one_letter_of_an_old_charset_at_the_end_is_not_cut_off() -> None:
    assert parse_file("Ein schönes Café".encode("cp1252")).text == "Ein schönes Café"
    assert parse_file("Nur ein Café".encode("cp1252")).text == "Nur ein Café"


@pytest.mark.parametrize("between", ["\n", " "])
def test_a_charset_is_known_by_letters_that_come_late(between: str) -> None:
    plain = between.join(["An ordinary line that says nothing."] * 4_000)
    late = "Später: große Straßenbahnen fahren über Brücken."
    assert len(plain) > 1 << 16
    assert parse_file(f"{plain}\n{late}".encode("cp1252")).text.endswith(late)
    assert parse_file(f"{plain} {late} {plain}".encode("cp1252")).text.count(late) == 1


def test_declared_charset() -> None:
    assert parse_file("Łódź".encode("iso-8859-2"), media_type="text/plain; charset=iso-8859-2").text == "Łódź"
    page = '<html><head><meta charset="windows-1251"></head><body>Привет</body></html>'
    assert parse_file(page.encode("cp1251")).text == "Привет"


def test_source_code_is_split_at_lines() -> None:
    document = parse_file(b"def f():\n    return 1\n", name="a.py")
    assert document.line_spans == ((0, len(document.text)),)


MARKDOWN = """---
title: "The guide"
# a comment: not a heading
---
# Guide *to* `things` {#top}

Setext
------

~~~sh
# no heading
~~~

```
## none here
``

### [Linked](http://x) heading ###
"""


def test_markdown() -> None:
    document = parse_file(MARKDOWN.encode(), name="guide.md")
    assert (document.text, document.title) == (MARKDOWN, "The guide")
    assert [(heading.level, heading.text) for heading in document.headings] == [(1, "Guide to things"), (2, "Setext")]
    assert [document.text[heading.offset] for heading in document.headings] == ["#", "S"]
    assert document.text[slice(*document.line_spans[0])] == "~~~sh\n# no heading\n~~~"
    assert document.line_spans[1][1] == len(MARKDOWN)  # never closed


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("`close([code][, reason])`", "close([code][, reason])"),
        ("The `<webview>` tag", "The <webview> tag"),
        ("`__init__` and **`*args`** {#init}", "__init__ and *args"),
        ("[`one`](#1) ![a `<b>` c](x.png) <i title=`x`> `two`", "one a <b> c two"),
    ],
)
def test_code_in_a_heading_is_shown_as_it_is(written: str, shown: str) -> None:
    document = parse_file(f"# {written}\n".encode(), name="guide.md")
    assert [heading.text for heading in document.headings] == [shown]


def test_markdown_is_recognized_by_its_text() -> None:
    assert parse_file(b"# Title\n\nSome **bold** text").title == "Title"
    assert parse_file(b"# a comment\nkey = value").media_type == "text/plain"
    assert parse_file(b"# Title\n\nSome **bold** text", name="a.txt").media_type == "text/plain"


def test_html_is_what_a_reader_sees() -> None:
    document = parse_file(
        b"""<!doctype html><title>Page &amp; more</title><body><nav>Menu</nav><header>Banner</header>
        <main><h1>Head<a class=headerlink>#</a></h1><p>One\n  two&nbsp;<b>th</b>ree &lt;4&gt;<br>five</p>
        <ul><li>a<ul><li>b</ul><li><p>c</p></ul><ol><li>x<li>y</ol>
        <table><tr><th>Name<th>Size<tr><td>A<td><p>1</p></table>
        <pre>def f():\n    pass</pre><div hidden>gone</div><p style="display: none">gone</p><h2>Sub</h2>tail</main>
        <footer>Imprint</footer><script>alert(1)</script>"""
    )
    assert document.text == (
        "Head\n\nOne two three <4>\nfive\n\n- a\n  - b\n- c\n\n1. x\n2. y\n\n"
        "| Name: A; Size: 1\n\ndef f():\n    pass\n\nSub\n\ntail"
    )
    assert (document.title, outline(document)) == ("Page & more", [(1, "Head"), (2, "Sub")])
    spans = [document.text[start:end] for start, end in document.line_spans]
    assert spans == ["| Name: A; Size: 1", "def f():\n    pass"]


def test_html_without_main_content_loses_its_boilerplate_only() -> None:
    assert parse_file(b"<html><body><nav>Menu</nav><p>Text</p><aside>Ad</aside>").text == "Text"
    assert parse_file(b"<html><body><header>All there is</header>").text == "All there is"
    table = b"<html><body><table><tr><td><h2>Left</h2><ul><li>x</ul><td>right</table>"
    assert parse_file(table).text == "Left\n\n- x\n\nright"


def test_deeply_nested_html() -> None:
    assert parse_file(b"<html><body>" + b"<div>" * 5_000 + b"deep").text == "deep"


def test_docx() -> None:
    def build(document: docx.document.Document) -> None:
        document.add_heading("Handbook", 0)
        document.add_heading("Leave", 1)
        document.add_paragraph("Ask first.\nThen go.")
        document.add_paragraph("one", style="List Bullet")
        document.add_paragraph("two", style="List Bullet")
        document.add_heading("Days", 2)
        table = document.add_table(2, 2)
        for index, text in enumerate(("Kind", "Days", "Paid", "30")):
            table.cell(index // 2, index % 2).text = text

    document = parse_file(word(build))
    assert document.text == (
        "Handbook\n\nLeave\n\nAsk first.\nThen go.\n\n- one\n- two\n\nDays\n\n| Kind: Paid; Days: 30"
    )
    assert (document.title, outline(document)) == ("Handbook", [(1, "Handbook"), (1, "Leave"), (2, "Days")])


@pytest.mark.parametrize(
    ("expected", "data", "name"),
    [
        ("EMPTY", b"", None),
        ("EMPTY", b" \n\t", "a.md"),
        ("EMPTY", b"<html><script>x</script></html>", None),
        ("EMPTY", word(lambda document: document.add_paragraph(" ")), None),
        ("UNSUPPORTED", b"\x00\x01\x02\xfftext" * 9, "a.txt"),
        ("UNSUPPORTED", b"7z\xbc\xaf\x27\x1c\x00", "a.7z"),
        ("UNSUPPORTED", b"<svg xmlns='x'><text>a</text></svg>", None),
        ("BROKEN", archive({"[Content_Types].xml": b"x", "ppt/presentation.xml": b"x"}), "a.pptx"),
        ("BROKEN", archive({"[Content_Types].xml": b"x", "xl/workbook.xml": b"x"}), "a.xlsx"),
        ("BROKEN", archive({"a.txt": b"x"}), "a.docx"),
        ("UNSUPPORTED", archive({"a.zip": archive({"a.txt": b"x"})}), "a.zip"),
        ("UNSUPPORTED", archive({"Index/Document.iwa": b"x"}), "a.pages"),
        ("UNSUPPORTED", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "a.doc"),
        ("ENCRYPTED", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "a.docx"),
        ("ENCRYPTED", pdf([paragraph("secret")], encrypted=True), None),
        ("BROKEN", b"%PDF-1.7\nand nothing more", None),
        ("BROKEN", b"PK\x03\x04" + bytes(100), "a.docx"),
        ("BROKEN", word(lambda document: document.add_paragraph("Text"))[:-2000], "a.docx"),
        ("BROKEN", archive({"[Content_Types].xml": b"<x", "word/document.xml": b"<x/>"}), None),
        ("BROKEN", bytes(range(256)), "a.pdf"),
        ("BROKEN", bytes(range(256)), "a.docm"),
        ("BROKEN", bytes(range(256)), "a.dotx"),
        ("NO_TEXT_LAYER", pdf([[], []]), None),
        ("TOO_LARGE", archive({"[Content_Types].xml": b"x", "word/document.xml": bytes(40_000_000)}), None),
    ],
)
def test_refusals(expected: str, data: bytes, name: str | None) -> None:
    assert reason(data, name) == expected


def test_limits_of_size() -> None:
    assert reason(pdf([paragraph("a")] * 3), limits=ParsingLimits(pages=2)) == "TOO_LARGE"
    for data in (b"word " * 50, b"<html><p>" + b"word " * 50, pdf([paragraph("word " * 50)])):
        assert reason(data, limits=ParsingLimits(characters=100)) == "TOO_LARGE"


@given(st.binary(), st.sampled_from([None, "a.txt", "a.md", "a.html", "a.docx", "a.pdf", "a.py"]))
def test_any_bytes_are_read_or_refused(data: bytes, name: str | None) -> None:
    try:
        text = parse_file(data, name=name).text
    except DocumentError:
        return
    assert text.encode()
    assert not any(character < " " and character not in "\n\t" for character in text)
