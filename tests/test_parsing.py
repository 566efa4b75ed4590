"""Parsing every file format, and every reason to refuse one."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import anyio.lowlevel
import docx.document
import pytest
import uvloop
from anyio import CapacityLimiter
from hypothesis import given
from hypothesis import strategies as st

from app.errors import DocumentError
from app.knowledge import chunking
from app.knowledge.parsed_documents import ParsedDocument, SplitDocument
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.isolation import split_safely
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.splitter import Splitter
from tests.evaluation.odd_files import children
from tests.files.office import archive, word
from tests.files.pdf import paragraph, pdf, typeset_pdf

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


def test_pdf_lines_become_paragraphs_on_exact_pages() -> None:
    def page(number: int) -> list[tuple[float, float, str]]:
        body = paragraph(
            "The first paragraph is wrapped at the end of every line, and the infor-",
            f"mation on page {number} goes on here with enough words to fill the whole line",
            "until it ends.",
        )
        return [
            (72, 800, "Annual report"),
            *body,
            *paragraph(f"Second paragraph {number}.", top=640),
            (290, 30, f"{number}"),
        ]

    document = parse_file(pdf([page(number) for number in range(1, 6)], title="Microsoft Word - Report.docx"))
    expected = [
        "The first paragraph is wrapped at the end of every line, and the information on page "
        f"{number} goes on here with enough words to fill the whole line until it ends.\n\nSecond paragraph {number}."
        for number in range(1, 6)
    ]
    assert document.text == "\n\n".join(expected)
    assert [document.text[start:].startswith("The first") for start in document.page_starts] == [True] * 5
    assert document.title == "Report"
    for chunk in chunking.split_document(document):
        assert f"page {chunk.page} goes" in document.text[chunk.start :][:120]


@pytest.mark.parametrize("title", ["(anonymous)", "anonymous", "(unspecified)", "Untitled-1", "Unknown"])
def test_a_generated_title_is_ignored(title: str) -> None:
    assert parse_file(pdf([paragraph("Words")], title=title)).title is None
    assert parse_file(pdf([paragraph("Words")], title=f"The {title} letters")).title == f"The {title} letters"


def test_empty_pages_count() -> None:
    document = parse_file(pdf([[], paragraph("Words"), [], paragraph("More words")]))
    assert [chunk.page for chunk in chunking.split_document(document)] == [2]
    assert document.page_starts == (0, 0, 5, 7)


@given(st.binary(max_size=300))
def test_odd_pdfs_are_refused(noise: bytes) -> None:
    whole = pdf([paragraph("Some words")])
    cut = len(noise) * len(whole) // 300
    try:
        parse_file(whole[:cut] + noise + whole[cut:])
    except DocumentError as error:
        assert error.reason in {"BROKEN", "NO_TEXT_LAYER", "ENCRYPTED", "EMPTY", "UNSUPPORTED"}


def test_a_line_of_a_pdf_may_begin_with_small_or_large_characters() -> None:
    lines = [
        "/F 6 Tf 4 Ts (2) Tj /F 10 Tf 0 Ts (The number of passengers rose to more than a million in the year after) Tj",
        "(the bridge was closed, and the company bought two ferries, which are larger than any other) Tj",
        "/F 18 Tf (•) Tj /F 10 Tf ( and, as all say who travelled on them, far more comfortable than all others) Tj",
        "(that it had before.) Tj",
    ]
    assert parse_file(typeset_pdf(lines)).text.replace("\n•", " •").replace("\n", " ") == (
        "2The number of passengers rose to more than a million in the year after the bridge was closed, and the "
        "company bought two ferries, which are larger than any other • and, as all say who travelled on them, far more "
        "comfortable than all others that it had before."
    )


def test_rows_of_a_table_in_a_pdf_are_lines() -> None:
    rows = [("Route of the ferry", "Passengers"), ("Ellery to Stonehaven", "702,118"), ("Ellery to Gull", "391,450")]
    placed = [(x, 700 - 14 * index, row[x > 72]) for index, row in enumerate(rows) for x in (72, 400)]
    expected = "Route of the ferry Passengers\nEllery to Stonehaven 702,118\nEllery to Gull 391,450"
    assert parse_file(pdf([placed])).text == expected


def test_lines_of_a_pdf_that_end_in_divided_words_are_of_one_paragraph() -> None:
    left = paragraph(
        "The order comes in seven days. The confir-",
        "mation is sent at once. It is a well-known",
        "habit of the house, and it is also well-",
        "known that the Saxe-Coburg and the Wettin-",
        "Ernest branches of the firm send theirs late.",
    )
    document = parse_file(pdf([[*left, (320, 700, "Our office is open on weekdays from nine to five.")]]))
    assert document.text.replace("\n", " ").startswith(
        "The order comes in seven days. The confirmation is sent at once. It is a well-known habit of the house, and "
        "it is also well-known that the Saxe-Coburg and the Wettin-Ernest branches of the firm send theirs late."
    )


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


SLOW = b"<html><p>" + b"<b><i>x</i></b>" * 500_000


async def _in_a_worker() -> None:
    limiter = CapacityLimiter(1)

    async def read(source: bytes | Path, limits: ParsingLimits) -> str:
        try:
            found = await split_safely(source, name=None, media_type=None, limits=limits, limiter=limiter)
        except DocumentError as error:
            return error.reason
        return found.chunks[0].text

    assert await read(b"hello", ParsingLimits()) == "hello"
    assert await read(SLOW, ParsingLimits(seconds=0.05)) == "TIMEOUT"
    assert await read(b"a new worker", ParsingLimits()) == "a new worker"
    assert await read(SLOW, ParsingLimits(memory_bytes=50_000_000)) == "OUT_OF_MEMORY"
    assert await read(b"the same worker", ParsingLimits()) == "the same worker"
    assert await read(pdf([[]]), ParsingLimits()) == "NO_TEXT_LAYER"
    with anyio.move_on_after(0.05) as scope:
        await read(SLOW, ParsingLimits())
    assert scope.cancelled_caught
    ticks = 0
    async with anyio.create_task_group() as tasks:

        async def wait() -> None:
            await read(SLOW, ParsingLimits(seconds=0.5))
            tasks.cancel_scope.cancel()

        tasks.start_soon(wait)
        while True:
            await anyio.lowlevel.checkpoint()
            ticks += 1
    assert ticks > 1000  # the event loop is free meanwhile


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_worker_is_killed_and_replaced(run: Callable[..., None]) -> None:
    run(_in_a_worker())


async def _until_the_worker_ends() -> None:
    limits, limiter = ParsingLimits(idle_seconds=1.0, seconds=2.0), CapacityLimiter(1)

    async def read(source: bytes) -> SplitDocument:
        return await split_safely(source, name=None, media_type=None, limits=limits, limiter=limiter)

    before = set(children(os.getpid()))
    for text in (b"one", b"another, by a new worker"):
        assert (await read(text)).chunks[0].text == text.decode()
        [worker] = set(children(os.getpid())) - before
        await ended(worker)
    with pytest.raises(DocumentError) as caught:
        await read(SLOW)
    assert caught.value.reason == "TIMEOUT", "it is not idle while it works"


async def ended(process: int) -> None:
    """Wait for the end of a child process."""
    watched = os.pidfd_open(process)
    try:
        await anyio.wait_readable(watched)
    finally:
        os.close(watched)


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_worker_without_work_ends(run: Callable[..., None]) -> None:
    run(_until_the_worker_ends())


STOPPED = """
import asyncio, tempfile
from pathlib import Path
from anyio import CapacityLimiter
from app.knowledge.parsing.isolation import split_safely
from app.knowledge.parsing.limits import ParsingLimits

