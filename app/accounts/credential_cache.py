"""Remember for a few seconds who a valid credential belongs to, so that not every request asks the database.

What is revoked here is forgotten here at once; another process believes it for at most `seconds` longer.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.database import models

_MOST = 10_000

Via = Literal["OPEN", "SIGN_IN", "ACCESS_TOKEN", "IDENTITY"]
"""What somebody showed: nothing (where nobody has to sign in), a sign-in, a token they made, or a JWT."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and by what; `credential_id` is the id of the access token or the sign-in.

    `until`: when the access token or the JWT expires that was shown, if it does.
    """

    user: models.User
    via: Via
    credential_id: str | None = None
    until: datetime | None = None

    @property
    def is_here(self) -> bool:
        """Whether this is the person: who typed the password, took the link, or sits at the machine.

        What else is shown stands for them within its own bounds: it sets no first password, and makes nothing that
        outlives it.
        """
        return self.via in ("OPEN", "SIGN_IN")


class CredentialCache:
    """Askers by the hash of their credential, for a few seconds; 0 seconds remember nothing."""

    def __init__(self, seconds: float = 2.0) -> None:
        self._seconds = seconds
        self._askers: OrderedDict[str, tuple[float, Asker]] = OrderedDict()
        self.version = 0
        """Grows with every `forget`: what was looked up before must not be remembered after."""

    def get(self, credential_hash: str) -> Asker | None:
        """Who this credential belongs to, if that is known."""
        until, asker = self._askers.get(credential_hash, (0.0, None))
        return asker if time.monotonic() < until else None

    def remember(self, credential_hash: str, asker: Asker, version: int, most_seconds: float | None = None) -> None:
        """Keep an asker that was looked up when `version` was current, at most so long as the credential is valid."""
        seconds = self._seconds if most_seconds is None else min(self._seconds, most_seconds)
        if version != self.version or seconds <= 0:
            return
        self._askers[credential_hash] = time.monotonic() + seconds, asker
        self._askers.move_to_end(credential_hash)
        if len(self._askers) > _MOST:
            self._askers.popitem(last=False)

    def forget(self, user_id: str) -> None:
        """Ask the database again about all credentials of a user."""
        self.version += 1
        for key in [key for key, (_, asker) in self._askers.items() if asker.user.id == user_id]:
            del self._askers[key]
