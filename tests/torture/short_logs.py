"""DATABASE_URL in; the logs that ended a while ago made short, once, as a server does it three times a minute."""

import asyncio
import os

from app.chat.answer_log.compaction import Compaction
from app.database import engine

# So that there is a next group, however few answers were given.
_FEW = 2


async def main() -> None:
    """One round."""
    database = engine.open_database(os.environ["DATABASE_URL"])
    try:
        await Compaction(database, together=_FEW).run()
    finally:
        await database.close()


if __name__ == "__main__":
    asyncio.run(main())
