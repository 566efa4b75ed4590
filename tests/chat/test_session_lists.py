"""What a page of chat sessions costs: the same however many sessions others have in the project."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, insert

from app.chat.session_lists import SessionCriteria, SessionLists, SessionOrder
from app.database import models, opening
from app.database.pages import Page, PageRequest
from app.database.protocol import Database
from app.database.sqlite import driver
from tests import newest

Lists = Callable[[SessionLists, SessionOrder, PageRequest], Awaitable[Page[models.ChatSession]]]
OWN = 60
ORDERS = [
    SessionOrder(field, descending=desc) for field in ("CREATED", "LAST_ACTIVITY", "TITLE") for desc in (False, True)
]


async def of_project(lists: SessionLists, order: SessionOrder, window: PageRequest) -> Page[models.ChatSession]:
    return (await lists.list_by_project(["p"], SessionCriteria(archived=False), order, window, "me"))[0]


async def of_owner(lists: SessionLists, order: SessionOrder, window: PageRequest) -> Page[models.ChatSession]:
    return (await lists.list_by_project(["p"], SessionCriteria(), order, window, None))[0]


async def of_user(lists: SessionLists, order: SessionOrder, window: PageRequest) -> Page[models.ChatSession]:
    return await lists.list_by_user("me", SessionCriteria(archived=False), order, window, "me")


@asynccontextmanager
async def filled(file: Path, others: int) -> AsyncGenerator[Database]:
    """A database with a project in which I have some sessions, and others have many that they do not share."""
    newest.put(file)
    database = opening.open_database(f"sqlite:///{file}")
    try:
        async with database.begin() as db:
            db.add_all(models.User(id=id, email=f"{id}@example.org") for id in ("me", "other"))
            db.add(models.Project(id="p", name="p"))
            await db.flush()
            db.add(models.ProjectMember(project_id="p", user_id="me", role="VIEWER"))
            every = max(1, others // OWN)
            rows = [_row("other", number) for number in range(others)] + [_row("me", every * n) for n in range(OWN)]
            await db.execute(insert(models.ChatSession), rows)
        yield database
    finally:
        await database.close()


def _row(user: str, number: int) -> dict[str, Any]:
    id = f"{number:08}{user}"
    return {"id": id, "project_id": "p", "created_by": user, "title": f"title {number % 7} {id}", "shared": False}


async def steps(database: Database, file: Path, read: Lists, order: SessionOrder, window: PageRequest) -> int:
    """The steps that the database takes for a page, in hundreds."""
    sent: list[tuple[str, Sequence[Any]]] = []

    def record(connection: Connection, _: object, statement: str, parameters: Any, *__: object) -> None:
        if connection.engine.url.database == str(file) and statement.startswith("SELECT"):
            sent.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", record)
    try:
        page = await read(SessionLists(database), order, window)
    finally:
        event.remove(Engine, "before_cursor_execute", record)
    assert len(page.rows) == 20
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    raw = driver.choose_driver().module.connect(str(file))
    raw.set_progress_handler(step, 100)
    try:
        for statement, parameters in sent:
            raw.execute(statement, parameters).fetchall()
    finally:
        raw.close()
    return count


@pytest.mark.parametrize("read", [of_project, of_owner, of_user])
@pytest.mark.parametrize("order", ORDERS)
async def test_a_page_costs_the_same_in_a_large_project(tmp_path: Path, read: Lists, order: SessionOrder) -> None:
    found: list[list[int]] = []
    for others in (100, 4000):
        file = tmp_path / f"{others}.db"
        async with filled(file, others) as database:
            first = await read(SessionLists(database), order, PageRequest(20))
            windows = [PageRequest(20), PageRequest(20, first.cursors[-1]), PageRequest(last=20)]
            found.append([await steps(database, file, read, order, window) for window in windows])
    small, large = found
    assert all(many <= 1.2 * few + 2 for few, many in zip(small, large, strict=True)), (small, large)
