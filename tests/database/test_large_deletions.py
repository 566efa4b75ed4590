"""Chat sessions go in small transactions, whatever they are deleted with: nobody waits long to write meanwhile."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func, insert, select

from app.database import models
from app.services import open_backend
from app.services.backend import Backend
from tests.conftest import MakeSettings
from tests.looking import pause
from tests.statements import recorded_work

_SESSIONS, _MESSAGES = 6, 200


async def fill_project(backend: Backend) -> tuple[str, str]:
    """A project and a user with some long sessions, which are old."""
    user = await backend.accounts.users.create("kim@example.com")
    project = await backend.knowledge.projects.create_project("Long")
    long_ago = models.now() - timedelta(days=100)
    for number in range(_SESSIONS):
        session = await backend.chat.sessions.create_session(project.id, user.id, {"title": f"{number}"})
        ids = [models.new_id() for _ in range(_MESSAGES)]
        rows = [
            {
                "id": id,
                "project_id": project.id,
                "session_id": session.id,
                "position": place + 1,
                "role": "ASSISTANT" if place % 2 else "USER",
                "content": "Is it far?",
                "status": "COMPLETED",
                "previous_id": ids[place - 1] if place else None,
            }
            for place, id in enumerate(ids)
        ]
        async with backend.database.begin() as db:
            (await db.get_one(models.ChatSession, session.id)).last_activity_at = long_ago
            await db.execute(insert(models.Message), rows)
    return project.id, user.id


@pytest.mark.parametrize("of", ["project", "user", "retention"])
async def test_long_sessions_are_deleted_in_small_transactions(make_settings: MakeSettings, of: str) -> None:
    settings = make_settings()
    async with open_backend(settings, "ask") as backend:
        project, user = await fill_project(backend)
        with recorded_work(settings) as work:
            if of == "project":
                await backend.knowledge.project_deletion.delete_project(project)
            elif of == "user":
                await backend.accounts.personal.erase_user(user)
            else:
                await backend.knowledge.projects.update_project(project, {"retention_days": 30})
                keeping = asyncio.create_task(backend.chat.retention.run())
                async with asyncio.timeout(30):
                    while await count_messages(backend):
                        await pause()
                keeping.cancel()
        deletions = [statement for statement in work.statements if statement.startswith("DELETE FROM chat_sessions")]
        assert len(deletions) == _SESSIONS * _MESSAGES // 400, "five hundred messages are the most that go at once"
        assert await count_messages(backend) == 0


async def count_messages(backend: Backend) -> int:
    """How many messages there are."""
    async with backend.database.read() as db:
        return await db.scalar(select(func.count()).select_from(models.Message)) or 0
