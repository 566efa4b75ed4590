"""A stand-in identity provider: a JWKS endpoint with rotating keys, and the tokens they sign."""

import asyncio
import base64
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.servers.running import Break, Fault, Refusal, StandIn, refused, stalled

AUDIENCE = "footnote"
HOUR = 3600


@dataclass(frozen=True)
class Key:
    """A named key pair."""

    name: str | None
    algorithm: str
    private: Any

    def public(self, **values: object) -> dict[str, Any]:
        """As a member of a JWKS."""
        public = self.private.public_key()
        if isinstance(public, rsa.RSAPublicKey):
            written = RSAAlgorithm.to_jwk(public)
        elif isinstance(public, ec.EllipticCurvePublicKey):
            written = ECAlgorithm.to_jwk(public)
        else:
            written = OKPAlgorithm.to_jwk(public)
        found: dict[str, Any] = json.loads(written)
        found.pop("key_ops", None)
        return {**found, "use": "sig", **({"kid": self.name} if self.name else {}), **values}


def make_key(name: str | None, algorithm: str = "ES256") -> Key:
    """A new key pair."""
    made: PrivateKeyTypes
    match algorithm:
        case "ES256":
            made = ec.generate_private_key(ec.SECP256R1())
        case "ES384":
            made = ec.generate_private_key(ec.SECP384R1())
        case "EdDSA":
            made = ed25519.Ed25519PrivateKey.generate()
        case _:
            made = rsa.generate_private_key(65537, 2048)
    return Key(name, algorithm, made)


class JWKSServer(StandIn):
    """Serves the keys given to `publish`, with faults like the other stand-ins. `asked` counts requests."""

    def __init__(self, *keys: Key, faults: Iterable[Fault] = ()) -> None:
        super().__init__(None, faults, False)
        self.document: bytes = b""
        self.publish(*keys)

    @property
    def issuer(self) -> str:
        """The name of this provider."""
        return "https://id.example.org"

    @property
    def asked(self) -> int:
        """The number of times the keys were fetched."""
        return len(self.requests)

    def publish(self, *keys: Key | dict[str, Any]) -> None:
        """Replace the published keys."""
        shown = [key.public() if isinstance(key, Key) else key for key in keys]
        self.document = json.dumps({"keys": shown}).encode()

    def routes(self) -> list[Route]:
        """One address."""
        return [Route("/jwks", self._keys)]

    async def _keys(self, request: Request) -> Response:
        fault = self.fault(await self.record(request))
        if isinstance(fault, Refusal):
            return refused(fault)
        if isinstance(fault, Break):
            await stalled(request)
        # Whoever else needs the keys has come by then.
        await asyncio.sleep(0.02)
        return Response(self.document, media_type="application/json")


def token(key: Key, headers: dict[str, Any] | None = None, algorithm: str | None = None, **claims: object) -> str:
    """A valid token, except for what `claims` and `headers` override; a claim of None is omitted."""
    now = int(time.time())
    values: dict[str, Any] = {
        "iss": "https://id.example.org",
        "aud": AUDIENCE,
        "sub": "kim-1",
        "iat": now,
        "exp": now + HOUR,
        **claims,
    }
    named = {"kid": key.name} if key.name else {}
    return jwt.encode(
        {name: value for name, value in values.items() if value is not None},
        key.private,
        algorithm=algorithm or key.algorithm,
        headers={**named, **(headers or {})},
    )


def forged(header: dict[str, Any], claims: dict[str, Any], signature: bytes = b"") -> str:
    """A JWT with arbitrary parts."""
    parts = (json.dumps(header).encode(), json.dumps(claims).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)
