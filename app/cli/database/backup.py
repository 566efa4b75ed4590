"""`footnote backup` and `footnote restore`: copy the database while it is in use, and replace it with a backup."""

import asyncio
from pathlib import Path

from app.cli.interrupts import CommandInterrupted
from app.cli.running import ExitCode, err, out
from app.database import opening
from app.settings import read_settings


async def back_up(file: Path) -> ExitCode:
    """Copy the database. A server can keep running and writing."""
    url = read_settings().database_url or opening.DEFAULT_URL
    opening.require_database(url)
    database = opening.open_database(url)
    try:
        with err.status(f"copying {database.name}"):
            size = await database.back_up(file)
        out.print(f"{file}: {size / 1e6:,.1f} MB, checked", markup=False)
    except asyncio.CancelledError:
        raise CommandInterrupted("no backup was written.") from None
    finally:
        await database.close()
    return ExitCode.OK


async def restore(file: Path) -> ExitCode:
    """Replace the database with a backup, and keep the old one beside it."""
    database = opening.open_database(read_settings().database_url or opening.DEFAULT_URL)
    try:
        with err.status(f"restoring {database.name}"):
            kept = await database.restore(file)
        out.print(f"{database.name}: restored from {file}", markup=False)
        if kept is not None:
            out.print(f"The previous database is kept in {kept}", markup=False)
    except asyncio.CancelledError:
        raise CommandInterrupted("nothing was restored.") from None
    finally:
        await database.close()
    return ExitCode.OK
