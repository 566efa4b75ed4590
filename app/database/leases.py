"""Who works on what: a process marks rows as its own; whether the process behind a mark is gone, out.

Several processes may share one database file. A row in work belongs to its process while that lives: on this machine
its number tells at once when it does not; a lease that was not renewed tells everywhere else, and when the number has
been given to somebody new.
"""

import os
import socket
import sys
import uuid
from datetime import datetime, timedelta

from app.database import models

LEASE = timedelta(seconds=60)
RENEW_SECONDS = 20.0


class Owner:
    """This process, as it stands in the rows it works on."""

    def __init__(self) -> None:
        self._host = socket.gethostname()
        self.name = f"{self._host}:{os.getpid()}:{uuid.uuid4().hex[:12]}"

    def lease(self) -> datetime:
        """Until when a mark made now is believed."""
        return models.now() + LEASE

    def is_gone(self, owner: str | None, lease_until: datetime | None) -> bool:
        """Whether the process behind a mark is known to be dead. A row without a mark belongs to nobody."""
        if owner is None or lease_until is None or lease_until < models.now():
            return True
        host, number, _ = owner.rsplit(":", 2)
        if owner == self.name or host != self._host:
            return False
        # Our own number in another's mark: it was a process before us, as in a container that was started again.
        return int(number) == os.getpid() or not _lives(int(number))


def _lives(number: int) -> bool:
    if sys.platform == "win32":  # there, asking would end it
        return True
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
