"""Remember for a few seconds who a valid credential belongs to, so that not every request queries the database.

A credential that is revoked is forgotten at once: here, and in the other processes of this machine when they are
notified. Processes elsewhere accept it for at most `seconds` longer.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.database import models
from app.notifier import topics
from app.notifier.protocol import Notifier

_MAX_CALLERS = 10_000

Via = Literal["OPEN", "SIGN_IN", "ACCESS_TOKEN", "IDENTITY"]
"""Kind of credential: none (sign-in is not required), a sign-in, an access token, or a JWT."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The user who sends a request, and their credential. `credential_id` is the id of the access token or sign-in.

    `until` is when the access token or JWT expires, if it does. `recheck_at` is when a long-lived connection must check
    the credential again, even if nothing is notified.
    """

    user: models.User
    via: Via
    credential_id: str | None = None
    until: datetime | None = None
    recheck_at: datetime | None = None

    @property
    def is_interactive(self) -> bool:
        """Whether a person signed in themselves, by password, link or being at the machine.

        A token or JWT only stands in for them: it cannot set a first password or create anything that outlives it.
        """
        return self.via in ("OPEN", "SIGN_IN")


class CredentialCache:
    """Callers by the hash of their credential, for a few seconds. 0 seconds disable the cache."""

    def __init__(self, notifier: Notifier, seconds: float = 2.0) -> None:
        self._notifier = notifier
        self._seconds = seconds
        self._callers: OrderedDict[str, tuple[float, Caller]] = OrderedDict()
        self.version = 0
        """Increases with every `forget_…`, so that a lookup that began before it is not cached after it."""

    def get(self, credential_hash: str) -> Caller | None:
        """The caller this credential belongs to, if cached."""
        until, caller = self._callers.get(credential_hash, (0.0, None))
        return caller if time.monotonic() < until else None

    def remember(self, credential_hash: str, caller: Caller, version: int, max_seconds: float | None = None) -> None:
        """Cache a caller that was looked up when `version` was current, for no longer than the credential is valid."""
        seconds = self._seconds if max_seconds is None else min(self._seconds, max_seconds)
        if version != self.version or seconds <= 0:
            return
        self._callers[credential_hash] = time.monotonic() + seconds, caller
        self._callers.move_to_end(credential_hash)
        if len(self._callers) > _MAX_CALLERS:
            self._callers.popitem(last=False)

    def forget_user(self, user_id: str) -> None:
        """Remove all credentials of a user from the cache, and notify: one of them may have ended. After the commit."""
        self.version += 1
        for key in [key for key, (_, caller) in self._callers.items() if caller.user.id == user_id]:
            del self._callers[key]
        self._notifier.notify(topics.ACCESS)

    def forget_all(self) -> None:
        """Empty the cache: another process has notified that a credential may have ended."""
        self.version += 1
        self._callers.clear()
