"""JWTs of an identity provider: keys over real HTTP, accepted claims, and the user they map to."""

import asyncio
import hashlib
import hmac
import json
import time
import warnings
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from sqlalchemy import select

from app import errors
from app.accounts.identity_provider.claims import Claims, is_jwt
from app.accounts.identity_provider.jwks import ALGORITHMS, MAX_BYTES, IdentityProvider
from app.accounts.identity_provider.users import Identities
from app.database import models
from tests.account_services import AccountServices, open_account_services
from tests.looking import until
from tests.servers.jwks import AUDIENCE, HOUR, JWKSServer, Key, forged, make_key, token
from tests.servers.ports import closed_port
from tests.servers.running import Break, Fault, Refusal, running

FIRST, SECOND, THIRD = (make_key(name) for name in ("first", "second", "third"))
RSA = make_key("rsa", "RS256")
ISSUER = "https://id.example.org"


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


@asynccontextmanager
async def provider_of(server: JWKSServer, *algorithms: str, **values: float) -> AsyncGenerator[IdentityProvider]:
    provider = IdentityProvider(ISSUER, f"{server.url}/jwks", AUDIENCE, algorithms or ALGORITHMS, **values)
    yield provider
    await provider.close()


@pytest.fixture
async def provider(server: JWKSServer) -> AsyncGenerator[IdentityProvider]:
    async with provider_of(server) as provider:
        yield provider


async def refused(provider: IdentityProvider, *credentials: str) -> None:
    for credential in credentials:
        with pytest.raises(errors.Unauthenticated):
            await provider.verify(credential)


async def test_a_valid_token_identifies_its_user(provider: IdentityProvider, server: JWKSServer) -> None:
    claims = await provider.verify(token(FIRST, name=" Kim ", email="KIM@Example.org", email_verified=True))
    assert (claims.issuer, claims.subject, claims.email, claims.name) == (ISSUER, "kim-1", "kim@example.org", "Kim")
    assert 0 < claims.expires_at - time.time() <= HOUR + 30
    await provider.verify(token(SECOND, aud=["other", AUDIENCE]))
    assert server.asked == 1


@pytest.mark.parametrize(
    ("said", "email"),
    [
        ({"email": "kim@example.org", "email_verified": True}, "kim@example.org"),
        ({"email": "kim@example.org", "email_verified": "true"}, None),
        ({"email": "kim@example.org", "email_verified": False}, None),
        ({"email": "kim@example.org", "email_verified": "false"}, None),
        ({"email": "kim@example.org", "email_verified": 1}, None),
        ({"email": "kim@example.org"}, None),
        ({"email": ["kim@example.org"], "email_verified": True}, None),
        ({"email": "no address", "email_verified": True}, None),
        ({"email_verified": True, "name": 7}, None),
        ({"name": "\ud800\u202e\x00"}, None),
    ],
)
async def test_an_email_address_counts_only_if_verified(
    provider: IdentityProvider, said: dict[str, Any], email: str | None
) -> None:
    claims = await provider.verify(token(FIRST, **said))
    assert (claims.email, claims.name) == (email, None)


async def test_a_token_for_another_audience_or_time_is_refused(provider: IdentityProvider) -> None:
    now = int(time.time())
    await refused(
        provider,
        token(FIRST, iss="https://evil.example.org"),
        token(FIRST, iss=None),
        token(FIRST, aud="another service"),
        token(FIRST, aud=[]),
        token(FIRST, aud=None),
        token(FIRST, sub=None),
        token(FIRST, sub=""),
        token(FIRST, sub="x" * 256),
        token(FIRST, sub="half \ud800"),
        token(FIRST, exp=None),
        token(FIRST, exp=now - 60),
        token(FIRST, exp="tomorrow"),
        token(FIRST, nbf=now + 60),
        token(FIRST, iat=now + 60),
    )
    with pytest.raises(errors.Unauthenticated, match="expired"):
        await provider.verify(token(FIRST, exp=now - 60))
    # Clocks differ by a few seconds, and some tokens are for ever.
    for late in (
        token(FIRST, exp=10**400),
        token(FIRST, exp=now - 10),
        token(FIRST, nbf=now + 10),
        token(FIRST, iat=now + 10),
    ):
        await provider.verify(late)


async def test_tokens_not_signed_by_the_provider_are_refused(provider: IdentityProvider, server: JWKSServer) -> None:
    right = token(FIRST)
    head, body, signature = right.split(".")
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "kim-1", "exp": int(time.time()) + HOUR}
    flipped = signature[:-4] + ("AAAA" if signature[-4:] != "AAAA" else "BBBB")
    await refused(
        provider,
        f"{head}.{body}.{flipped}",
        f"{head}.{body}.",
        f"{head}.{token(FIRST, sub='pat').split('.')[1]}.{signature}",
        forged({"alg": "none", "kid": "first"}, claims),
        forged({"alg": "None", "kid": "first"}, claims),
        forged({"kid": "first"}, claims),
        forged({"alg": ["ES256"], "kid": "first"}, claims),
        forged({"alg": "ES256", "kid": ["first"]}, claims),
        token(FIRST, {"crit": ["b64"], "b64": True}),
        token(Key("first", "ES256", THIRD.private)),
        token(FIRST, {"jwk": THIRD.public()}, sub="kim-1", aud="x"),
        "a.b.c",
        "..",
        "💥.💥.💥",
    )
    await provider.verify(right)
    # A key inside the token is no key of the provider's.
    with pytest.raises(errors.Unauthenticated):
        await provider.verify(token(Key("first", "ES256", THIRD.private), {"jwk": THIRD.public(), "jku": server.url}))


