"""Ingestion: documents are added, replaced, failed and deleted; nothing is lost or left behind."""

import asyncio
import io
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from app import errors
from app.answer_options.document_filter import DocumentFilter, read_metadata
from app.database import pages
from app.knowledge.search.filters import LibraryOrder
from app.knowledge.search.queries import SearchQuery
from app.knowledge.uploads import NewDocument
from app.services import Backend
from app.statuses import DocumentStatus
from tests.documents import add, processed

REFUNDS = (
    "# Refund policy\n\nGoods may be returned within 30 days of delivery.\n\n## Exceptions\n\nOpened software stays.\n"
)


async def count(footnote: Backend, table: str, where: str = "true") -> int:
    async with footnote.database.read() as db:
        return (await db.execute(text(f"SELECT count(*) FROM {table} WHERE {where}"))).scalar_one()


async def traces(footnote: Backend) -> dict[str, int]:
    """Row counts of everywhere a document leaves data."""
    on_server = footnote.database.dialect == "postgresql"
    return {
        "documents": await count(footnote, "documents"),
        "originals": await count(footnote, "originals"),
        "chunks": await count(footnote, "chunks"),
        "full text": await count(footnote, "chunk_texts", "chunk_id > 0" if on_server else "rowid > 0"),
        "vectors": await count(footnote, "chunk_vectors" if on_server else "chunk_vectors_256"),
    }


