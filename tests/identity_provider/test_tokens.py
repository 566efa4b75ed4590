"""JWTs that are accepted, and those that are refused."""

import base64
import hashlib
import hmac
import json
import time
import warnings
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from app import errors
from app.accounts.identity_provider.claims import is_jwt
from app.accounts.identity_provider.jwks import IdentityProvider
from tests.identity_provider.provider import FIRST, ISSUER, SECOND, THIRD, provider_of, refused
from tests.servers.jwks import AUDIENCE, HOUR, JWKSServer, Key, forged, make_key, token

RSA = make_key("rsa", "RS256")


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
        told = rf"^JWT_ALGORITHMS={algorithm or '“”'}: must be some of RS256, .*, EdDSA, separated by commas\.$"
        with pytest.raises(errors.StartError, match=told):
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


@pytest.mark.parametrize("key_algorithm", ["EdDSA", "Ed25519", None])
async def test_eddsa_may_have_its_new_name(server: JWKSServer, key_algorithm: str | None) -> None:
    """RFC 9864 names the curve, in the header of a token as in a key."""
    edwards = make_key("ed", "EdDSA")
    server.publish(edwards.public(**({"alg": key_algorithm} if key_algorithm else {})))
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "kim-1", "exp": int(time.time()) + HOUR}

    def signed(signer: Key, algorithm: str) -> str:
        unsigned = forged({"alg": algorithm, "kid": "ed"}, claims).removesuffix(".")
        signature = base64.urlsafe_b64encode(signer.private.sign(unsigned.encode())).rstrip(b"=").decode()
        return f"{unsigned}.{signature}"

    async with provider_of(server) as provider:
        await provider.verify(signed(edwards, "Ed25519"))
        await provider.verify(signed(edwards, "EdDSA"))
        await refused(provider, signed(make_key("ed", "EdDSA"), "Ed25519"), signed(edwards, "Ed448"))
    async with provider_of(server, "ES256") as provider:
        await refused(provider, signed(edwards, "Ed25519"))


async def test_a_token_that_names_no_key_needs_a_provider_with_one(server: JWKSServer) -> None:
    nameless = Key(None, "ES256", FIRST.private)
    async with provider_of(server, refetch=0) as provider:
        await refused(provider, token(nameless))
        server.publish(FIRST, RSA)
        await provider.verify(token(nameless))
        server.publish(nameless)
        await provider.verify(token(nameless))


def test_the_shape_of_a_jwt() -> None:
    assert is_jwt(token(FIRST))
    assert not any(is_jwt(other) for other in ("", "a.b", "a.b.c.d", "a.b.c\n", "ä.b.c", "a." + "b" * 20_000 + ".c"))
