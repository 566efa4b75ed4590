"""Verify JWTs of the identity provider: signature, issuer, audience and times.

The provider's keys (JWKS) are fetched when first needed, and again when they are old or a token names an unknown key.
Refetching is rate-limited, because anybody can make up a key name. The keys are kept while the provider is down.
"""

import asyncio
import json
import logging
import math
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jwt.algorithms import OKPAlgorithm

from app import errors, safe_text
from app.accounts import email_addresses
from app.accounts.identity_provider.claims import Claims
from app.addresses import is_loopback

log = logging.getLogger(__name__)

# Asymmetric algorithms only: with HS256, anybody who knows the public key could sign tokens with it.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")

# The name that RFC 9864 gives to EdDSA with this curve, the only one that is accepted.
_ED25519 = "Ed25519"
with suppress(ValueError):  # the library knows it
    jwt.register_algorithm(_ED25519, OKPAlgorithm())

_RSA = ALGORITHMS[:6]
_CURVES = {
    ("EC", "P-256"): ("ES256",),
    ("EC", "P-384"): ("ES384",),
    ("EC", "P-521"): ("ES512",),
    ("OKP", "Ed25519"): ("EdDSA",),
}

# How far the provider's clock may be off.
_LEEWAY_SECONDS = 30
MAX_BYTES = 256 * 1024
MAX_KEYS = 100
_MIN_RSA_BITS = 2048
_MAX_SUBJECT = 255
# Seconds since 1970. Later expiry times are capped to this.
_FAR = 10**11

# Uncompressed: a few compressed bytes can expand to a huge body.
_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}

_WRONG = "This token is not accepted."


@dataclass(frozen=True, slots=True)
class _Key:
    """A public key, and the algorithms it may verify."""

    name: str | None
    algorithms: frozenset[str]
    key: Any


@dataclass(frozen=True, slots=True)
class KeyTimes:
    """When keys are fetched, and how long they are trusted, in seconds.

    `refetch`: the least time between two fetches. `fresh`: after this time, keys are fetched again in the background.
    `kept`: how long they are used while the provider is down; a key that it has withdrawn must not be trusted forever.
    `fetch`: how long a fetch may take.
    """

    refetch: float = 30.0
    fresh: float = 3600.0
    kept: float = 86_400.0
    fetch: float = 5.0


