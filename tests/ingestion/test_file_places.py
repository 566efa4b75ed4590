"""Where the files of documents are is kept with the documents, and no client sees or names it."""

import io

from sqlalchemy import text

from app import services
from app.database import models, opening
from app.knowledge.uploads import FilePlace, NewDocument
from app.services import Backend
from tests import old_databases
from tests.conftest import MakeSettings


async def add(footnote: Backend, project_id: str, source: str, content: bytes, file: FilePlace) -> models.Document:
    new = NewDocument("text/plain", source=source, file_place=file)
    document, _ = await footnote.knowledge.library.add_document(project_id, new, io.BytesIO(content))
    return document


async def rows(footnote: Backend, table: str, column: str) -> list[str]:
    async with footnote.database.read() as db:
        return list(await db.scalars(text(f"SELECT {column} FROM {table}")))


async def test_a_document_has_the_place_of_its_latest_file(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    places = footnote.knowledge.library.places
    await add(footnote, project.id, "a.txt", b"Foxes.", FilePlace("here:/a.txt"))
    await add(footnote, project.id, "b.txt", b"Owls.", FilePlace("here:/b.txt"))
    assert await places.places_by_source(project.id) == {"a.txt": {"here:/a.txt"}, "b.txt": {"here:/b.txt"}}
    # It moves; its content is the same, or another.
    await add(footnote, project.id, "a.txt", b"Foxes.", FilePlace("here:/c.txt", {"here:/a.txt"}))
    await add(footnote, project.id, "b.txt", b"Larks.", FilePlace("here:/a.txt", {"here:/b.txt"}))
    moved = {"a.txt": {"here:/c.txt"}, "b.txt": {"here:/a.txt"}}
    assert await places.places_by_source(project.id) == moved
    # The command does not know of the file that another one has added: the document stays that one's.
    await add(footnote, project.id, "a.txt", b"Wolves.", FilePlace("here:/d.txt"))
    assert await places.places_by_source(project.id) == moved


async def test_places_go_with_their_documents(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("shop")
    first = await add(footnote, project.id, "a.txt", b"Foxes.", FilePlace("here:/a.txt"))
    await add(footnote, project.id, "b.txt", b"Owls.", FilePlace("here:/b.txt"))
    await footnote.knowledge.library.delete_document(first.id)
    assert await rows(footnote, "document_places", "place") == ["here:/b.txt"]
    await footnote.knowledge.project_deletion.delete_project(project.id)
    assert await rows(footnote, "document_places", "place") == []


async def test_places_of_earlier_versions_are_kept(make_settings: MakeSettings) -> None:
    """They were among the keys of clients; long paths were kept as checksums, which nothing finds any more."""
    settings = make_settings()
    async with services.open_backend(settings, "ingest") as footnote:
        project = await footnote.knowledge.projects.create_project("shop")
        for name in ("place", "checksum", "client's"):
            new = NewDocument("text/plain", source=name, idempotency_key=name)
            await footnote.knowledge.library.add_document(project.id, new, io.BytesIO(b"Foxes."))
    url = settings.database_url or ""
    await old_databases.go_back(url, "0028")
    database = opening.open_database(url)
    async with database.begin() as db:
        for name, key in (("place", "here:/a.txt"), ("checksum", "here:sha256:0a1b")):
            change = text("UPDATE document_keys SET key = :key WHERE key = :name")
            await db.execute(change, {"key": f"footnote-file:{key}", "name": name})
    await database.close()
    async with services.open_backend(settings, "ingest") as footnote:
        places = await footnote.knowledge.library.places.places_by_source(project.id)
        assert places == {"place": {"here:/a.txt"}, "checksum": set(), "client's": set()}
        assert await rows(footnote, "document_keys", "key") == ["client's"]


async def test_a_key_is_the_same_as_in_earlier_versions(footnote: Backend) -> None:
    """What a client gave is compared by its checksum, of which the place of a file is no part."""
    project = await footnote.knowledge.projects.create_project("shop")
    new = NewDocument("text/plain", title="a", idempotency_key="k", metadata={"year": 2020})
    await footnote.knowledge.library.add_document(project.id, new, io.BytesIO(b"Hello."))
    assert await rows(footnote, "document_keys", "sha256") == [
        "113d73a920ef59011fddd00564153f8656f5a520303f5ab2339d0de2259b9c45"
    ]
