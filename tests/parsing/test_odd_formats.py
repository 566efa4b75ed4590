"""Damaged and hostile files of every format are refused for a reason, in bounded time; no worker's crash is unclear."""

import io
import os
import random
import stat
import sys
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import anyio
import openpyxl
import pytest
from anyio import CapacityLimiter, to_process

from app.cores import CORES
from app.errors import DocumentError
from app.knowledge.parsing import worker
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.isolation import split_safely
from app.knowledge.parsing.limits import ParsingLimits
from tests.files.office import archive, changed
from tests.files.ole import compound_file
from tests.files.pdf import pdf
from tests.files.sample import Sample
from tests.files.samples import SAMPLES

EVERY = [sample for samples in SAMPLES.values() for sample in samples]
REASONS = {"UNSUPPORTED", "EMPTY", "BROKEN", "ENCRYPTED", "NO_TEXT_LAYER", "TOO_LARGE"}
SHEET = "xl/worksheets/sheet1.xml"


def damage(data: bytes, choose: random.Random) -> bytes:
    """The file cut off, with bytes changed, with a piece repeated, or with the text inside its parts changed."""
    place, length = choose.randrange(len(data)), choose.choice((1, 4, 64, 1024))
    match choose.randrange(5):
        case 0:
            return data[:place]
        case 1:
            return data[:place] + choose.randbytes(length) + data[place + length :]
        case 2:
            return data[:place] + data[place : place + length] * 3 + data[place + length :]
        case 3:
            return data[:place] + data[place + length :]
        case _:
            return damage_parts(data, choose)


def damage_parts(data: bytes, choose: random.Random) -> bytes:
    """An archive whose parts are damaged, not the archive."""
    if not data.startswith(b"PK"):
        return data[::-1]
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        parts = {name: source.read(name) for name in source.namelist()}
    name = choose.choice([name for name, part in parts.items() if part])
    part = parts[name]
    place, length = choose.randrange(len(part)), choose.choice((1, 3, 40))
    noise = choose.choice((b"", b"<", b'"', b"&x;", b"99999999", b"-1", b"\xff", part[place : place + 200] * 5))
    return archive({**parts, name: part[:place] + noise + part[place + length :]})


def outcome(data: bytes, name: str) -> str:
    """The reason for which a file is refused, or READY."""
    try:
        document = parse_file(data, name=name)
    except DocumentError as error:
        assert "\n" not in error.message
        return error.reason
    assert all(start < end <= len(document.text) for start, end in document.line_spans)
    assert all(heading.offset <= len(document.text) for heading in document.headings)
    return "READY"


@pytest.mark.parametrize("sample", EVERY, ids=lambda sample: sample.name)
def test_damaged_files_are_read_or_refused(sample: Sample) -> None:
    choose = random.Random(sample.name)  # noqa: S311
    for _ in range(40):
        assert outcome(damage(sample.data, choose), sample.name) in {*REASONS, "READY"}


@pytest.mark.parametrize("sample", EVERY[::4], ids=lambda sample: sample.name)
def test_a_wrong_name_changes_nothing_that_content_tells(sample: Sample) -> None:
    for name in ("a.pdf", "a.docx", "a.xlsx", "a.msg", "a.epub", "a", "a.html"):
        assert outcome(sample.data, name) in {*REASONS, "READY"}


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "words words">'
    + b"".join(b'<!ENTITY %c "%s">' % (letter, b"&%c;" % (letter - 1) * 20) for letter in range(ord("b"), ord("j")))
    + b"]>"
)
OUTSIDE = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def with_entities(sample: Sample, part: str, before: bytes, entity: bytes) -> bytes:
    """The file with an entity in the text of one part."""

    def change(data: bytes) -> bytes:
        start = data.index(b"?>") + 2 if data.startswith(b"<?xml") else 0
        assert b"Opened" in data
        return before + data[start:].replace(b"Opened", entity + b" Opened")

    return changed(sample.data, part, change)


