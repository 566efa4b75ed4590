"""Check the database file itself for damage."""

from sqlalchemy import text

from app.database.engine import Database

_MOST = 20


async def damage(database: Database) -> list[str]:
    """What the database's own checks find, one sentence each: broken pages and indexes, rows that point to none."""
    async with database.read() as db:
        pages = (await db.execute(text(f"PRAGMA quick_check({_MOST})"))).scalars()
        found = [f"The file is damaged: {problem}." for problem in pages if problem != "ok"]
        for row in (await db.execute(text("PRAGMA foreign_key_check"))).mappings().all()[:_MOST]:
            found.append(f"A row of {row['table']} points to one of {row['parent']} that does not exist.")
    return found
