"""What each kind of credential may create: nothing that outlives it, unless its owner is signed in."""

import time
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import httpx
import pytest

from app.database import models
from app.settings import Settings
from tests.accounts.account_services import PASSWORD
from tests.graphql.client import Json
from tests.servers.jwks import AUDIENCE, JWKSServer, make_key, token
from tests.servers.running import running
from tests.serving import serve
from tests.signed_in_server import accounts

KEY = make_key("first")
SIGN_IN = """mutation($input: SignInInput!) { signIn(input: $input) { ... on SignInPayload { token }
  ... on Error { message } } }"""
REDEEM = """mutation($input: RedeemSetupTokenInput!) { redeemSetupToken(input: $input) {
  ... on RedeemSetupTokenPayload { token } ... on Error { message } } }"""
CREATE = """mutation($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { __typename
  ... on CreateAccessTokenPayload { token accessToken { id expiresAt } }
  ... on ValidationError { message issues { path code } } } }"""
REVOKE = """mutation($input: RevokeAccessTokenInput!) { revokeAccessToken(input: $input) { __typename
  ... on Error { message } } }"""
CHANGE = """mutation($input: ChangePasswordInput!) { changePassword(input: $input) { __typename
  ... on ValidationError { message issues { path code } } } }"""
VIEWER = "{ viewer { user { email } accessTokens { label } } }"
KINDS = ("password", "link", "token", "token that ends", "token of a token", "jwt")
# Those that end by themselves, and those by which the person is here.
ENDING = ("token that ends", "token of a token", "jwt")
HERE = ("password", "link")
_ADDRESSES = count(1)


@dataclass
class Desk:
    """A server's API, and the operator's services for issuing credentials."""

    http: httpx.AsyncClient
    url: str
    settings: Settings

    async def post(self, credential: str | None, query: str, **values: Json) -> httpx.Response:
        # From an address of its own: what is tested is not how often one may try.
        headers = {"x-forwarded-for": f"2001:db8:{next(_ADDRESSES):x}::1"}
        headers |= {"authorization": f"Bearer {credential}"} if credential else {}
        body = {"query": query, "variables": {"input": values}}
        return await self.http.post(f"{self.url}/graphql", json=body, headers=headers)

    async def run(self, credential: str | None, query: str, **values: Json) -> Json:
        response = await self.post(credential, query, **values)
        assert "errors" not in response.json(), response.text
        return next(iter(response.json()["data"].values()))

    async def lets_in(self, credential: str) -> bool:
        return (await self.post(credential, VIEWER)).status_code == 200

    async def credential(self, kind: str, email: str, *, with_password: bool) -> str:
        """A credential of this kind for a new user."""
        async with accounts(self.settings) as (_, opened):
            user = await opened.users.create(email, None, PASSWORD if with_password else None)
            soon = models.now() + timedelta(hours=1)
            link = await opened.setup_tokens.create(user.id)
            forever, _ = await opened.access_tokens.create(user.id, "for ever")
            ends, _ = await opened.access_tokens.create(user.id, "ends", soon)
        match kind:
            case "password":
                return (await self.run(None, SIGN_IN, email=email, password=PASSWORD))["token"]
            case "link":
                return (await self.run(None, REDEEM, token=link))["token"]
            case "token":
                return forever
            case "token that ends":
                return ends
            case "token of a token":
                return (await self.run(ends, CREATE, label="child", expiresAt=soon.isoformat()))["token"]
            case _:
                return token(KEY, sub=email, email=email, email_verified=True)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Generator[Settings]:
    with running(JWKSServer(KEY)) as provider:
        database: Path = tmp_path_factory.mktemp("credentials") / "footnote.db"
        yield Settings.model_validate(
            {
                "database_url": f"sqlite:///{database}",
                "trusted_proxies": "127.0.0.1",
                "jwt_issuer": provider.issuer,
                "jwt_jwks_url": f"{provider.url}/jwks",
                "jwt_audience": AUDIENCE,
            }
        )


@pytest.fixture(scope="module")
def server(settings: Settings) -> Generator[str]:
    with serve(settings) as url:
        yield url


@pytest.fixture
async def desk(server: str, settings: Settings) -> AsyncGenerator[Desk]:
    async with httpx.AsyncClient(timeout=120) as http:
        yield Desk(http, server, settings)


def address(*parts: object) -> str:
    return "-".join(str(part).replace(" ", "") for part in parts).lower() + "@example.org"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("end", [None, timedelta(days=365), timedelta(hours=2), timedelta(minutes=30)])
