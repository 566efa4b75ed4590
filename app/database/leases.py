"""Leases: rows owned by a process, and detection of dead owners.

Several processes may share one database. A row that is being worked on belongs to its process as long as that lives. On
this machine a dead process is found by its id; elsewhere, or when the id was reused, by a lease that is not renewed.
"""

import os
import socket
import sys
import time
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta

from app.database import models

LEASE = timedelta(seconds=60)
RENEW_SECONDS = 20.0
# Marks that have not been looked at for so long are forgotten.
_FORGET_SECONDS = 600.0


class Owner:
    """This process, as it stands in the rows it works on."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._host = socket.gethostname()
        self.name = f"{self._host}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
        self._clock = clock
        self._first_seen: dict[tuple[str, datetime], float] = {}

    def lease(self) -> datetime:
        """What a mark made now says, which differs from what it said before: that is the sign of life."""
        return models.now() + LEASE

    def is_gone(self, owner: str | None, lease_until: datetime | None) -> bool:
        """Whether the process behind a mark is known to be dead. A row without a mark belongs to nobody.

        Where its number does not tell, a lease has run out when it has stood unchanged for its length by the watch of
        this process: what it says itself was read off a clock that may have been wrong, or be wrong now.
        """
        if owner is None or lease_until is None:
            return True
        if owner == self.name:
            return False
        host, number, _ = owner.rsplit(":", 2)
        # Our own number in another's mark: it was a process before us, as in a container that was started again.
        if host == self._host and (int(number) == os.getpid() or not _is_running(int(number))):
            return True
        return self._seconds_unchanged(owner, lease_until) > LEASE.total_seconds()

    def _seconds_unchanged(self, owner: str, lease_until: datetime) -> float:
        """For how many seconds this process has seen the mark as it is."""
        now = self._clock()
        if (owner, lease_until) not in self._first_seen:
            seen = self._first_seen.items()
            self._first_seen = {mark: since for mark, since in seen if now - since < _FORGET_SECONDS}
        return now - self._first_seen.setdefault((owner, lease_until), now)


def _is_running(number: int) -> bool:
    if sys.platform == "win32":  # there, asking would end it
        return True
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
