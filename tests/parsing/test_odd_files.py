"""Files as people have them, not as the standard says: parsed all the same, or refused for the right reason."""

import json
import tempfile
from pathlib import Path

import pytest
from anyio import CapacityLimiter

from app.errors import DocumentError
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.parsing.isolation import split_safely
from app.knowledge.parsing.limits import ParsingLimits
from tests.answers import Start
from tests.files.office import changed, word
from tests.files.pdf import paragraph, pdf, slow_pdf
from tests.graphql.client import ADD_TEXT, INGESTION, Json, subscribe

TYPES = "[Content_Types].xml"
RELATIONS = "word/_rels/document.xml.rels"
DANGLING = b'<Relationship Id="rId99" Type="http://x/image" Target="NULL"/></Relationships>'
USUAL, STRICT = b"schemas.openxmlformats.org/wordprocessingml/2006/main", b"purl.oclc.org/ooxml/wordprocessingml/main"


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        (TYPES, b"openxmlformats-officedocument.wordprocessingml.document.main", b"ms-word.document.macroEnabled.main"),
        (TYPES, b"wordprocessingml.document.main", b"wordprocessingml.template.main"),
        (RELATIONS, b"</Relationships>", DANGLING),
        ("docProps/core.xml", b"</cp:coreProperties>", b""),
        ("word/document.xml", USUAL, STRICT),
        ("_rels/.rels", b"word/document.xml", b"/Word/Document.xml"),
    ],
    ids=["macros", "template", "dangling", "properties", "strict", "names"],
)
def test_files_that_word_opens_are_parsed(part: str, old: bytes, new: bytes) -> None:
    def change(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new)

    file = word(lambda document: document.add_heading("Words", 1))
    document = parse_file(changed(file, part, change), name="a.docx")
    assert (document.text, document.headings[0].text) == ("Words", "Words")


def test_a_text_that_mentions_pdf_is_not_a_pdf() -> None:
    assert parse_file(b"kind,begins with\nPDF,%PDF-1.7\n", name="kinds.csv").media_type == "text/csv"
    assert parse_file(b"Every PDF begins with %PDF- and a version.").media_type == "text/plain"
    whole = pdf([paragraph("Words")])
    for before in (b"", b"\xef\xbb\xbf", b"HTTP/1.1 200 OK\r\n\r\n", b"noise"):
        assert parse_file(before + whole).text == "Words"


def test_a_pdf_for_certificate_holders_is_protected() -> None:
    file = pdf([paragraph("secret")], encrypted=True)
    assert b"/Standard" in file
    with pytest.raises(DocumentError) as caught:
        parse_file(file.replace(b"/Standard", b"/AdobePKI"))
    assert caught.value.reason == "ENCRYPTED"


def test_comments_before_the_first_tag_take_little_time() -> None:
    comments = b"<!-- one -->\n" * 250
    assert parse_file(comments + b"<xml>Words</xml>", name="a.xml").media_type == "text/plain"
    assert parse_file(b"<?xml version='1.0'?>" + comments + b"<html><body>Words").text == "Words"
    with pytest.raises(DocumentError) as caught:
        parse_file(comments + b"<svg><text>Words</text></svg>")
    assert "image" in caught.value.message


def test_a_pdf_without_pages_does_not_get_another_files_error() -> None:
    reasons: list[str] = []
    for file in (pdf([paragraph("secret")], encrypted=True), pdf([])):
        with pytest.raises(DocumentError) as caught:
            parse_file(file)
        reasons.append(caught.value.reason)
    assert reasons == ["ENCRYPTED", "BROKEN"]


def test_an_endless_word_takes_little_time() -> None:
    letters = "a" * 30_000
    assert letters in parse_file(pdf([paragraph(letters, "infor-", "mation")])).text


async def test_native_code_out_of_memory_is_reported() -> None:
    """All PDFium can do then is abort; the worker's last output tells that from other crashes."""
    data = pdf([[(72, 700, "ab")] * 50_000])
    with pytest.raises(DocumentError) as caught:
        await split_safely(
            data, name=None, media_type=None, limits=ParsingLimits(memory_bytes=10_000_000), limiter=CapacityLimiter(1)
        )
    assert caught.value.reason == "OUT_OF_MEMORY"


TOGETHER = """mutation($project: ID!, $a: Upload!, $b: Upload!, $c: Upload!, $d: Upload!) {
  a: uploadDocument(input: { projectId: $project, file: $a }) { ...Id }
  b: uploadDocument(input: { projectId: $project, file: $b }) { ...Id }
  c: uploadDocument(input: { projectId: $project, file: $c }) { ...Id }
  d: uploadDocument(input: { projectId: $project, file: $d }) { ...Id } }
  fragment Id on UploadDocumentPayload { document { id } }"""


async def test_a_slow_document_delays_no_other(start: Start) -> None:
    """The first two occupy both workers for a moment, so that the last two start together."""

    files = {"a": b"One.", "b": b"Two.", "c": slow_pdf(), "d": b"Four."}
    client = start()
    variables: Json = {"project": await client.project("odd"), **dict.fromkeys(files)}
    response = await client.http.post(
        client.url,
        data={
            "operations": json.dumps({"query": TOGETHER, "variables": variables}),
            "map": json.dumps({name: [f"variables.{name}"] for name in files}),
        },
        files={name: (name, data) for name, data in files.items()},
        headers={"graphql-require-preflight": "1"},
    )
    ids = {name: added["document"]["id"] for name, added in response.json()["data"].items()}
    assert (await client.follow(INGESTION, document=ids["d"]))[-1]["__typename"] == "IngestionCompleted"
    read = await client.run("query($id: ID!) { document(id: $id) { status } }", id=ids["c"])
    assert read["document"]["status"] == "PROCESSING"


async def test_documents_wait_while_no_worker_can_start(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "temporary"
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    client = start()
    project = await client.project("waiting")
    # Long enough for a worker.
    added = await client.mutate(ADD_TEXT, projectId=project, title="One", text="One. " * 4_000)
    stages: list[str] = []
    async with client.socket() as socket:
        async for event in subscribe(socket, INGESTION, document=added["document"]["id"]):
            stages.append(event.get("stage") or event["__typename"])
            if stages == ["PARSING"] * 2:
                folder.mkdir()
    assert stages[-1] == "IngestionCompleted"
    assert not list(folder.iterdir())
