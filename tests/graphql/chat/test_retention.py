"""How long projects keep their chat sessions."""

import asyncio
from datetime import timedelta
from pathlib import Path

import httpx
from sqlalchemy import update

from app.database import models, opening
from app.settings import Settings
from tests.graphql.access.people import plain
from tests.graphql.client import Client
from tests.looking import pause
from tests.serving import serve

KEEP = """mutation($input: UpdateProjectInput!) { updateProject(input: $input) {
  __typename ... on UpdateProjectPayload { project { retentionDays } }
  ... on ValidationError { issues { path code } } } }"""
LEFT = "query($id: ID!) { project(id: $id) { chatSessions { nodes { title } } } }"


async def age_sessions(database: Path, days: dict[str, float]) -> None:
    """Let these sessions have been used last so many days ago."""
    opened = opening.open_database(f"sqlite:///{database}")
    try:
        async with opened.begin() as db:
            for session, age in days.items():
                of_session = models.ChatSession.id == plain(session)
                then = models.now() - timedelta(days=age)
                await db.execute(update(models.ChatSession).where(of_session).values(last_activity_at=then))
    finally:
        await opened.close()


async def titles(client: Client, project: str) -> list[str]:
    """The sessions that are left."""
    nodes = (await client.run(LEFT, id=project))["project"]["chatSessions"]["nodes"]
    return sorted(node["title"] for node in nodes)


async def until_left(client: Client, project: str, expected: list[str]) -> None:
    """Wait until only these sessions are left."""
    async with asyncio.timeout(30):
        while await titles(client, project) != expected:
            await pause()


async def test_old_sessions_are_deleted_when_they_are_due(tmp_path: Path) -> None:
    settings = Settings.model_validate({"database_url": f"sqlite:///{tmp_path / 'footnote.db'}"})
    with serve(settings) as url:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, url)
            project, other = await client.project("kept a while"), await client.project("kept for ever")
            sessions = {age: await client.session(project, title=f"{age} days") for age in (2, 5, 29)}
            await age_sessions(tmp_path / "footnote.db", {id: age for age, id in sessions.items()})
            elsewhere = await client.session(other, title="old")
            await age_sessions(tmp_path / "footnote.db", {elsewhere: 4000})
            for refused in (0, -1, 36_501):
                issues = (await client.mutate(KEEP, id=project, retentionDays=refused))["issues"]
                assert issues == [{"path": ["retentionDays"], "code": "OUT_OF_RANGE"}]
            assert (await client.mutate(KEEP, id=project, retentionDays=10))["project"] == {"retentionDays": 10}
            await until_left(client, project, ["2 days", "5 days"])
            # Due two seconds after the server looks again: it sleeps until then.
            soon = 3 - 2 / 86_400
            await age_sessions(tmp_path / "footnote.db", {sessions[2]: soon})
            await client.mutate(KEEP, id=project, retentionDays=3)
            await until_left(client, project, ["2 days"])
            await until_left(client, project, [])
            assert (await client.mutate(KEEP, id=project, retentionDays=None))["project"] == {"retentionDays": None}
            assert await titles(client, other) == ["old"]
