"""A project is gone for everybody at once, whatever its size; nobody waits while its content is deleted."""

import asyncio

from sqlalchemy import text, update

from app import global_ids, services
from app.database import models
from app.database.protocol import Database
from tests.answers import Start
from tests.conftest import MakeSettings
from tests.graphql.embedding_models.switching import text_of
from tests.torture.load import DELETE_PROJECT

PROJECTS = "query($id: ID!) { project(id: $id) { id } projects(first: 10) { totalCount } }"
LEFT = ("projects", "project_members", "documents", "originals", "chunks", "chat_sessions", "messages")


def id_of(project: str) -> str:
    """The id by which the database knows a project."""
    found = global_ids.find("Project", project)
    assert found is not None
    return found


async def count_rows(database: Database) -> dict[str, int]:
    """How many rows each of the tables has."""
    async with database.read() as db:
        return {table: (await db.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one() for table in LEFT}


async def mark_deleted(database: Database, project_id: str) -> None:
    """What a process leaves behind that is killed while it deletes a project."""
    async with database.begin() as db:
        await db.execute(update(models.Project).where(models.Project.id == project_id).values(deleted_at=models.now()))


async def test_others_write_while_a_large_project_is_deleted(start: Start, make_settings: MakeSettings) -> None:
    client = start()
    large = await client.project("Large")
    await client.ready(large, "Apples", text_of(1200, "apple"))
    async with services.open_backend(make_settings(), "ask") as other:
        small = await other.knowledge.projects.create_project("Small")
        deletion = asyncio.create_task(other.knowledge.project_deletion.delete_project(id_of(large)))
        renaming = asyncio.create_task(other.knowledge.projects.update_project(small.id, {"name": "Tiny"}))
        done, _ = await asyncio.wait({deletion, renaming}, return_when=asyncio.FIRST_COMPLETED)
        assert done == {renaming}
        await asyncio.gather(deletion, renaming)
        assert await count_rows(other.database) == {**dict.fromkeys(LEFT, 0), "projects": 1}
        assert (await other.knowledge.check.check()).findings == []


async def test_an_interrupted_deletion_is_completed(start: Start, make_settings: MakeSettings) -> None:
    client = start()
    project = await client.project("Gone")
    await client.ready(project, "Larks", "Larks sing at dawn.")
    await client.answered(await client.session(project), "When do larks sing?")
    async with services.open_backend(make_settings(), "ask") as other:
        await mark_deleted(other.database, id_of(project))
        assert (await client.run(PROJECTS, id=project)) == {"project": None, "projects": {"totalCount": 0}}
        assert await other.knowledge.projects.project_names() == []
        kept = await count_rows(other.database)
        await other.knowledge.project_deletion.finish_deletions()
        assert (kept["chunks"], kept["messages"]) == (1, 2)
        assert await count_rows(other.database) == dict.fromkeys(LEFT, 0)
        assert (await other.knowledge.check.check()).findings == []


async def test_repeating_an_interrupted_deletion_completes_it(start: Start, make_settings: MakeSettings) -> None:
    client = start()
    project = await client.project("Gone")
    await client.ready(project, "Larks", "Larks sing at dawn.")
    async with services.open_backend(make_settings(), "ask") as other:
        await mark_deleted(other.database, id_of(project))
        deleted = [(await client.mutate(DELETE_PROJECT, id=project))["__typename"] for _ in "12"]
        assert deleted == ["DeleteProjectPayload", "NotFoundError"]
        assert await count_rows(other.database) == dict.fromkeys(LEFT, 0)
