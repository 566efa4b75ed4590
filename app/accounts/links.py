"""Signed links: addresses that let one user open one thing without a credential, for a few minutes.

Browsers send no `Authorization` header for links, pictures and frames. A link names its user, whose access is checked
when it is opened; whatever ends the user's sign-ins ends their links, too.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

from app import errors
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database

LINK_SECONDS = 600
"""How long a link can be opened, at most; at least half as long."""
SIGNATURE = "signature"
"""The parameter that signed links have."""

_KEY_NAME, _KEY_BYTES = "links", 32
_STEP = LINK_SECONDS // 2  # links of one step are the same, so that browsers can keep what they lead to
_INVALID = "This link is not valid, or not any more; ask for a new one."


@dataclass(frozen=True, slots=True)
class SignedLink:
    """A path with its signature, and when it expires."""

    url: str
    expires_at: datetime


class LinkSigner:
    """Signs links with a key in the database, which all processes share."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._key: bytes | None = None

    async def sign_path(self, user: models.User, path: str) -> SignedLink:
        """A link to `path` for this user."""
        expires = (int(time.time()) // _STEP + 2) * _STEP
        signature = _signature(await self._read_key(), path, user, expires)
        query = urlencode({"user": user.id, "expires": expires, SIGNATURE: signature})
        return SignedLink(f"{path}?{query}", datetime.fromtimestamp(expires, UTC))

    async def read_user(self, path: str, query: Mapping[str, str]) -> models.User:
        """The user whose link was opened. Raises Unauthenticated if the link is forged, or has ended."""
        user_id, expires, signature = (query.get(name, "") for name in ("user", "expires", SIGNATURE))
        if not (expires.isascii() and expires.isdigit() and len(expires) < 12 and int(expires) > time.time()):
            raise errors.Unauthenticated(_INVALID)
        async with self._database.read() as db:
            user = await db.get(models.User, user_id)
        if user is None or user.disabled_at is not None:
            raise errors.Unauthenticated(_INVALID)
        wanted = _signature(await self._read_key(), path, user, int(expires))
        if not hmac.compare_digest(wanted.encode(), signature.encode("utf-8", "surrogatepass")):
            raise errors.Unauthenticated(_INVALID)
        return user

    async def _read_key(self) -> bytes:
        if self._key is None:
            async with self._database.read() as db:
                row = await db.get(models.SigningKey, _KEY_NAME)
            if row is None:
                async with self._database.begin(Lock.SIGNING_KEYS) as db:
                    row = await db.get(models.SigningKey, _KEY_NAME)
                    if row is None:
                        row = models.SigningKey(name=_KEY_NAME, key=secrets.token_bytes(_KEY_BYTES))
                        db.add(row)
            self._key = row.key
        return self._key


def _signature(key: bytes, path: str, user: models.User, expires: int) -> str:
    text = f"{path}\n{user.id}\n{user.sign_in_generation}\n{expires}"
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
