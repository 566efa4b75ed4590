"""An empty database on the PostgreSQL of the tests, and one that is migrated."""

from collections.abc import AsyncGenerator, Generator

import pytest

from app.database import opening, upgrade
from app.database.protocol import Database
from tests import postgres


@pytest.fixture
def url() -> Generator[str]:
    with postgres.empty_database() as empty:
        yield empty


@pytest.fixture
async def database(url: str) -> AsyncGenerator[Database]:
    opened = opening.open_database(url)
    await upgrade.upgrade_database(opened)
    yield opened
    await opened.close()