async def stop():
    slow = b"<html><p>" + b"<b><i>x</i></b>" * 500_000
    folder = Path(tempfile.gettempdir())
    limiter = CapacityLimiter(1)
    work = split_safely(slow, name=None, media_type=None, limits=ParsingLimits(), limiter=limiter)
    reading = asyncio.create_task(work)
    while not [file for file in folder.rglob("*") if file.stat().st_size >= len(slow)]:
        assert not reading.done()
        await asyncio.sleep(0)
    while not reading.done():
        reading.cancel()
        await asyncio.sleep(0)
    print("left:", [file.name for file in folder.iterdir()])

asyncio.run(stop())
"""


def test_nothing_is_left_when_the_server_stops(tmp_path: Path) -> None:
    """Even if the cleanup task is cancelled again. Runs in its own process, since it leaks the worker's pipes."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    stopped = subprocess.run(
        [sys.executable, "-c", STOPPED], env=environment, capture_output=True, text=True, check=True
    )
    assert stopped.stdout == "left: []\n"


async def test_small_files_are_read_together_and_what_is_slow_by_itself() -> None:
    splitter = Splitter(ParsingLimits(), CapacityLimiter(1))
    one, empty, other = (
        (b"# One\n\nText.", None, "text/markdown"),
        (b" ", None, "text/plain"),
        (b"Two.", None, "text/plain"),
    )
    first, second, third = await splitter.split_together([one, empty, other]) or []
    assert isinstance(first, SplitDocument)
    assert isinstance(third, SplitDocument)
    assert (first.title, third.chunks[0].text) == ("One", "Two.")
    assert isinstance(second, DocumentError) or not second.chunks
    slow, portable = (SLOW, None, "text/html"), (pdf([paragraph("Words")]), None, "application/pdf")
    assert await splitter.split_together([slow, one]) is None
    assert await splitter.split_together([portable, one]) == []
    assert len(await splitter.split_together([one, other, portable, other]) or []) == 2


