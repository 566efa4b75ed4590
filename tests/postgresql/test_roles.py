"""What an administrator may have set for the user of the database: it is told, and work goes on when it is changed."""

import asyncio
import uuid
from collections.abc import Callable, Generator
from contextlib import AbstractAsyncContextManager

import httpx
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from app import errors
from app.database import opening, upgrade
from app.settings import Settings
from tests import postgres
from tests.graphql.client import CREATE_PROJECT, Client
from tests.looking import pause
from tests.serving import serve

RIGHTS = ("ALL ON ALL TABLES IN SCHEMA public", "ALL ON ALL SEQUENCES IN SCHEMA public")


@pytest.fixture
def url() -> Generator[str]:
    with postgres.fresh_database() as fresh:
        yield fresh


@pytest.fixture
def role(url: str) -> Generator[str]:
    """A user who may do everything with the rows of the database, which another owns."""
    name = f"kim_{uuid.uuid4().hex}"
    postgres.run_statements(f"CREATE ROLE {name} LOGIN", *(f"GRANT {each} TO {name}" for each in RIGHTS), url=url)
    yield name
    postgres.run_statements(f"DROP OWNED BY {name}", f"DROP ROLE {name}", url=url)


def as_user(url: str, role: str) -> str:
    """The same database, used by another user."""
    return make_url(url).set(username=role).render_as_string(hide_password=False)


async def wait_until_ready(http: httpx.AsyncClient, address: str) -> None:
    async with asyncio.timeout(60):
        while (await http.get(f"{address}/readyz")).status_code != 200:
            await pause()


async def test_a_user_who_may_not_write_is_told_and_work_goes_on_once_it_may(url: str, role: str) -> None:
    settings = Settings.model_validate({"database_url": as_user(url, role), "port": 0})
    async with httpx.AsyncClient(timeout=60) as http:
        with serve(settings) as address:
            client = Client(http, address)
            project = await client.project("Bees")
            postgres.run_statements(
                f"REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public FROM {role}", url=url
            )
            [refusal] = await client.errors(CREATE_PROJECT, input={"name": "More"})
            assert refusal["extensions"]["code"] == "UNAVAILABLE" and "should own the tables" in refusal["message"]
            health = (await http.get(f"{address}/health")).json()["components"]["database"]
            assert health["status"] == "DOWN"
            assert "its user lacks a right (permission denied for table projects)" in health["detail"]
            assert (await http.get(f"{address}/readyz")).status_code == 503
            postgres.run_statements(f"GRANT {RIGHTS[0]} TO {role}", url=url)
            await wait_until_ready(http, address)
            await client.ready(project, "Bees", "Bees make honey in hives.")


async def test_a_user_without_connections_left_is_told(url: str, role: str) -> None:
    postgres.run_statements(f"ALTER ROLE {role} CONNECTION LIMIT 0")
    database = opening.open_database(as_user(url, role))
    with pytest.raises(errors.Unavailable, match="no connection left"):
        await database.probe()
    await database.close()


async def test_transactions_share_the_connections_that_a_user_may_have(url: str, role: str) -> None:
    postgres.run_statements(f"ALTER ROLE {role} CONNECTION LIMIT 5")
    database = opening.open_database(as_user(url, role))
    await database.probe()
    sleep = text("SELECT pg_sleep(0.02)")

    async def begin(transaction: Callable[[], AbstractAsyncContextManager[AsyncSession]]) -> None:
        async with transaction() as db:
            await db.execute(sleep)

    def work(db: Session) -> None:
        db.execute(sleep)

    for _ in range(3):
        await asyncio.gather(
            *(begin(each) for each in (database.begin, database.read) for _ in range(8)),
            *(database.run_write(work) for _ in range(8)),
            *(database.run_read(work, slow=slow) for slow in (True, False) for _ in range(8)),
        )
    of_role = f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{role}'"
    assert postgres.fetch_value(url, of_role) == 5
    await database.close()


async def test_a_user_who_may_not_create_the_extension_is_told(role: str) -> None:
    with postgres.empty_database() as empty:
        postgres.run_statements(f"GRANT CREATE ON SCHEMA public TO {role}", url=empty)
        database = opening.open_database(as_user(empty, role))
        with pytest.raises(errors.StartError, match="ask an administrator to run `CREATE EXTENSION vector`"):
            await upgrade.upgrade_database(database)
        await database.close()
