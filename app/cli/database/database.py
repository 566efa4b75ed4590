"""`footnote migrate`, `backup` and `restore`: migrate the database, copy it while it is in use, and replace it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from app.cli.interrupts import CommandInterrupted
from app.cli.running import ExitCode, err, out
from app.database import opening, upgrade
from app.database.protocol import Database
from app.settings import read_settings


@asynccontextmanager
async def own_database(*, must_exist: bool = False) -> AsyncGenerator[Database]:
    """The database that the settings name, for as long as the block lasts. Raises StartError."""
    url = read_settings().database_url
    if must_exist:
        opening.require_database(url)
    async with opened_database(url) as database:
        yield database


@asynccontextmanager
async def opened_database(url: str | None, named_by: str = "DATABASE_URL") -> AsyncGenerator[Database]:
    """The database of a URL, for as long as the block lasts. Raises StartError, which names `named_by`."""
    database = opening.open_database(url, named_by)
    try:
        yield database
    finally:
        await database.close()


def print_lines(lines: Sequence[str]) -> None:
    """Print what was done."""
    for line in lines:
        out.print(line)


async def migrate() -> ExitCode:
    """Migrate to this version, and print the versions before and after. Ctrl-C may come too late. Raises StartError."""
    done: list[str] = []
    try:
        async with own_database() as database:
            with err.status(f"migrating {database.name}"):
                result = await upgrade.upgrade_database(database)
            change = (
                f"already at {result.now}"
                if result.before == result.now
                else f"{result.before or 'new'} → {result.now}"
            )
            done.append(f"{database.name}: {change}" + (f", backup {result.backup}" if result.backup else ""))
    except asyncio.CancelledError:
        if not done:
            raise CommandInterrupted("the database was not migrated.") from None
    print_lines(done)
    return ExitCode.OK


async def back_up(file: Path) -> ExitCode:
    """Copy the database. A server can keep running and writing. Ctrl-C may come too late."""
    done: list[str] = []
    try:
        async with own_database(must_exist=True) as database:
            with err.status(f"copying {database.name}"):
                size = await database.back_up(file)
            done.append(f"{file}: {size / 1e6:,.1f} MB, checked")
    except asyncio.CancelledError:
        if not done:
            raise CommandInterrupted("no backup was written.") from None
    print_lines(done)
    return ExitCode.OK


async def restore(file: Path) -> ExitCode:
    """Replace the database with a backup, and keep the old one next to it. Ctrl-C may come too late."""
    done: list[str] = []
    try:
        async with own_database() as database:
            with err.status(f"restoring {database.name}"):
                kept = await database.restore(file)
            done.append(f"{database.name}: restored from {file}")
            if kept is not None:
                done.append(f"The previous database is kept in {kept}")
    except asyncio.CancelledError:
        if not done:
            raise CommandInterrupted("nothing was restored.") from None
    print_lines(done)
    return ExitCode.OK
