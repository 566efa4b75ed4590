"""A database at the latest revision, built once by the migrations and copied for each test."""

import asyncio
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from app.database import opening, upgrade


def put(file: Path) -> None:
    """Copy one to this path, unless a database exists there."""
    if not file.exists():
        content = _made()
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as copy:
            copy.write(content)


@cache
def _made() -> bytes:
    async def make(url: str) -> None:
        database = opening.open_database(url)
        await upgrade.upgrade_database(database)
        await database.close()

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "footnote.db"
        with ThreadPoolExecutor(1) as elsewhere:  # who asks may be in an event loop
            elsewhere.submit(asyncio.run, make(f"sqlite:///{file}")).result()
        return file.read_bytes()