async def test_a_public_key_cannot_be_used_as_a_signing_secret(server: JWKSServer) -> None:
    """HS256 with the public RSA key as the secret: the classic attack where algorithms are not pinned."""
    server.publish(RSA, {"kty": "oct", "kid": "shared", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0", "alg": "HS256"})
    pem = RSA.private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "kim-1", "exp": int(time.time()) + HOUR}
    async with provider_of(server) as provider:
        await provider.verify(token(RSA))
        for secret, name in ((pem, "rsa"), (b"secret-secret-secret-secret", "shared")):
            unsigned = forged({"alg": "HS256", "kid": name}, claims).rstrip(".")
            signature = hmac.new(secret, unsigned.encode(), hashlib.sha256).digest()
            await refused(provider, unsigned + "." + forged({}, {}, signature).split(".")[2])
    for algorithm in ("HS256", "none", ""):
        with pytest.raises(errors.StartError, match="cannot sign tokens"):
            IdentityProvider(ISSUER, "https://id.example.org/jwks", AUDIENCE, [algorithm])
    with pytest.raises(errors.StartError):
        IdentityProvider(ISSUER, "https://id.example.org/jwks", AUDIENCE, [])


async def test_a_key_verifies_only_what_it_is_meant_for(server: JWKSServer) -> None:
    small = rsa.generate_private_key(65537, 1024)  # noqa: S505 - to see it refused
    other_curve, edwards = make_key("p384", "ES384"), make_key("ed", "EdDSA")
    server.publish(
        RSA.public(alg="PS256"),
        FIRST.public(use="enc"),
        SECOND.public(key_ops=["sign"]),
        THIRD.public(key_ops="verify"),
        Key("small", "RS256", small).public(),
        {**RSA.public(kid="private"), "d": "AQAB"},
        RSA.public(kid="other kind", kty="EC"),
        RSA.public(kid="odd algorithm", alg="none"),
        {"kty": "EC", "kid": "broken", "crv": "P-256", "x": "!", "y": 7},
        RSA.public(kid=["a", "list"]),
        other_curve,
        edwards,
    )
    broken: dict[str, Any] = json.loads(server.document)
    broken["keys"] += [7, None, "key", {}, {"kty": "RSA"}, {"kty": "EC", "crv": "P-256"}]
    server.document = json.dumps(broken).encode()
    async with provider_of(server) as provider:
        await provider.verify(token(RSA, algorithm="PS256"))
        await provider.verify(token(other_curve))
        await provider.verify(token(edwards))
        await refused(provider, token(RSA), token(FIRST), token(SECOND), token(THIRD))
        for name in ("private", "other kind", "odd algorithm", "broken"):
            await refused(provider, token(Key(name, "RS256", RSA.private)))
        await refused(provider, token(Key("p384", "ES256", FIRST.private)))
        with warnings.catch_warnings():
            # The library warns of so small a key too.
            warnings.simplefilter("ignore", jwt.InsecureKeyLengthWarning)
            await refused(provider, token(Key("small", "RS256", small)))
    async with provider_of(server, "EdDSA") as provider:
        await refused(provider, token(other_curve))
        await provider.verify(token(edwards))


async def test_a_token_that_names_no_key_needs_a_provider_with_one(server: JWKSServer) -> None:
    nameless = Key(None, "ES256", FIRST.private)
    async with provider_of(server, refetch_seconds=0) as provider:
        await refused(provider, token(nameless))
        server.publish(FIRST, RSA)
        await provider.verify(token(nameless))
        server.publish(nameless)
        await provider.verify(token(nameless))


# ------------------------------------------------------------------ fetching


async def test_a_new_key_is_fetched_when_a_token_names_it_and_an_old_one_goes(server: JWKSServer) -> None:
    async with provider_of(server, refetch_seconds=0) as provider:
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


async def test_stale_keys_are_refreshed_in_the_background(server: JWKSServer) -> None:
    async with provider_of(server, fresh_seconds=0, refetch_seconds=0) as provider:
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
    async with provider_of(server, fresh_seconds=0, refetch_seconds=0, kept_seconds=3600) as provider:
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
    async with provider_of(server, fresh_seconds=0, refetch_seconds=0, kept_seconds=0.2) as provider:
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
    async with provider_of(server, refetch_seconds=0) as provider:
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
    async with provider_of(server, refetch_seconds=0, fetch_seconds=2) as provider, asyncio.timeout(120):
        with pytest.raises(errors.Unavailable) as raised:
            await provider.verify(token(FIRST))
        assert (raised.value.service, server.url in raised.value.message) == ("identity provider", False)
        await provider.verify(token(FIRST))


async def test_a_missing_provider_is_retried_only_now_and_then() -> None:
    provider = IdentityProvider(ISSUER, f"http://127.0.0.1:{closed_port()}/jwks", AUDIENCE)
    for _ in range(3):
        with pytest.raises(errors.Unavailable) as raised:
            await provider.verify(token(FIRST))
        assert raised.value.retry_after_ms == 30_000
    await provider.close()


@pytest.mark.parametrize("url", ["http://id.example.org/jwks", "ftp://localhost/jwks", "", "jwks", "http://10.0.0.1/"])
def test_keys_need_https_or_loopback(url: str) -> None:
    with pytest.raises(errors.StartError, match="https://"):
        IdentityProvider(ISSUER, url, AUDIENCE)


def test_the_shape_of_a_jwt() -> None:
    assert is_jwt(token(FIRST))
    assert not any(is_jwt(other) for other in ("", "a.b", "a.b.c.d", "a.b.c\n", "ä.b.c", "a." + "b" * 20_000 + ".c"))


# ------------------------------------------------------------------ users


@pytest.fixture
async def accounts(tmp_path: Path, provider: IdentityProvider) -> AsyncGenerator[AccountServices]:
    async with open_account_services(tmp_path, provider=provider) as opened:
        yield opened


async def test_a_first_visit_creates_a_user_who_is_recognized_later(accounts: AccountServices) -> None:
    first = await accounts.authentication.authenticate(
        token(FIRST, name="Kim", email="kim@example.org", email_verified=True)
    )
    assert (first.via, first.user.email, first.user.name) == ("IDENTITY", "kim@example.org", "Kim")
    again = await accounts.authentication.authenticate(token(SECOND, email="new@example.org", email_verified=True))
    assert again.user.id == first.user.id
    assert await accounts.kinds(first.user.id) == ["USER_CREATED", "IDENTITY_LINKED"]
    other = await accounts.authentication.authenticate(token(FIRST, sub="pat-2"))
    assert other.user.id != first.user.id
    assert other.user.email.endswith("@identity.invalid")
    assert await accounts.count("users") == 2


async def test_simultaneous_first_requests_create_one_user(accounts: AccountServices) -> None:
    callers = await asyncio.gather(*(accounts.authentication.authenticate(token(FIRST, jti=str(n))) for n in range(10)))
    assert len({caller.user.id for caller in callers}) == 1
    assert await accounts.count("users") == 1


async def test_only_a_verified_address_links_to_an_existing_user(accounts: AccountServices) -> None:
    user = await accounts.kim()
    stranger = await accounts.authentication.authenticate(token(FIRST, sub="stranger", email=user.email))
    assert stranger.user.id != user.id
    caller = await accounts.authentication.authenticate(
        token(FIRST, sub="kim", email="Kim@example.org", email_verified=True)
    )
    assert caller.user.id == user.id
    # The address was given to somebody new there: they are not Kim.
    newcomer = await accounts.authentication.authenticate(
        token(FIRST, sub="newcomer", email=user.email, email_verified=True)
    )
    assert newcomer.user.id not in (user.id, stranger.user.id)
    async with accounts.database.read() as db:
        linked = await db.scalars(select(models.Identity.subject).where(models.Identity.user_id == user.id))
        assert list(linked) == ["kim"]


async def test_a_subject_of_another_issuer_is_another_user(accounts: AccountServices) -> None:
    identities = Identities(accounts.database)
    found = await identities.find_or_create_user(Claims(ISSUER, "kim", None, None, 0))
    other_issuer = await identities.find_or_create_user(Claims("https://other.example.org", "kim", None, None, 0))
    assert other_issuer.id != found.id


async def test_a_disabled_user_is_refused_at_once_despite_a_valid_token(accounts: AccountServices) -> None:
    kept = token(FIRST)
    caller = await accounts.authentication.authenticate(kept)
    await accounts.users.disable(caller.user.id)
    for credential in (kept, token(SECOND)):
        with pytest.raises(errors.Unauthenticated):
            await accounts.authentication.authenticate(credential)


async def test_a_token_is_not_cached_beyond_its_expiry(accounts: AccountServices) -> None:
    # With the leeway it is good for one second more.
    kept = token(FIRST, exp=int(time.time()) - 28)
    await accounts.authentication.authenticate(kept)

    async def ended() -> bool:
        try:
            await accounts.authentication.authenticate(kept)
        except errors.Unauthenticated:
            return True
        return False

    await until(ended)


async def test_without_a_provider_no_jwt_is_accepted(tmp_path: Path) -> None:
    async with open_account_services(tmp_path) as accounts:
        with pytest.raises(errors.Unauthenticated):
            await accounts.authentication.authenticate(token(FIRST))
