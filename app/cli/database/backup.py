"""`footnote backup` and `footnote restore`: copy the database while it is in use, check the copy, and put it back."""

from pathlib import Path

from app.cli.running import Exit, err, out
from app.database import backup, engine
from app.settings import read_settings


async def back_up(file: Path) -> Exit:
    """Copy the database; a server may go on serving and writing meanwhile."""
    url = read_settings().database_url or engine.DEFAULT_URL
    engine.must_exist(url)
    database = engine.open_database(url)
    try:
        with err.status(f"copying {database.url.database}"):
            size = await backup.backup(database, file)
    finally:
        await database.close()
    out.print(f"{file}: {size / 1e6:,.1f} MB, checked", markup=False)
    return Exit.OK


async def restore(file: Path) -> Exit:
    """Put a backup in the database's place; what was there is kept beside it."""
    database = engine.open_database(read_settings().database_url or engine.DEFAULT_URL)
    try:
        with err.status(f"restoring {database.url.database}"):
            kept = await backup.restore(database, file)
    finally:
        await database.close()
    out.print(f"{database.url.database}: restored from {file}", markup=False)
    if kept is not None:
        out.print(f"What was there before is in {kept}", markup=False)
    return Exit.OK
