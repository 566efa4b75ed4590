"""A server of keys, and the provider that reads them."""

from collections.abc import AsyncGenerator, Generator

import pytest

from app.accounts.identity_provider.jwks import IdentityProvider
from tests.identity_provider.provider import FIRST, SECOND, provider_of
from tests.servers.jwks import JWKSServer
from tests.servers.running import running


@pytest.fixture(scope="module")
def running_server() -> Generator[JWKSServer]:
    with running(JWKSServer()) as server:
        yield server


@pytest.fixture
def server(running_server: JWKSServer) -> JWKSServer:
    """The server, with its requests and faults cleared."""
    running_server.requests.clear()
    running_server.faults = iter([])
    running_server.publish(FIRST, SECOND)
    return running_server


@pytest.fixture
async def provider(server: JWKSServer) -> AsyncGenerator[IdentityProvider]:
    async with provider_of(server) as provider:
        yield provider