async def test_a_document_becomes_searchable_with_locators(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    document = await add(footnote, project.id, REFUNDS, name="refunds.md")
    assert (document.status, document.title, document.version) == ("READY", "Refund policy", 1)
    assert (
        document.chunks_total
        == document.chunks_done
        == (await footnote.knowledge.library.count_chunks([document.id]))[0]
    )
    chunks = (await footnote.knowledge.library.list_chunks([document.id], pages.PageRequest()))[0].rows
    assert len(chunks) == document.chunks_total
    for chunk in chunks:
        assert REFUNDS[chunk.start_offset : chunk.end_offset] == chunk.text
    found = await footnote.knowledge.search.search_project(project.id, SearchQuery("How many days to return goods?"))
    assert "30 days" in found.passages[0].text
    assert found.threshold == 0.2
    assert 0.2 < found.passages[0].score <= 1


async def test_the_same_source_replaces_and_the_same_content_does_nothing(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    first = await add(footnote, project.id, REFUNDS, source="refunds.md")
    new = NewDocument("text/markdown", source="refunds.md")
    again, unchanged = await footnote.knowledge.library.add_document(project.id, new, io.BytesIO(REFUNDS.encode()))
    assert (again.id, again.version, unchanged) == (first.id, 1, True)
    second = await add(footnote, project.id, REFUNDS.replace("30 days", "14 days"), source="refunds.md")
    assert (second.id, second.version) == (first.id, 2)
    passages = (
        await footnote.knowledge.search.search_project(project.id, SearchQuery("days to return goods"))
    ).passages
    assert all("30 days" not in passage.text for passage in passages)
    assert any("14 days" in passage.text for passage in passages)
    assert (await traces(footnote))["originals"] == 1
    assert await footnote.knowledge.library.read_original(second) == REFUNDS.replace("30 days", "14 days").encode()


async def test_old_chunks_stay_until_the_new_version_is_ready_and_when_it_fails(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    await add(footnote, project.id, REFUNDS, source="refunds.md")
    failed = await add(footnote, project.id, b"%PDF-1.7 broken", source="refunds.md", media_type="application/pdf")
    assert failed.status == "FAILED"
    assert failed.failure_code == "BROKEN"
    found = await footnote.knowledge.search.search_project(project.id, SearchQuery("days to return goods"))
    assert "30 days" in found.passages[0].text
    assert await count(footnote, "originals") == 2
    broken = [b"%PDF-1.7 broken, once more", b"%PDF-1.7 broken, for good"]
    again = [await add(footnote, project.id, data, source="refunds.md") for data in broken]
    assert [document.status for document in again] == ["FAILED", "FAILED"]
    # What is searched, and the newest: of those between nothing is left.
    assert await count(footnote, "originals") == 2
    assert await footnote.knowledge.library.read_original(again[-1]) == broken[-1]


@pytest.mark.sqlite
async def test_a_vector_that_is_there_already_does_not_hold_up_a_document(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    await add(footnote, project.id, REFUNDS)
    next_chunk = "SELECT max(rowid) + 1, space, embedding FROM chunk_vectors_256"
    async with footnote.database.begin() as db:
        await db.execute(text(f"INSERT INTO chunk_vectors_256(rowid, space, embedding) {next_chunk}"))
    async with asyncio.timeout(60):
        document = await add(footnote, project.id, "# Bees\n\nBees dance.\n")
    assert document.status == "READY"
    assert await count(footnote, "chunk_vectors_256") == await count(footnote, "chunks")


async def test_deleting_leaves_no_trace(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    document = await add(footnote, project.id, REFUNDS)
    assert all((await traces(footnote)).values())
    await footnote.knowledge.library.delete_document(document.id)
    assert not any((await traces(footnote)).values())
    with pytest.raises(errors.NotFound):
        await footnote.knowledge.library.delete_document(document.id)


async def test_deleting_a_project_leaves_no_trace_and_others_alone(footnote: Backend) -> None:
    gone, kept = (
        await footnote.knowledge.projects.create_project("gone"),
        await footnote.knowledge.projects.create_project("kept"),
    )
    await add(footnote, gone.id, REFUNDS)
    await add(footnote, kept.id, REFUNDS)
    before = await traces(footnote)
    await footnote.knowledge.project_deletion.delete_project(gone.id)
    after = await traces(footnote)
    assert {name: rows // 2 for name, rows in before.items()} == after
    assert (await footnote.knowledge.search.search_project(kept.id, SearchQuery("refund"))).passages


@pytest.mark.parametrize(
    ("data", "media_type", "code", "says"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "image/png", "NO_TEXT_LAYER", "Tesseract"),
        (b"   \n\n ", "text/plain", "EMPTY", "no text"),
        (b"%PDF-1.7\nnothing more", "application/pdf", "BROKEN", "PDF"),
        (b"PK\x03\x04 broken", "application/zip", "BROKEN", ""),
    ],
)
async def test_unparsable_documents_fail_with_a_reason_and_disturb_nothing(
    footnote: Backend, data: bytes, media_type: str, code: str, says: str
) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    failed, good = await asyncio.gather(
        add(footnote, project.id, data, media_type=media_type, name="odd"), add(footnote, project.id, REFUNDS)
    )
    assert (failed.status, failed.failure_code, good.status) == ("FAILED", code, "READY")
    assert failed.failure_message is not None
    assert says in failed.failure_message
    assert failed.failure_message.endswith(".")


async def test_a_failed_document_can_be_retried_and_a_ready_one_cannot(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    failed = await add(footnote, project.id, b"   ", media_type="text/plain")
    retried = await footnote.knowledge.library.retry_document(failed.id)
    assert retried.status == "QUEUED"
    assert (await processed(footnote, failed.id)).failure_code == "EMPTY"
    ready = await add(footnote, project.id, REFUNDS)
    with pytest.raises(errors.Conflict, match="Only a failed document"):
        await footnote.knowledge.library.retry_document(ready.id)


async def test_empty_and_oversized_files_are_refused_at_once(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    with pytest.raises(errors.Invalid, match="no bytes"):
        await footnote.knowledge.library.add_document(project.id, NewDocument("text/plain"), io.BytesIO(b""))
    too_large = io.BytesIO(b"x" * (footnote.settings.max_upload_bytes + 1))
    with pytest.raises(errors.Invalid, match=r"larger than the 50,000,000 bytes allowed"):
        await footnote.knowledge.library.add_document(project.id, NewDocument("text/plain"), too_large)
    with pytest.raises(errors.Invalid, match="`title` must have at most 500"):
        await footnote.knowledge.library.add_document(
            project.id, NewDocument("text/plain", title="x" * 501), io.BytesIO(b"x")
        )
    with pytest.raises(errors.NotFound):
        await footnote.knowledge.library.add_document("0" * 32, NewDocument("text/plain"), io.BytesIO(b"x"))
    assert await count(footnote, "documents") == 0


class GrowingFile(io.BytesIO):
    """A log: it has one more line each time that it is read from the start."""

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        super().seek(0, io.SEEK_END)
        self.write(b"Foxes are red.\n" * 100_000)
        return super().seek(offset, whence)


async def test_a_file_that_grows_while_it_is_read_leaves_what_was_there(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    await add(footnote, project.id, "Owls.", source="a.log")
    before = await traces(footnote)
    with pytest.raises(errors.Conflict, match="changed while it was read"):
        await footnote.knowledge.library.add_document(
            project.id, NewDocument("text/plain", source="a.log"), GrowingFile(b"Foxes.")
        )
    [kept] = (await footnote.knowledge.library.list_documents([project.id], DocumentFilter(), pages.PageRequest()))[
        0
    ].rows
    assert (kept.version, kept.status, await traces(footnote)) == (1, "READY", before)


async def test_a_repeated_idempotency_key_adds_once(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    new = NewDocument("text/plain", title="a", idempotency_key="k")
    added = await asyncio.gather(
        *(footnote.knowledge.library.add_document(project.id, new, io.BytesIO(b"Hello.")) for _ in range(10))
    )
    assert len({document.id for document, _ in added}) == 1
    assert sum(not unchanged for _, unchanged in added) == 1


@pytest.mark.parametrize("other", [{"title": "b"}, {"url": "https://example.org"}, {"metadata": {"year": 2020}}])
async def test_an_idempotency_key_covers_everything_sent_with_a_document(
    footnote: Backend, other: dict[str, Any]
) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    new = NewDocument("text/plain", title="a", idempotency_key="k")
    added, _ = await footnote.knowledge.library.add_document(project.id, new, io.BytesIO(b"Hello."))
    with pytest.raises(errors.Conflict, match="used for another document"):
        await footnote.knowledge.library.add_document(project.id, replace(new, **other), io.BytesIO(b"Hello."))
    again, unchanged = await footnote.knowledge.library.add_document(project.id, new, io.BytesIO(b"Hello."))
    assert (again.id, again.title, unchanged) == (added.id, "a", True)


async def test_a_late_retry_does_not_bring_old_content_back(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")

    async def put(text: bytes, key: str) -> tuple[int, bool]:
        new = NewDocument("text/plain", title="a", source="a.txt", idempotency_key=key)
        document, unchanged = await footnote.knowledge.library.add_document(project.id, new, io.BytesIO(text))
        return document.version, unchanged

    assert await put(b"First.", "k1") == (1, False)
    assert await put(b"Second.", "k2") == (2, False)
    assert await put(b"First.", "k1") == (2, True)
    assert await put(b"Second.", "k3") == (2, True)
    with pytest.raises(errors.Conflict, match="used for another document"):
        await put(b"Third.", "k1")


async def test_documents_are_filtered_and_paged(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    for i in range(5):
        await add(
            footnote, project.id, f"Text {i}.", title=f"Report {i}", metadata={"year": 2020 + i, "kind": "report"}
        )
    await add(footnote, project.id, b"  ", title="Nothing", media_type="text/plain")
    which = DocumentFilter(
        status=frozenset({DocumentStatus.READY}), title_contains="report", metadata=read_metadata({"kind": "report"})
    )
    [first] = await footnote.knowledge.library.list_documents(
        [project.id], which, pages.PageRequest(first=2), LibraryOrder("TITLE")
    )
    assert [row.title for row in first.rows] == ["Report 0", "Report 1"]
    [rest] = await footnote.knowledge.library.list_documents(
        [project.id], which, pages.PageRequest(first=10, after=first.cursors[-1]), LibraryOrder("TITLE")
    )
    assert [row.title for row in rest.rows] == ["Report 2", "Report 3", "Report 4"]
    assert not rest.has_next
    assert await footnote.knowledge.library.count_documents(
        [project.id], DocumentFilter(metadata=read_metadata({"year": 2022}))
    ) == [1]
    failed = DocumentFilter(status=frozenset({DocumentStatus.FAILED}))
    assert await footnote.knowledge.library.count_documents([project.id], failed) == [1]


async def test_documents_of_a_dead_process_are_processed_again(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    document = await add(footnote, project.id, REFUNDS)
    async with footnote.database.begin() as db:
        await db.execute(text("UPDATE documents SET status = 'PROCESSING', stage = 'EMBEDDING', owner = NULL"))
    assert await footnote.knowledge.ingestion.queue.recover_abandoned() == 1
    assert (await processed(footnote, document.id)).status == "READY"
    assert (await traces(footnote))["chunks"] == document.chunks_total


@pytest.mark.parametrize(
    "values",
    [{name: "a\udcff"} for name in ("title", "source", "name", "idempotency_key")]
    + [{"url": "https://a.example/\udcff"}, {"metadata": {"a": ["\udcff"]}}, {"metadata": {"\udcff": 1}}],
)
async def test_half_a_character_refuses_one_document_and_not_those_added_with_it(
    footnote: Backend, values: dict[str, Any]
) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    good = (NewDocument("text/plain", source="emoji 🦊", metadata={"a": "🦊"}), io.BytesIO(b"Foxes."))
    bad = (NewDocument("text/plain", **values), io.BytesIO(b"Owls."))
    added, refused = await footnote.knowledge.library.add_documents(project.id, [good, bad])
    assert not isinstance(added, errors.FootnoteError)
    assert isinstance(refused, errors.Invalid)
    assert "must not contain U+0000 or half of a surrogate pair" in refused.message
    assert (await processed(footnote, added[0].id)).status == "READY"
