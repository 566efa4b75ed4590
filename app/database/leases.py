"""Leases: rows owned by a process, and detection of dead owners.

Several processes may share one database. A row being worked on belongs to its process for as long as that runs. A dead
process is recognized by its process id if it ran where this process can see it; otherwise, or if its id was reused, by
a lease that is no longer renewed.
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
# Keeps the owner's whole name within a column of 200 characters.
_MAX_HOST_NAME = 100
# Linux only: the first changes whenever the machine boots; the second is one file for all processes that see the same
# process ids.
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_PROCESS_IDS = Path("/proc/self/ns/pid")


class LeaseOwner:
    """This process, as named in the rows that it works on; not a user who owns something."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._machine = _identify_machine()
        self.name = f"{self._machine}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
        self._clock = clock
        self._first_seen: dict[tuple[str, datetime], float] = {}

    def lease_end(self) -> datetime:
        """When a lease taken now ends. A new value is a sign of life to other processes."""
        return models.now() + LEASE

    def is_gone(self, owner: str | None, lease_until: datetime | None) -> bool:
        """Whether a row's owner is known to be dead. A row without a mark (owner and lease) belongs to nobody.

        If the process id is inconclusive, a lease has expired once this process has seen it unchanged for its whole
        length. The time in the lease does not count: it came from a clock that may have been wrong.
        """
        if owner is None or lease_until is None:
            return True
        if owner == self.name:
            return False
        machine, process_id, _ = owner.rsplit(":", 2)
        # Another owner with our own process id was an earlier process. Earlier versions wrote only the host
        # name, which is not unique.
        if machine == self._machine and (int(process_id) == os.getpid() or not _is_running(int(process_id))):
            return True
        return self.has_expired(owner, lease_until)

    def has_expired(self, owner: str, lease_until: datetime) -> bool:
        """Whether this process has seen this lease unchanged for longer than a lease lasts."""
        return self._seconds_unchanged(owner, lease_until) > LEASE.total_seconds()

    def _seconds_unchanged(self, owner: str, lease_until: datetime) -> float:
        """For how many seconds this process has seen the mark unchanged."""
        now = self._clock()
        if (owner, lease_until) not in self._first_seen:
            seen = self._first_seen.items()
            self._first_seen = {mark: since for mark, since in seen if now - since < _FORGET_SECONDS}
        return now - self._first_seen.setdefault((owner, lease_until), now)


def _identify_machine() -> str:
    """A name within which process ids are unique. Containers and cloned machines may share a host name."""
    try:
        started = f"/{_BOOT_ID.read_text(encoding='ascii').strip()}/{_PROCESS_IDS.stat().st_ino}"
    except OSError:  # not Linux: a machine has one set of process ids
        started = ""
    return socket.gethostname()[:_MAX_HOST_NAME] + started


def _is_running(process_id: int) -> bool:
    if sys.platform == "win32":  # where this call would end the process
        return True
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
