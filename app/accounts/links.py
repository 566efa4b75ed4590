"""Signed links: addresses that let one user open one thing without a credential, for a few minutes.

Browsers send no `Authorization` header for links, pictures and frames. A link names its user and the credential that it
was made with, and both are checked when it is opened: what ends the credential, or the user's sign-ins, ends the link.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast
from urllib.parse import urlencode

from app import errors
from app.accounts.authentication import Authentication
from app.accounts.credential_cache import Caller, Via
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database

LINK_SECONDS = 600
"""Longest lifetime of a link; each lasts at least half as long, unless its credential expires before."""
SIGNATURE = "signature"
"""The parameter that signed links have."""

_SIGNED = ("user", "generation", "via", "credential", "expires")
_KEY_NAME, _KEY_BYTES = "links", 32
_STEP = LINK_SECONDS // 2  # links of one step are the same, so that browsers can cache their targets
_INVALID = "This link is invalid or has expired; ask for a new one."


@dataclass(frozen=True, slots=True)
class SignedLink:
    """A path with its signature, and when it expires."""

    url: str
    expires_at: datetime


class LinkSigner:
    """Signs links with a key in the database, which all processes share."""

    def __init__(self, database: Database, authentication: Authentication) -> None:
        self._database = database
        self._authentication = authentication
        self._key: bytes | None = None

    async def sign_path(self, caller: Caller, path: str) -> SignedLink:
        """A link to `path` for this caller. It expires no later than their credential, if that is known to expire."""
        expires = (int(time.time()) // _STEP + 2) * _STEP
        if caller.until is not None:
            expires = min(expires, int(caller.until.timestamp()))
        user, credential = caller.user, caller.credential_id or ""
        values = dict(zip(_SIGNED, (user.id, user.sign_in_generation, caller.via, credential, expires), strict=True))
        query = urlencode({**values, SIGNATURE: _compute_signature(await self._read_key(), path, values.values())})
        return SignedLink(f"{path}?{query}", datetime.fromtimestamp(expires, UTC))

    async def read_caller(self, path: str, query: Mapping[str, str]) -> Caller:
        """The user who made this link. Raises Unauthenticated if it is forged or has expired, or Unavailable."""
        values = [query.get(name, "") for name in _SIGNED]
        signature = _compute_signature(await self._read_key(), path, values).encode()
        if not hmac.compare_digest(signature, query.get(SIGNATURE, "").encode("utf-8", "surrogatepass")):
            raise errors.Unauthenticated(_INVALID)
        user_id, generation, via, credential_id, expires = values
        caller = await self._authentication.find_caller(user_id, cast("Via", via), credential_id)
        if caller is None or int(expires) <= time.time() or str(caller.user.sign_in_generation) != generation:
            raise errors.Unauthenticated(_INVALID)
        return caller

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


def _compute_signature(key: bytes, path: str, values: Iterable[object]) -> str:
    # The parts of our own links have no line breaks, so no other parts make the same text.
    text = "\n".join([path, *map(str, values)])
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
