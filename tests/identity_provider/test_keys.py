"""Keys of an identity provider: fetched over HTTP, fetched again, and kept while it is down."""

import asyncio

import pytest

from app import errors
from app.accounts.identity_provider.jwks import ALGORITHMS, MAX_BYTES, IdentityProvider
from tests.identity_provider.provider import FIRST, ISSUER, SECOND, THIRD, provider_of, refused
from tests.looking import pause, until
from tests.servers.jwks import AUDIENCE, JWKSServer, Key, token
from tests.servers.ports import closed_port
from tests.servers.running import Break, Fault, Refusal


async def test_a_new_key_is_fetched_when_a_token_names_it_and_an_old_one_goes(server: JWKSServer) -> None:
    async with provider_of(server, refetch=0) as provider:
        await provider.verify(token(FIRST))
        server.publish(SECOND, THIRD)
        await provider.verify(token(FIRST))
        assert server.asked == 1
        await provider.verify(token(THIRD))
        assert server.asked == 2
        await refused(provider, token(FIRST))


async def test_unknown_key_names_do_not_cause_repeated_fetches(provider: IdentityProvider, server: JWKSServer) -> None:
    await provider.verify(token(FIRST))
    for n in range(20):
        await refused(provider, token(Key(f"made up {n}", "ES256", THIRD.private)))
    assert server.asked == 1
    await provider.verify(token(FIRST))


async def test_simultaneous_requests_share_one_fetch(provider: IdentityProvider, server: JWKSServer) -> None:
    await asyncio.gather(*(provider.verify(token(key)) for key in (FIRST, SECOND) for _ in range(20)))
    assert server.asked == 1


async def test_a_request_that_ends_while_the_keys_are_fetched_takes_them_from_no_other(
    provider: IdentityProvider, server: JWKSServer
) -> None:
    leaving = asyncio.create_task(provider.verify(token(FIRST)))
    while not server.asked:
        await pause()
    leaving.cancel()
    await asyncio.wait([leaving])
    await provider.verify(token(FIRST))
    assert server.asked == 1


async def test_stale_keys_are_refreshed_in_the_background(server: JWKSServer) -> None:
    async with provider_of(server, fresh=0, refetch=0) as provider:
        await provider.verify(token(FIRST))
        server.publish(SECOND)

        async def gone() -> bool:
            try:
                await provider.verify(token(FIRST))
            except errors.Unauthenticated:
                return True
            return False

        await until(gone)
        await provider.verify(token(SECOND))


async def test_keys_are_kept_while_the_provider_is_down_but_not_for_ever(server: JWKSServer) -> None:
    async with provider_of(server, fresh=0, refetch=0, kept=3600) as provider:
        await provider.verify(token(FIRST))
        server.faults = iter([Refusal(503)] * 10_000)
        asked = server.asked
        await provider.verify(token(FIRST))

        async def tried() -> bool:
            return server.asked > asked

        await until(tried)
        await provider.verify(token(FIRST))
        with pytest.raises(errors.Unavailable):
            await provider.verify(token(THIRD))
    server.faults = iter([])
    async with provider_of(server, fresh=0, refetch=0, kept=0.2) as provider:
        await provider.verify(token(FIRST))
        server.faults = iter([Refusal(503)] * 10_000)

        async def dropped() -> bool:
            try:
                await provider.verify(token(FIRST))
            except errors.Unavailable as error:
                return error.service == "identity provider"
            return False

        await until(dropped)
        server.faults = iter([])
        await provider.verify(token(FIRST))


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"<!doctype html>",
        b"[]",
        b'{"keys": 7}',
        b"[" * 100_000,
        b'{"keys": []}' + b" " * MAX_BYTES,
        b"\xff\xfe\x00",
    ],
    ids=["empty", "page", "list", "number", "deep", "long", "bytes"],
)
async def test_invalid_key_sets_are_ignored(server: JWKSServer, document: bytes) -> None:
    async with provider_of(server, refetch=0) as provider:
        right, server.document = server.document, document
        with pytest.raises(errors.Unavailable):
            await provider.verify(token(FIRST))
        server.document = right
        await provider.verify(token(FIRST))
        server.document = document
        with pytest.raises(errors.Unavailable):
            await provider.verify(token(THIRD))
        await provider.verify(token(FIRST))


@pytest.mark.parametrize("fault", [Refusal(500), Refusal(302, "", {"location": "/elsewhere"}), Break("stall")])
async def test_a_provider_that_does_not_answer_is_unavailable_in_time(server: JWKSServer, fault: Fault) -> None:
    server.faults = iter([fault])
    async with provider_of(server, refetch=0, fetch=2) as provider, asyncio.timeout(120):
        with pytest.raises(errors.Unavailable) as raised:
            await provider.verify(token(FIRST))
        assert (raised.value.service, server.url in raised.value.message) == ("identity provider", False)
        await provider.verify(token(FIRST))


async def test_a_missing_provider_is_retried_only_now_and_then() -> None:
    provider = IdentityProvider(ISSUER, f"http://127.0.0.1:{closed_port()}/jwks", AUDIENCE, ALGORITHMS)
    for _ in range(3):
        with pytest.raises(errors.Unavailable) as raised:
            await provider.verify(token(FIRST))
        assert raised.value.retry_after_ms == 30_000
    await provider.close()


@pytest.mark.parametrize("url", ["http://id.example.org/jwks", "ftp://localhost/jwks", "", "jwks", "http://10.0.0.1/"])
def test_keys_need_https_or_loopback(url: str) -> None:
    with pytest.raises(errors.StartError, match="https://"):
        IdentityProvider(ISSUER, url, AUDIENCE, ALGORITHMS)
