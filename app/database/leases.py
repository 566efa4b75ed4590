"""Leases: rows owned by a process, and detection of dead owners.

Several processes may share one database. A row being worked on belongs to its process for as long as that runs. A dead
process that this one could see is recognized by its id; any other, or one whose id was reused, by a lease that is not
renewed.
"""

import os
import socket
import sys
import time
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from app.database import models

LEASE = timedelta(seconds=60)
RENEW_SECONDS = 20.0
# Marks first seen longer ago than this are forgotten.
_FORGET_SECONDS = 600.0
# With the rest, it fits into a column of 200 characters.
_MAX_HOST_NAME = 100
# Of Linux: new whenever a machine starts, and the same file for all processes that see each other's ids.
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_PROCESS_IDS = Path("/proc/self/ns/pid")


class LeaseOwner:
    """This process, as named in the rows it works on; not a user who owns something."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._place = _find_place()
        self.name = f"{self._place}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
        self._clock = clock
        self._first_seen: dict[tuple[str, datetime], float] = {}

    def lease_end(self) -> datetime:
        """When a lease taken now ends. That it differs from the lease before is the sign of life."""
        return models.now() + LEASE

    def is_gone(self, owner: str | None, lease_until: datetime | None) -> bool:
        """Whether the process that marked a row is known to be dead. A row without a mark belongs to nobody.

        Where the process id does not tell, a lease has expired once this process has seen it unchanged for its whole
        length. The time in the lease itself does not count: it came from a clock that may have been wrong.
        """
        if owner is None or lease_until is None:
            return True
        if owner == self.name:
            return False
        place, number, _ = owner.rsplit(":", 2)
        # Another mark with our own process id: a process before us. Earlier versions gave the name of the host alone,
        # which others may have, too.
        if place == self._place and (int(number) == os.getpid() or not _is_running(int(number))):
            return True
        return self.has_expired(owner, lease_until)

    def has_expired(self, owner: str, lease_until: datetime) -> bool:
        """Whether nobody has renewed this mark for a whole lease, as far as this process has seen."""
        return self._seconds_unchanged(owner, lease_until) > LEASE.total_seconds()

    def _seconds_unchanged(self, owner: str, lease_until: datetime) -> float:
        """For how many seconds this process has seen the mark unchanged."""
        now = self._clock()
        if (owner, lease_until) not in self._first_seen:
            seen = self._first_seen.items()
            self._first_seen = {mark: since for mark, since in seen if now - since < _FORGET_SECONDS}
        return now - self._first_seen.setdefault((owner, lease_until), now)


def _find_place() -> str:
    """Where ids tell processes apart. Containers and copied machines may have the same host name."""
    try:
        started = f"/{_BOOT_ID.read_text(encoding='ascii').strip()}/{_PROCESS_IDS.stat().st_ino}"
    except OSError:  # not Linux, where one machine has one set of process ids
        started = ""
    return socket.gethostname()[:_MAX_HOST_NAME] + started


def _is_running(number: int) -> bool:
    if sys.platform == "win32":  # there, this signal would end the process
        return True
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