async def test_groups_of_small_files_share_a_worker_and_groups_of_large_ones_do_not() -> None:
    """Each worker that starts takes the time of hundreds of short texts."""
    splitter, before = Splitter(ParsingLimits(), CapacityLimiter(3)), set(children(os.getpid()))
    small = [(b"<p>" + b"Words. " * 1000, None, "text/html"), (b"Words. " * 3000, None, "text/plain")] * 2
    results = await asyncio.gather(*(splitter.split_together(small) for _ in range(3)))
    assert all(results)
    assert len(set(children(os.getpid())) - before) <= 1
    large = [(b"Words." + b" " * 300_000, None, "text/plain")]
    results = await asyncio.gather(*(splitter.split_together(large) for _ in range(3)))
    assert all(results)
    assert len(set(children(os.getpid())) - before) > 1


async def test_files_are_read_in_the_worker(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    await anyio.Path(path).write_text("# Title\n\nText")
    found = await split_safely(path, name="a.md", media_type=None, limits=ParsingLimits(), limiter=CapacityLimiter(1))
    assert found.title == "Title"
    with pytest.raises(FileNotFoundError):
        await split_safely(
            tmp_path / "none", name=None, media_type=None, limits=ParsingLimits(), limiter=CapacityLimiter(1)
        )


UNSTARTED = """
import asyncio, sys
from anyio import CapacityLimiter
from app.errors import Unavailable
from app.knowledge.parsing.isolation import split_safely
from app.knowledge.parsing.limits import ParsingLimits

async def read():
    sys.executable = sys.argv[1]
    limits = ParsingLimits(start_seconds=float(sys.argv[2]))
    try:
        await split_safely(b"text", name=None, media_type=None, limits=limits, limiter=CapacityLimiter(1))
    except Unavailable as error:
        print(error.message)

asyncio.run(read())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Python is a shell script")
@pytest.mark.parametrize(
    ("instead", "seconds", "why"),
    [("exit 1", 30, "the process ended while it was starting"), ("exec cat", 0.5, "the process did not start in time")],
)
def test_it_is_said_why_no_worker_starts(tmp_path: Path, instead: str, seconds: float, why: str) -> None:
    """Runs in its own process, since it leaks the pipes of what does not start."""
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{instead}\n")
    python.chmod(0o700)
    command = [sys.executable, "-W", "ignore", "-c", UNSTARTED, str(python), str(seconds)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout == f"No worker can read documents now: {why}.\n"
