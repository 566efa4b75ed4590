"""How much of the disk a database takes beside its file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import httpx

from tests import newest
from tests.graphql.client import Client
from tests.graphql.documents.test_fair_ingestion import upload
from tests.serving import serve_in_process

LARGE = b"%PDF-1.7\n" + b"Much text. " * 700_000


async def test_the_log_gives_back_what_it_took_while_somebody_read_for_long(tmp_path: Path) -> None:
    """As a backup does: until it ends, nothing that others write can go into the file itself."""
    file, log = tmp_path / "footnote.db", tmp_path / "footnote.db-wal"
    newest.put(file)
    # In a process of its own: SQLite's locks are those of a process.
    with serve_in_process({"DATABASE_URL": f"sqlite:///{file}", "PROCESS_DOCUMENTS": "false"}) as (_, url):
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, url)
            project = await client.project("Large")
            with closing(sqlite3.connect(file, isolation_level=None)) as reader:
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM documents").fetchall()
                for number in range(4):
                    assert "document" in await upload(client, project, LARGE + b"%d" % number)
                assert log.stat().st_size > 4 * len(LARGE)
            for number in range(3):
                await client.project(f"Small {number}")
            assert log.stat().st_size < 3 * len(LARGE)
