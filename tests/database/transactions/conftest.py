"""The database that transactions run on."""

from collections.abc import AsyncGenerator

import pytest

from app.database import opening
from app.database.protocol import Database


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    opened = opening.open_database(database_url)
    yield opened
    await opened.close()
