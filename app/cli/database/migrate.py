"""`footnote migrate`: bring the database up to this version."""

from app.cli.running import Exit, out
from app.database import engine, upgrade
from app.settings import read_settings


async def migrate() -> Exit:
    """Migrate, and say from where to where. Raises StartError."""
    database = engine.open_database(read_settings().database_url or engine.DEFAULT_URL)
    try:
        done = await upgrade.upgrade(database)
    finally:
        await database.close()
    change = f"at {done.now} already" if done.before == done.now else f"{done.before or 'new'} → {done.now}"
    out.print(f"{database.url.database}: {change}" + (f", backup {done.backup}" if done.backup else ""))
    return Exit.OK
