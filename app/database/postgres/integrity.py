"""Check what PostgreSQL can tell about itself."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

_INVALID_INDEXES = text(
    "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE NOT (i.indisvalid AND i.indisready) AND n.nspname = current_schema() "
    # Those of vectors are made in the background, and made again if that was interrupted.
    "AND NOT starts_with(c.relname, 'chunk_vectors_near_') ORDER BY 1"
)
_UNCHECKED_KEYS = text(
    "SELECT conname, conrelid::regclass::text AS name FROM pg_constraint "
    "WHERE NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY 1"
)


async def find_damage(db: AsyncSession) -> list[str]:
    """A sentence for each index or constraint that does not hold. Pages are checked by `pg_amcheck`, not by us."""
    found = [
        f"The index {name} is not valid; REINDEX INDEX CONCURRENTLY {name} makes it again."
        for name in (await db.execute(_INVALID_INDEXES)).scalars()
    ]
    for row in (await db.execute(_UNCHECKED_KEYS)).all():
        found.append(f"The constraint {row.conname} of {row.name} was never checked.")
    return found
