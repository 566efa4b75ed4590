"""Files of every format, uploaded: found, and cited with the place where people find the words in the file."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.knowledge.parsing.formats import Format
from tests.files.samples import SAMPLES, Sample
from tests.graphql.client import INGESTION, Client

UPLOAD = """mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) {
  __typename ... on UploadDocumentPayload { document { id } }
  ... on ValidationError { issues { path code message } } } }"""
SEARCH = """query($input: SearchInput!) { search(input: $input, first: 1) { edges { node {
  text locator { heading page } document { mediaType } } } } }"""
FORMATS = (
    "{ documentFormats { name mediaType uploadMediaTypes extensions needsTesseract available unavailableReason } }"
)
CITED = """query($id: ID!) { message(id: $id) { content citations { documentTitle heading quote } } }"""
# Their tests stand elsewhere, and so do those of pictures.
REAL = Path(__file__).parents[2] / "files" / "real"
ELSEWHERE = {"PDF", "DOCX", "HTML", "MARKDOWN", "TEXT", "PICTURE"}


async def upload(client: Client, project: str, name: str, data: bytes) -> Any:
    values = {"file": None, "projectId": project}
    response = await client.http.post(
        client.url,
        data={
            "operations": json.dumps({"query": UPLOAD, "variables": {"input": values}}),
            "map": json.dumps({"0": ["variables.input.file"]}),
        },
        files={"0": (name, data, "application/octet-stream")},
        headers={"graphql-require-preflight": "1"},
    )
    return response.json()["data"]["uploadDocument"]


async def ingest(client: Client, project: str, sample: Sample) -> None:
    added = await upload(client, project, sample.name, sample.data)
    happened = await client.follow(INGESTION, document=added["document"]["id"])
    assert happened[-1]["__typename"] == "IngestionCompleted", (sample.name, happened[-1])


def test_each_format_has_three_files_or_more() -> None:
    assert set(SAMPLES) == {each.name for each in Format} - ELSEWHERE
    assert all(len(samples) >= 3 for samples in SAMPLES.values())


async def test_the_api_lists_all_formats(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    listed = (await client.run(FORMATS))["documentFormats"]
    assert [each["mediaType"] for each in listed] == [each.media_type for each in Format]
    assert {each["name"] for each in listed if each["needsTesseract"]} == {"pictures (with Tesseract)"}
    assert all(each["available"] is not each["needsTesseract"] for each in listed)
    reasons = {each["unavailableReason"] for each in listed if not each["available"]}
    assert reasons == {"The text of pictures can be read only where Tesseract is installed on the server."}
    named = {each["name"]: each for each in listed}
    assert (named["CSV"]["extensions"], named["CSV"]["uploadMediaTypes"]) == (
        [".csv", ".tab", ".tsv"],
        ["text/csv", "text/tab-separated-values"],
    )
    program = tmp_path / "tesseract"
    program.touch(mode=0o700)
    listed = (await client.run(FORMATS))["documentFormats"]
    assert all(each["available"] and each["unavailableReason"] is None for each in listed)


def _name_last_row(heading: tuple[str, ...]) -> tuple[str, ...]:
    """The samples ask for what stands in the last of several rows: a citation names that row alone."""
    return tuple(re.sub(r"^(row|record)s \d+–(\d+)$", r"\1 \2", part) for part in heading)


@pytest.mark.parametrize("kind", SAMPLES)
async def test_a_format_is_found_and_cited(client: Client, kind: str) -> None:
    for sample in SAMPLES[kind]:
        project = await client.project(sample.name)
        await ingest(client, project, sample)
        found = await client.run(SEARCH, input={"projectId": project, "query": sample.query})
        chunk = found["search"]["edges"][0]["node"]
        assert tuple(chunk["locator"]["heading"]) == sample.heading, sample.name
        assert sample.says in chunk["text"], sample.name
        assert chunk["document"]["mediaType"] == Format[kind].media_type
        session = await client.session(project)
        answer = await client.answered(session, f"What is known of {sample.query}?")
        message = (await client.run(CITED, id=answer))["message"]
        cited = sample.cited or _name_last_row(sample.heading)
        assert tuple(message["citations"][0]["heading"]) == cited, (sample.name, message)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.exe", b"MZ\x90\0\3", "Programs cannot be read. Footnote reads PDF, Word"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c\0", "7z archives cannot be read"),
        ("a.mp3", b"ID3\3\0", "Audio files cannot be read"),
        (
            "a.doc",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
            "Files of old Office formats (.doc, .ppt) cannot be read; save them as .docx or PDF. Footnote reads",
        ),
        ("a.ps", b"%!PS-Adobe-3.0", "PostScript files cannot be read; save them as PDF."),
        ("a.bin", bytes(range(256)), "Binary files of an unknown kind cannot be read."),
    ],
)
async def test_what_can_never_be_read_is_refused_when_it_arrives(
    client: Client, name: str, data: bytes, says: str
) -> None:
    project = await client.project(f"never {name}")
    added = await upload(client, project, name, data)
    [issue] = added["issues"]
    assert (issue["path"], issue["code"]) == (["file"], "UNSUPPORTED")
    assert says in issue["message"]
    assert "\n" not in issue["message"]
    listed = await client.run("query($id: ID!) { project(id: $id) { documents { totalCount } } }", id=project)
    assert listed["project"]["documents"]["totalCount"] == 0


@pytest.mark.parametrize(
    ("name", "question", "told", "title"),
    [
        ("pandoc.pptx", "Which harbour fees apply?", "The mooring fee is due", "Slide 3: Fees"),
        ("odfdo.odp", "Who is the staff of the harbour?", "Ingrid Solheim", "Slide"),
        ("openpyxl.xlsx", "What do the sheets say about fees?", "do not contain the answer", "Sheet"),
    ],
)
async def test_titles_of_slides_and_names_of_sheets_are_no_answers(
    client: Client, name: str, question: str, told: str, title: str
) -> None:
    project = await client.project(name)
    added = await upload(client, project, name, (REAL / name).read_bytes())
    await client.follow(INGESTION, document=added["document"]["id"])
    answer = (await client.run(CITED, id=await client.answered(await client.session(project), question)))["message"]
    assert told in answer["content"]
    assert not any(citation["quote"].startswith(title) for citation in answer["citations"])
    assert title not in answer["content"]
