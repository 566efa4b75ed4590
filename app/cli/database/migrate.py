"""`footnote migrate`: migrate the database to this version."""

from app.cli.running import ExitCode, out
from app.database import opening, upgrade
from app.settings import read_settings


async def migrate() -> ExitCode:
    """Migrate, and print the versions before and after. Raises StartError."""
    database = opening.open_database(read_settings().database_url or opening.DEFAULT_URL)
    try:
        done = await upgrade.upgrade_database(database)
    finally:
        await database.close()
    change = f"already at {done.now}" if done.before == done.now else f"{done.before or 'new'} → {done.now}"
    out.print(f"{database.name}: {change}" + (f", backup {done.backup}" if done.backup else ""))
    return ExitCode.OK
