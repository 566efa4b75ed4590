"""An identity provider whose keys come from a server on loopback."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from app import errors
from app.accounts.identity_provider.jwks import ALGORITHMS, IdentityProvider, KeyTimes
from tests.servers.jwks import AUDIENCE, JWKSServer, make_key

FIRST, SECOND, THIRD = (make_key(name) for name in ("first", "second", "third"))
ISSUER = "https://id.example.org"


@asynccontextmanager
async def provider_of(server: JWKSServer, *algorithms: str, **times: float) -> AsyncGenerator[IdentityProvider]:
    """`times` are those of KeyTimes."""
    provider = IdentityProvider(ISSUER, f"{server.url}/jwks", AUDIENCE, algorithms or ALGORITHMS, KeyTimes(**times))
    yield provider
    await provider.close()


async def refused(provider: IdentityProvider, *credentials: str) -> None:
    """Check that none of the credentials is accepted."""
    for credential in credentials:
        with pytest.raises(errors.Unauthenticated):
            await provider.verify(credential)