async def test_a_token_does_not_outlive_the_credential_that_created_it(
    desk: Desk, kind: str, end: timedelta | None
) -> None:
    credential = await desk.credential(kind, address("token", kind, end), with_password=True)
    expires_at = None if end is None else (models.now() + end).isoformat()
    made = await desk.run(credential, CREATE, label="made", expiresAt=expires_at)
    if kind in ENDING and (end is None or end > timedelta(hours=1)):
        assert made["issues"] == [{"path": ["expiresAt"], "code": "OUT_OF_RANGE"}]
        assert "made" not in [listed["label"] for listed in (await desk.run(credential, VIEWER))["accessTokens"]]
        return
    assert await desk.lets_in(made["token"])
    again = await desk.run(made["token"], CREATE, label="made again")
    assert ("token" in again) is (end is None)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_first_password_needs_a_setup_link(desk: Desk, kind: str) -> None:
    if kind == "password":
        pytest.skip("there is one already")
    email = address("first", kind)
    credential = await desk.credential(kind, email, with_password=False)
    changed = await desk.run(credential, CHANGE, newPassword="a first password")
    signed_in = await desk.run(None, SIGN_IN, email=email, password="a first password")
    if kind in HERE:
        assert changed["__typename"] == "ChangePasswordPayload"
        assert await desk.lets_in(signed_in["token"])
    else:
        assert changed["issues"] == [{"path": ["currentPassword"], "code": "INVALID"}]
        assert "footnote user link" in changed["message"]
        assert "token" not in signed_in


@pytest.mark.parametrize("kind", KINDS)
async def test_a_new_password_needs_the_current_one(desk: Desk, kind: str) -> None:
    email = address("change", kind)
    credential = await desk.credential(kind, email, with_password=True)
    for current in (None, "wrong password"):
        refused = await desk.run(credential, CHANGE, currentPassword=current, newPassword="another password")
        assert refused["issues"] == [{"path": ["currentPassword"], "code": "INVALID"}]
    done = await desk.run(credential, CHANGE, currentPassword=PASSWORD, newPassword="another password")
    assert done["__typename"] == "ChangePasswordPayload"


@pytest.mark.parametrize("kind", ["nobody", "link itself", "jwt that has expired"])
async def test_an_invalid_credential_creates_nothing(desk: Desk, kind: str) -> None:
    email = address("none", kind)
    async with accounts(desk.settings) as (_, opened):
        user = await opened.users.create(email)
        link = await opened.setup_tokens.create(user.id)
    old = token(KEY, sub=email, email=email, email_verified=True, exp=int(time.time()) - 3600)
    credential = {"nobody": None, "link itself": link}.get(kind, old)
    for query, values in ((CREATE, {"label": "x"}), (CHANGE, {"newPassword": "a first password"})):
        assert (await desk.post(credential, query, **values)).status_code == 401


async def test_revoking_a_token_revokes_those_created_with_it(desk: Desk) -> None:
    credential = await desk.credential("password", address("revoked"), with_password=True)
    made = await desk.run(credential, CREATE, label="first")
    other = await desk.run(credential, CREATE, label="other")
    family = [made["token"]]
    for label in ("second", "third"):
        family.append((await desk.run(family[-1], CREATE, label=label))["token"])
    sibling = (await desk.run(family[0], CREATE, label="sibling"))["token"]
    assert all([await desk.lets_in(each) for each in (*family, sibling)])
    assert (await desk.run(credential, REVOKE, id=made["accessToken"]["id"]))[
        "__typename"
    ] == "RevokeAccessTokenPayload"
    assert not any([await desk.lets_in(each) for each in (*family, sibling)])
    assert await desk.lets_in(other["token"])
    assert [listed["label"] for listed in (await desk.run(credential, VIEWER))["accessTokens"]] == [
        "other",
        "ends",
        "for ever",
    ]


async def test_a_token_created_with_a_jwt_ends_with_it(desk: Desk) -> None:
    """Without the leeway for clock differences."""
    ends = int(time.time()) + 600
    credential = token(KEY, sub="patience", exp=ends)
    for seconds, made in ((0, True), (1, False), (29, False)):
        expires_at = datetime.fromtimestamp(ends + seconds, UTC).isoformat()
        assert ("token" in await desk.run(credential, CREATE, label="x", expiresAt=expires_at)) is made


@pytest.mark.parametrize(
    ("expires_at", "code"),
    [
        ("2050-01-01T00:00:00", "INVALID"),
        ("2050-01-01", "INVALID"),
        ("9999-12-31T23:59:59-12:00", "OUT_OF_RANGE"),
        ("0001-01-01T00:00:00+12:00", "OUT_OF_RANGE"),
        ("2020-01-01T00:00:00Z", "OUT_OF_RANGE"),
    ],
)
@pytest.mark.parametrize("kind", ["password", "token that ends"])
async def test_an_expiry_needs_a_time_zone(desk: Desk, kind: str, expires_at: str, code: str) -> None:
    credential = await desk.credential(kind, address("zone", kind, expires_at.replace(":", "")), with_password=True)
    refused = await desk.run(credential, CREATE, label="x", expiresAt=expires_at)
    assert refused["issues"] == [{"path": ["expiresAt"], "code": code}]
