"""Check a database file for damage."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

_MAX_PROBLEMS = 20


async def find_damage(db: AsyncSession) -> list[str]:
    """A sentence for each broken page or index, and for each row that refers to a missing one; at most 20 of a kind."""
    pages = (await db.execute(text(f"PRAGMA quick_check({_MAX_PROBLEMS})"))).scalars()
    found = [f"The file is damaged: {problem}." for problem in pages if problem != "ok"]
    for row in (await db.execute(text("PRAGMA foreign_key_check"))).mappings().all()[:_MAX_PROBLEMS]:
        found.append(f"A row of {row['table']} points to one of {row['parent']} that does not exist.")
    return found
