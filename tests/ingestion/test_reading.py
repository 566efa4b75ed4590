"""One document that stops its worker costs those that are queued with it next to nothing."""

import io
import sys
from pathlib import Path

import pytest
from anyio import CapacityLimiter

from app import errors
from app.database import models
from app.knowledge.ingestion.reading import DocumentReader
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.splitter import Splitter
from app.knowledge.uploads import NewDocument
from app.services import open_backend
from tests.conftest import MakeSettings
from tests.documents import processed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Python is a shell script")
# As large as a document may be that is claimed together with small ones, and slower to read than a group may be.
SLOW_HEADINGS = b"a\n=\n\n" * 97_000
SLOW_PAGE = b"<html><p>" + b"<b><i>x</i></b>" * 500_000


@pytest.fixture
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a line for each worker that was started."""
    started, python = tmp_path / "starts", tmp_path / "python"
    started.touch()
    python.write_text(f'#!/bin/sh\necho start >> "{started}"\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))
    return started


def count_starts(starts: Path) -> int:
    return len(starts.read_text().splitlines())


@pytest.mark.parametrize("place", [0, 15, 30])
async def test_a_group_that_fails_is_never_read_together_again(starts: Path, place: int) -> None:
    """Not even its first documents, and not when they are claimed again; those that come later are a new group."""
    reader = DocumentReader(Splitter(ParsingLimits(seconds=0.5), CapacityLimiter(1)))
    documents = [models.Document(id=str(number), title="", media_type="text/html") for number in range(31)]
    originals = {document.id: b"<p>Larks sing." for document in documents}
    originals[str(place)] = SLOW_PAGE
    assert await reader.read_together(documents, originals) == []
    assert count_starts(starts) == 1
    for number, document in enumerate(documents):
        assert await reader.read_together(documents[number:], originals) == []
        if number == place:
            with pytest.raises(errors.DocumentError, match="takes more"):
                await reader.read_document(document, originals[document.id])
        else:
            assert (await reader.read_document(document, originals[document.id])).split.chunks
    # Two were killed: by the group, and by the slow document.
    assert count_starts(starts) == 2 + (place < 30)
    documents.pop(place)
    assert len(await reader.read_together(documents, originals)) == 30


@pytest.mark.parametrize(
    ("workers", "data", "name", "media_type"),
    [
        (0, b"# Birds\n\nLarks sing.", "birds.md", "text/markdown"),
        (0, "Die Lerche trällert.".encode(), None, "text/plain"),
        (0, b"<p>is how a paragraph of HTML begins.", "notes.txt", "text/plain"),
        (1, "Die Lerche trällert.".encode("cp1252"), None, "text/plain"),
        (1, b"Larks sing. " * 2_000, None, "text/plain"),
        (1, b"<html><p>Larks sing.", None, "text/plain"),
        (1, b"a,b\n1,2", "birds.csv", "text/csv"),
    ],
)
async def test_only_short_texts_need_no_worker(
    starts: Path, workers: int, data: bytes, name: str | None, media_type: str
) -> None:
    splitter = Splitter(ParsingLimits(), CapacityLimiter(1))
    assert (await splitter.split(data, name, media_type)).chunks
    assert count_starts(starts) == workers
    assert len(await splitter.split_together([(data, name, media_type)] * 2) or []) == 2
    assert count_starts(starts) == workers


async def test_documents_queued_before_a_slow_one_are_ready(make_settings: MakeSettings, starts: Path) -> None:
    async with open_backend(make_settings(parse_seconds=2), "serve") as footnote:
        project = await footnote.knowledge.projects.create_project("larks")
        texts = [(NewDocument("text/plain", title=f"{n}"), io.BytesIO(b"Larks sing.")) for n in range(30)]
        slow = (NewDocument("text/markdown", title="slow"), io.BytesIO(SLOW_HEADINGS))
        added = [
            outcome
            for outcome in await footnote.knowledge.library.add_documents(project.id, [*texts, slow])
            if not isinstance(outcome, errors.FootnoteError)
        ]
        found = [await processed(footnote, document.id) for document, _ in added]
        assert [document.status for document in found[:30]] == ["READY"] * 30
        # Three workers read at the same time; two are killed.
        assert count_starts(starts) <= 5
