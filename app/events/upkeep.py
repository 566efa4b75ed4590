"""Delete events that were kept long enough."""

import time
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from app.database.protocol import Database
from app.events import deliveries


class EventUpkeep:
    """Deletes events that were kept long enough, at most once an hour."""

    # How long events wait for a destination that the settings no longer name.
    _FORGOTTEN = timedelta(days=7)
    _PAUSE_SECONDS = 3600.0

    def __init__(self, database: Database, destinations: Sequence[str], kept: timedelta) -> None:
        self._database = database
        self._destinations = list(destinations)
        self._kept = kept
        self._next_at = 0.0

    async def delete_old_events(self) -> None:
        """Delete what is old, unless that was done within the last hour. Raises Unavailable."""
        if time.monotonic() < self._next_at:
            return
        find = partial(deliveries.find_old_rows, known=self._destinations, kept=self._kept, forgotten=self._FORGOTTEN)
        while old := await self._database.run_read(find):
            await self._database.run_write(partial(deliveries.delete_rows, rows=old))
        self._next_at = time.monotonic() + self._PAUSE_SECONDS