@pytest.mark.parametrize(
    ("kind", "part"), [("PPTX", "ppt/slides/slide2.xml"), ("ODT", "content.xml"), ("ODP", "content.xml")]
)
def test_entities_are_never_expanded(kind: str, part: str) -> None:
    sample = SAMPLES[kind][0]
    for before, entity in ((BOMB, b"&i;"), (OUTSIDE, b"&a;")):
        file = with_entities(sample, part, before, entity)
        try:
            text = parse_file(file, name=sample.name).text
        except DocumentError as error:
            assert error.reason == "BROKEN"
        else:
            assert "root:" not in text
            assert text.count("words") < 10


def far_apart() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Far", 0)
    sheet["A1"], sheet["XFD1048576"] = "a", "b"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def bomb(sample: Sample, part: str, size: int = 40_000_000) -> bytes:
    return changed(sample.data, part, lambda _: b" " * size)


def many_parts() -> bytes:
    message = EmailMessage()
    message.set_content("text")
    for number in range(1_001):
        message.add_attachment(b"a", maintype="text", subtype="plain", filename=f"{number}.txt")
    return bytes(message)


@pytest.mark.parametrize(
    ("name", "make", "reason"),
    [
        ("far.xlsx", far_apart, "TOO_LARGE"),
        ("bomb.xlsx", lambda: bomb(SAMPLES["XLSX"][0], SHEET), "TOO_LARGE"),
        ("bomb.ods", lambda: bomb(SAMPLES["ODS"][0], "content.xml"), "TOO_LARGE"),
        ("bomb.odt", lambda: bomb(SAMPLES["ODT"][0], "content.xml"), "TOO_LARGE"),
        ("bomb.pptx", lambda: bomb(SAMPLES["PPTX"][0], "ppt/slides/slide1.xml"), "TOO_LARGE"),
        ("bomb.epub", lambda: bomb(SAMPLES["EPUB"][0], "OEBPS/c 0.xhtml"), "TOO_LARGE"),
        ("bomb.zip", lambda: bomb(SAMPLES["ZIP"][0], "a.txt"), "TOO_LARGE"),
        ("nested.zip", lambda: archive({"a.zip": archive({"a.txt": b"words"})}), "UNSUPPORTED"),
        ("many.eml", many_parts, "TOO_LARGE"),
        ("deep.json", lambda: b'["word",' * 200_000 + b"1" + b"]" * 200_000, "READY"),
        ("groups.rtf", lambda: b"{\\rtf1 " + b"{\\b " * 4_000_000, "TOO_LARGE"),
        ("words.ipynb", lambda: b'{"cells": 5}', "BROKEN"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bombs_of_every_format(name: str, make: Callable[[], bytes], reason: str) -> None:
    assert outcome(make(), name) == reason


def test_headers_that_are_repeated_are_bounded() -> None:
    table = b"a" * 80 + b"," + b"b" * 80 + b"\n" + b"1,2\n" * 4_000
    assert len(parse_file(table, name="a.csv").text) > 600_000
    with pytest.raises(DocumentError) as caught:
        parse_file(table, name="a.csv", limits=ParsingLimits(characters=100_000))
    assert caught.value.reason == "TOO_LARGE"


async def test_damage_in_the_worker_is_told_as_damage() -> None:
    """Some parsers are native code, which may panic or abort; then the next file is read all the same."""
    limiter, choose = CapacityLimiter(1), random.Random(3)  # noqa: S311
    for kind in ("XLSX", "XLS", "ODS"):
        for sample in SAMPLES[kind]:
            for _ in range(10):
                try:
                    await split_safely(
                        damage(sample.data, choose),
                        name=sample.name,
                        media_type=None,
                        limits=ParsingLimits(),
                        limiter=limiter,
                    )
                except DocumentError as error:
                    assert error.reason in {*REASONS, "OUT_OF_MEMORY"}
            found = await split_safely(
                sample.data, name=sample.name, media_type=None, limits=ParsingLimits(), limiter=limiter
            )
            assert any(sample.says in chunk.text for chunk in found.chunks)


def test_a_password_of_old_excel_is_told() -> None:
    file = SAMPLES["XLS"][0].data
    record = b"\x42\x00\x02\x00"  # the code page's, which becomes that of a password
    assert file.count(record) == 1
    assert outcome(file.replace(record, b"\x2f\x00\x02\x00"), "a.xls") == "ENCRYPTED"


def test_messages_in_messages_are_read_to_a_depth() -> None:
    streams: dict[str, bytes] = {}
    for depth in range(6):
        folder = "__attach_version1.0_#00000000/__substg1.0_3701000D/" * depth
        streams[f"{folder}__properties_version1.0"] = bytes(32)
        streams[f"{folder}__substg1.0_1000001F"] = f"Letter {depth}.".encode("utf-16-le")
    document = parse_file(compound_file(streams), name="a.msg")
    assert [f"Letter {depth}." in document.text for depth in range(6)] == [True] * 4 + [False] * 2
    assert "Attachments that were not read: without a name" in document.text


async def test_what_native_code_prints_does_not_block_a_worker() -> None:
    """More than a pipe holds, as Rust prints when it panics."""
    worker_limiter = CapacityLimiter(1)
    await to_process.run_sync(worker.prepare_worker, ParsingLimits(), CORES, limiter=worker_limiter)
    with anyio.fail_after(60):
        printed = await to_process.run_sync(os.write, 2, bytes(1_000_000), limiter=worker_limiter, cancellable=True)
    assert printed == 1_000_000


RECOGNIZED = """#!/bin/sh
if [ "$1" = --list-langs ]; then echo "List of languages (3):"; echo deu; echo eng; echo osd; exit; fi
head -c 2 >> "$0.given"; cat > /dev/null
echo "$@" >> "$0.asked"
echo "Recognized words."
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Tesseract is a shell script")
def test_scans_and_pictures_are_recognized_where_tesseract_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture, scan = b"\x89PNG\r\n\x1a\n\0", pdf([[], []])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [outcome(picture, "a.png"), outcome(scan, "a.pdf")] == ["NO_TEXT_LAYER"] * 2
    program = tmp_path / "tesseract"
    program.write_text(RECOGNIZED)
    program.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")
    assert parse_file(picture, name="a.png").text == "Recognized words."
    document = parse_file(scan, name="a.pdf")
    assert (document.text, document.page_starts) == ("Recognized words.\n\nRecognized words.", (0, 19))
    assert (tmp_path / "tesseract.asked").read_text() == "stdin stdout -l eng+deu\n" * 3
    assert (tmp_path / "tesseract.given").read_bytes() == b"\x89PP5P5"
    program.write_text("#!/bin/sh\nexit 1\n")
    assert outcome(picture, "a.png") == "BROKEN"


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Tesseract is a shell script")
def test_a_scan_that_is_long_and_thin_is_recognized(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tesseract reads at most 32,767 dots on a side."""
    program = tmp_path / "tesseract"
    program.write_text(RECOGNIZED.replace("head -c 2", "head -n 1"))
    program.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")
    scan = pdf([[]]).replace(b"MediaBox[0 0 595 842]", b"MediaBox[0 0 0.001 144000]")
    assert parse_file(scan, name="a.pdf").text == "Recognized words."
    assert (tmp_path / "tesseract.given").read_bytes() == b"P5 1 32000 255\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Tesseract is a shell script")
def test_a_page_that_cannot_be_drawn_does_not_cost_a_scan_its_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "tesseract"
    program.write_text(RECOGNIZED)
    program.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")
    page, cropped = b"MediaBox[0 0 595 842]", b"MediaBox[0 0 595 842]/CropBox[700 900 800 950]"
    for number in range(3):
        before, *rest = pdf([[], [], []]).split(page)
        scan = before + b"".join((cropped if i == number else page) + part for i, part in enumerate(rest))
        document = parse_file(scan, name="a.pdf")
        starts = [19 * index - 17 * (index > number) for index in range(3)]
        assert (document.text.split(), list(document.page_starts)) == (["Recognized", "words."] * 2, starts)
    assert outcome(pdf([[], []]).replace(page, cropped), "a.pdf") == "BROKEN"