class IdentityProvider:
    """One issuer and its keys. Raises StartError for an algorithm or a URL that is not safe."""

    def __init__(
        self,
        issuer: str,
        jwks_url: str,
        audience: str,
        algorithms: Sequence[str],
        times: KeyTimes = KeyTimes(),
    ) -> None:
        if not algorithms or set(algorithms) - set(ALGORITHMS):
            allowed = ", ".join(ALGORITHMS)
            shown = safe_text.show_setting("JWT_ALGORITHMS", ",".join(algorithms))
            raise errors.StartError(f"{shown}: must be some of {allowed}, separated by commas.")
        local = _is_local(jwks_url)
        self.issuer = issuer
        self._url = jwks_url
        self._audience = audience
        self._algorithms = tuple(algorithms)
        self._times = times
        self._http = httpx.AsyncClient(timeout=times.fetch, trust_env=not local)
        self._keys: list[_Key] = []
        self._fetched_at = self._tried_at = -math.inf
        self._failed = False
        self._refreshing: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Close all connections."""
        if self._refreshing is not None:
            self._refreshing.cancel()
            await asyncio.gather(self._refreshing, return_exceptions=True)
        await self._http.aclose()

    async def verify(self, token: str) -> Claims:
        """The claims of a token. Raises Unauthenticated, or Unavailable if its key cannot be fetched."""
        algorithm, name = self._read_header(token)
        key = await self._find_or_fetch_key(algorithm, name)
        try:
            values = jwt.decode(
                token,
                key=key.key,
                algorithms=[algorithm, _ED25519] if algorithm == "EdDSA" else [algorithm],
                audience=self._audience,
                issuer=self.issuer,
                leeway=_LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except jwt.ExpiredSignatureError as error:
            raise errors.Unauthenticated("This token has expired.") from error
        # PyJWT also raises built-in errors, for example for a date out of range.
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError) as error:
            raise errors.Unauthenticated(_WRONG) from error
        return self._read_claims(values)

    def _read_header(self, token: str) -> tuple[str, str | None]:
        """The algorithm and key name in the header, not yet verified."""
        try:
            header: dict[str, Any] = jwt.get_unverified_header(token)
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            raise errors.Unauthenticated(_WRONG) from error
        algorithm, name = header.get("alg"), header.get("kid")
        if algorithm == _ED25519:
            algorithm = "EdDSA"
        # `crit` lists extensions that a verifier must support; we support none.
        if algorithm not in self._algorithms or "crit" in header or not isinstance(name, str | None):
            raise errors.Unauthenticated(_WRONG)
        return cast("str", algorithm), name

    def _read_claims(self, values: dict[str, Any]) -> Claims:
        subject, name, email = values["sub"], values.get("name"), values.get("email")
        if (
            not isinstance(subject, str)
            or not 0 < len(subject) <= _MAX_SUBJECT
            or not email_addresses.is_showable(subject)
        ):
            raise errors.Unauthenticated(_WRONG)
        # Only the boolean `true` counts (OpenID Connect Core 5.1): other providers may mean something else by "true".
        verified = values.get("email_verified") is True and isinstance(email, str)
        return Claims(
            self.issuer,
            subject,
            email_addresses.find_email(cast("str", email)) if verified else None,
            safe_text.to_one_line(name) or None if isinstance(name, str) else None,
            min(int(values["exp"]), _FAR),
        )

    async def _find_or_fetch_key(self, algorithm: str, name: str | None) -> _Key:
        now = time.monotonic()
        key = self._find_key(algorithm, name) if now < self._fetched_at + self._times.kept else None
        if key is None:
            await self._refresh_keys()
            key = self._find_key(algorithm, name)
        elif now >= self._fetched_at + self._times.fresh:
            self._start_refresh()  # the known key is used meanwhile
        if key is None and self._failed:
            raise errors.Unavailable(
                "The identity provider does not respond.", "identity provider", math.ceil(self._times.refetch * 1000)
            )
        if key is None:
            raise errors.Unauthenticated(_WRONG)
        return key

    def _find_key(self, algorithm: str, name: str | None) -> _Key | None:
        """The key with this name; without a name, the only suitable one."""
        matching = [key for key in self._keys if algorithm in key.algorithms and name in (None, key.name)]
        return matching[0] if len(matching) == 1 else None

    async def _refresh_keys(self) -> None:
        """Wait until the keys have been fetched, unless that was tried a moment ago.

        All callers wait for the same fetch. It goes on if one of them is cancelled: the others need its result, and
        clients that cancel requests cannot make the server fetch again and again.
        """
        self._start_refresh()
        if self._refreshing is not None:
            await asyncio.shield(self._refreshing)

    def _start_refresh(self) -> None:
        now = time.monotonic()
        if now >= self._tried_at + self._times.refetch and (self._refreshing is None or self._refreshing.done()):
            self._tried_at = now
            self._refreshing = asyncio.create_task(self._replace_keys(now))

    async def _replace_keys(self, now: float) -> None:
        try:
            self._keys = await self._fetch_keys()
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError, RecursionError) as error:
            self._failed = True
            log.warning("cannot fetch the identity provider's keys: %s", type(error).__name__)
            if now >= self._fetched_at + self._times.kept:
                self._keys = []
            return
        self._failed = False
        self._fetched_at = now

    async def _fetch_keys(self) -> list[_Key]:
        body = b""
        async with (
            asyncio.timeout(self._times.fetch),
            self._http.stream("GET", self._url, headers=_HEADERS) as response,
        ):
            if response.status_code != 200:
                raise ValueError(f"status {response.status_code}")
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > MAX_BYTES:
                    raise ValueError("too long")
        document: Any = json.loads(body)
        keys: Any = cast("dict[str, Any]", document).get("keys") if isinstance(document, dict) else None
        if not isinstance(keys, list):
            raise ValueError("no keys")
        return [key for value in cast("list[Any]", keys)[:MAX_KEYS] if (key := _parse_key(value)) is not None]


def _parse_key(value: object) -> _Key | None:
    """A public key that may verify signatures; None for anything else, so that one bad entry does not affect others."""
    if not isinstance(value, dict):
        return None
    values = cast("dict[str, Any]", value)
    kind, curve, name = values.get("kty"), values.get("crv"), values.get("kid")
    operations = values.get("key_ops", ["verify"])
    may_verify = values.get("use", "sig") == "sig" and isinstance(operations, list) and "verify" in operations
    if not may_verify or "d" in values or not isinstance(name, str | None):
        return None
    # A key without `alg` can be used with every algorithm of its type.
    possible = _RSA if kind == "RSA" else _CURVES.get((str(kind), str(curve)), ())
    algorithms = [algorithm for algorithm in possible if values.get("alg", algorithm) in {algorithm, curve}]
    if not algorithms:
        return None
    try:
        key = jwt.PyJWK(values, algorithms[0]).key
    except (jwt.PyJWTError, ValueError, TypeError, KeyError):
        return None
    if isinstance(key, RSAPublicKey) and key.key_size < _MIN_RSA_BITS:
        return None
    return _Key(name, frozenset(algorithms), key)


def _is_local(url: str) -> bool:
    """Whether the keys come from this machine. Raises StartError for a remote URL without TLS."""
    parts = urlsplit(url)
    local = is_loopback(parts.hostname or "")
    if parts.scheme != "https" and not (local and parts.scheme == "http"):
        shown = safe_text.show_setting("JWT_JWKS_URL", url)
        raise errors.StartError(f"{shown}: the identity provider's keys must come from an https:// URL.")
    return local
