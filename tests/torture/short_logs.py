"""Compact finished answers' logs once in the database of DATABASE_URL, as a server does three times a minute."""

import asyncio
import os

from app.chat.answer_log.compaction import Compaction
from app.database import opening

# So that there is a next group, however few answers were given.
_FEW = 2


async def main() -> None:
    """One round."""
    database = opening.open_database(os.environ["DATABASE_URL"])
    try:
        await Compaction(database, batch_size=_FEW).compact_old_logs()
    finally:
        await database.close()


if __name__ == "__main__":
    asyncio.run(main())
