"""Sign-in through the front door: who is let in, and what they may do."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.settings import Settings
from tests.accounts.account_services import PASSWORD, open_account_services
from tests.graphql.client import Client
from tests.serving import serve

Json = Any

SIGN_IN = """mutation($input: SignInInput!) { signIn(input: $input) { __typename
  ... on SignInPayload { token expiresAt user { id email } } ... on Error { message }
  ... on ValidationError { issues { path code } } ... on RateLimitedError { retryAfterMs } } }"""
REDEEM = """mutation($input: RedeemSetupTokenInput!) { redeemSetupToken(input: $input) { __typename
  ... on RedeemSetupTokenPayload { token user { email } } ... on ValidationError { message issues { path code } } } }"""
SIGN_OUT = "mutation { signOut }"
CHANGE = """mutation($input: ChangePasswordInput!) { changePassword(input: $input) { __typename
  ... on ChangePasswordPayload { user { email } } ... on ValidationError { issues { path code } } } }"""
UPDATE = """mutation($input: UpdateViewerInput!) { updateViewer(input: $input) { __typename
  ... on UpdateViewerPayload { viewer { user { name preferredModel } } }
  ... on ValidationError { issues { path code } } } }"""
CREATE_TOKEN = """mutation($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { __typename
  ... on CreateAccessTokenPayload { token accessToken { id label expiresAt lastUsedAt } }
  ... on ValidationError { issues { path code } } } }"""
REVOKE = """mutation($input: RevokeAccessTokenInput!) { revokeAccessToken(input: $input) { __typename
  ... on RevokeAccessTokenPayload { revokedId } ... on NotFoundError { id } } }"""
SET = """mutation($input: SetProjectMemberInput!) { setProjectMember(input: $input) { __typename
  ... on SetProjectMemberPayload { project { viewerRole members { role user { email } } } }
  ... on Error { message } ... on ValidationError { issues { path code } } } }"""
REMOVE = """mutation($input: RemoveProjectMemberInput!) { removeProjectMember(input: $input) { __typename
  ... on RemoveProjectMemberPayload { project { viewerRole members { role user { email } } } }
  ... on Error { message } } }"""
TOKENS = "{ viewer { user { email } accessTokens { id label lastUsedAt } } }"
NODE = "query($id: ID!) { node(id: $id) { __typename id } }"


@dataclass
class Person(Client):
    """A person at the server with their credential."""

    http: httpx.AsyncClient
    url: str
    token: str | None = None
    id: str = ""
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.headers = {"authorization": f"Bearer {self.token}"} if self.token else {}

    async def post(self, query: str, /, **variables: Json) -> httpx.Response:
        """The response to an operation, asked as this person."""
        return await self.http.post(self.url, json={"query": query, "variables": variables}, headers=self.headers)

    async def is_in(self) -> bool:
        """Whether their credential is accepted."""
        response = await self.post("{ viewer { user { id } } }")
        assert response.status_code in (200, 401)
        return response.status_code == 200


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database where Kim, Robin and Sam have passwords."""
    folder = tmp_path_factory.mktemp("people")

    async def people() -> None:
        async with open_account_services(folder) as accounts:
            for name in ("kim", "robin", "sam"):
                await accounts.users.create(f"{name}@example.org", name.title(), PASSWORD)

    asyncio.run(people())
    return folder


@pytest.fixture(scope="module")
def server(database: Path) -> Generator[str]:
    """A server that requires sign-in."""
    values = {
        "database_url": f"sqlite:///{database / 'footnote.db'}",
        "require_sign_in": True,
        "members_by_address": True,
    }
    with serve(Settings.model_validate(values)) as url:
        yield url


@pytest.fixture
async def nobody(server: str) -> AsyncGenerator[Person]:
    """A person without a credential."""
    async with httpx.AsyncClient(timeout=120) as http:
        yield Person(http, f"{server}/graphql")


async def signed_in(nobody: Person, name: str, password: str = PASSWORD) -> Person:
    """A person signed in with their password."""
    done = await nobody.mutate(SIGN_IN, email=f"{name}@example.org", password=password)
    assert done["__typename"] == "SignInPayload", done
    return Person(nobody.http, nobody.url, done["token"], done["user"]["id"])


@pytest.fixture(scope="module")
def tokens(server: str) -> dict[str, Json]:
    """Kim's and Robin's sign-ins, shared because repeated sign-ins are rate limited."""

    def sign_in(name: str) -> Json:
        variables = {"input": {"email": f"{name}@example.org", "password": PASSWORD}}
        response = httpx.post(f"{server}/graphql", json={"query": SIGN_IN, "variables": variables})
        return response.json()["data"]["signIn"]

    return {name: sign_in(name) for name in ("kim", "robin")}


@pytest.fixture
def kim(nobody: Person, tokens: dict[str, Json]) -> Person:
    """Kim."""
    return Person(nobody.http, nobody.url, tokens["kim"]["token"], tokens["kim"]["user"]["id"])


@pytest.fixture
def robin(nobody: Person, tokens: dict[str, Json]) -> Person:
    """Robin."""
    return Person(nobody.http, nobody.url, tokens["robin"]["token"], tokens["robin"]["user"]["id"])


async def test_without_a_credential_one_can_only_sign_in(nobody: Person, kim: Person) -> None:
    refused = await nobody.post("{ viewer { user { email } } }")
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"].startswith("Bearer")
    assert (await kim.run("{ viewer { user { email } } }"))["viewer"]["user"]["email"] == "kim@example.org"


async def test_a_failed_sign_in_does_not_say_why(nobody: Person) -> None:
    wrong = await nobody.mutate(SIGN_IN, email="sam@example.org", password="not Sam's password")
    nobodys = await nobody.mutate(SIGN_IN, email="nobody@example.org", password=PASSWORD)
    assert wrong["__typename"] == "ValidationError"
    assert wrong == nobodys


async def test_a_long_document_needs_a_credential(nobody: Person, kim: Person) -> None:
    """Anybody can send one, and to validate this one takes a quarter of a second in which nobody else is served."""
    spreads = " ".join(f"...F{number}" for number in range(60))
    fragments = " ".join(f"fragment F{number} on SignInPayload {{ user {{ id }} }}" for number in range(60))
    query = f"{SIGN_IN.replace('__typename', f'__typename {spreads}', 1)} {fragments}"
    values = {"email": "sam@example.org", "password": "not Sam's password"}
    assert (await nobody.post(query, input=values)).status_code == 401
    assert (await kim.mutate(query, **values))["__typename"] == "ValidationError"


async def test_guessing_passwords_leads_to_waiting(nobody: Person) -> None:
    tried = [await nobody.mutate(SIGN_IN, email="guessed@example.org", password="a guess") for _ in range(7)]
    assert [one["__typename"] for one in tried[:3]] == ["ValidationError"] * 3
    assert tried[-1]["__typename"] == "RateLimitedError"
    assert 0 < tried[-1]["retryAfterMs"] <= 60_000


async def test_signing_out_ends_the_sign_in(nobody: Person) -> None:
    here, elsewhere = await signed_in(nobody, "sam"), await signed_in(nobody, "sam")
    assert await here.run("mutation { first: signOut second: signOut }") == {"first": True, "second": False}
    assert not await here.is_in()
    assert await elsewhere.is_in()


async def test_a_token_works_until_it_is_revoked(kim: Person, robin: Person) -> None:
    made = await kim.mutate(CREATE_TOKEN, label="nightly import")
    kept = made["accessToken"]
    assert (kept["label"], kept["expiresAt"], kept["lastUsedAt"]) == ("nightly import", None, None)
    program = Person(kim.http, kim.url, made["token"])
    assert (await program.run(TOKENS))["viewer"]["user"]["email"] == "kim@example.org"
    assert await program.run(SIGN_OUT) == {"signOut": False}
    [listed] = (await program.run(TOKENS))["viewer"]["accessTokens"]
    assert (listed["id"], listed["lastUsedAt"] is None) == (kept["id"], False)

    assert (await kim.run(NODE, id=kept["id"]))["node"] == {"__typename": "AccessToken", "id": kept["id"]}
    assert (await robin.run(NODE, id=kept["id"]))["node"] is None
    assert await robin.mutate(REVOKE, id=kept["id"]) == {"__typename": "NotFoundError", "id": kept["id"]}
    assert await program.is_in()

    assert (await kim.mutate(REVOKE, id=kept["id"]))["revokedId"] == kept["id"]
    assert not await program.is_in()
    assert (await kim.mutate(REVOKE, id=kept["id"]))["__typename"] == "NotFoundError"
    assert (await kim.run(TOKENS))["viewer"]["accessTokens"] == []


async def test_a_token_needs_a_label_and_a_future_expiry(kim: Person) -> None:
    nameless = await kim.mutate(CREATE_TOKEN, label=" ")
    assert nameless["issues"] == [{"path": ["label"], "code": "REQUIRED"}]
    over = await kim.mutate(CREATE_TOKEN, label="late", expiresAt="2020-01-01T00:00:00Z")
    assert over["issues"] == [{"path": ["expiresAt"], "code": "OUT_OF_RANGE"}]


async def test_a_token_cannot_create_one_that_outlives_it(kim: Person) -> None:
    made = await kim.mutate(CREATE_TOKEN, label="short", expiresAt="2050-01-01T00:00:00Z")
    short = Person(kim.http, kim.url, made["token"])
    for more in ({}, {"expiresAt": "2051-01-01T00:00:00Z"}):
        refused = await short.mutate(CREATE_TOKEN, label="long", **more)
        assert refused["issues"] == [{"path": ["expiresAt"], "code": "OUT_OF_RANGE"}]
    child = await short.mutate(CREATE_TOKEN, label="child", expiresAt="2049-01-01T00:00:00Z")
    assert child["accessToken"]["expiresAt"].startswith("2049-01-01T00:00:00")


async def test_a_changed_password_ends_all_sign_ins(nobody: Person, database: Path) -> None:
    async with open_account_services(database) as accounts:
        await accounts.users.create("lee@example.org", "Lee", PASSWORD)
    lee, elsewhere = await signed_in(nobody, "lee"), await signed_in(nobody, "lee")
    wrong = await lee.mutate(CHANGE, currentPassword="not it, surely", newPassword="a new password")
    assert wrong["issues"] == [{"path": ["currentPassword"], "code": "INVALID"}]
    short = await lee.mutate(CHANGE, currentPassword=PASSWORD, newPassword="short")
    assert short["issues"] == [{"path": ["newPassword"], "code": "OUT_OF_RANGE"}]
    assert await elsewhere.is_in()

    done = await lee.mutate(CHANGE, currentPassword=PASSWORD, newPassword="a new password")
    assert done["user"]["email"] == "lee@example.org"
    assert not await lee.is_in()
    assert not await elsewhere.is_in()
    assert await (await signed_in(nobody, "lee", "a new password")).is_in()


async def test_a_setup_link_works_once_and_sets_a_first_password(nobody: Person, database: Path) -> None:
    async with open_account_services(database) as accounts:
        new = await accounts.users.create("max@example.org")
        link = await accounts.setup_tokens.create(new.id)
    done = await nobody.mutate(REDEEM, token=link)
    newcomer = Person(nobody.http, nobody.url, done["token"])
    again = await nobody.mutate(REDEEM, token=link)
    assert again["issues"] == [{"path": ["token"], "code": "INVALID"}]
    assert "has expired" in again["message"]
    assert (await nobody.mutate(REDEEM, token="fn_setup_"))["issues"] == again["issues"]
    assert (await newcomer.mutate(CHANGE, newPassword=PASSWORD))["user"]["email"] == "max@example.org"
    assert await (await signed_in(nobody, "max")).is_in()


async def test_a_viewer_sets_their_name_and_model(kim: Person) -> None:
    done = await kim.mutate(UPDATE, name=" Kim K. ", preferredModel="embedded/extractive")
    assert done["viewer"]["user"] == {"name": "Kim K.", "preferredModel": "embedded/extractive"}
    done = await kim.mutate(UPDATE, preferredModel=None)
    assert done["viewer"]["user"] == {"name": "Kim K.", "preferredModel": None}
    wrong = await kim.mutate(UPDATE, preferredModel="no such place/model")
    assert wrong["issues"] == [{"path": ["preferredModel"], "code": "INVALID"}]


async def test_an_owner_manages_members(kim: Person, robin: Person) -> None:
    shop = await kim.project("members' shop")
    assert (await robin.mutate(SET, projectId=shop, email="robin@example.org", role="OWNER")) == {
        "__typename": "NotFoundError",
        "message": "There is no project with this id.",
    }
    unknown = await kim.mutate(SET, projectId=shop, email="nobody@example.org", role="VIEWER")
    assert unknown["issues"] == [{"path": ["email"], "code": "INVALID"}]

    done = await kim.mutate(SET, projectId=shop, email="Robin@Example.org", role="EDITOR")
    assert done["project"] == {
        "viewerRole": "OWNER",
        "members": [
            {"role": "OWNER", "user": {"email": "kim@example.org"}},
            {"role": "EDITOR", "user": {"email": "robin@example.org"}},
        ],
    }
    seen = await robin.run("query($id: ID!) { project(id: $id) { viewerRole members { role } } }", id=shop)
    assert seen["project"] == {"viewerRole": "EDITOR", "members": [{"role": "OWNER"}, {"role": "EDITOR"}]}
    refused = await robin.mutate(SET, projectId=shop, email="robin@example.org", role="OWNER")
    assert refused["__typename"] == "ForbiddenError"
    assert (await robin.mutate(REMOVE, projectId=shop, userId=kim.id))["__typename"] == "ForbiddenError"

    done = await kim.mutate(REMOVE, projectId=shop, userId=robin.id)
    assert [member["user"]["email"] for member in done["project"]["members"]] == ["kim@example.org"]
    assert (await kim.mutate(REMOVE, projectId=shop, userId=robin.id))["__typename"] == "NotFoundError"
    gone = await robin.run("query($id: ID!) { project(id: $id) { viewerRole } }", id=shop)
    assert gone["project"] is None


async def test_successive_mutations_each_return_their_result(kim: Person) -> None:
    shop = await kim.project("shop of changes")
    set_role = """setProjectMember(input: {projectId: $id, email: "sam@example.org", role: %s}) {
      ... on SetProjectMemberPayload { project { members { role } } } }"""
    done = await kim.run(f"mutation($id: ID!) {{ a: {set_role % 'EDITOR'} b: {set_role % 'VIEWER'} }}", id=shop)
    assert [done[name]["project"]["members"][1]["role"] for name in "ab"] == ["EDITOR", "VIEWER"]


async def test_a_project_keeps_an_owner(kim: Person, robin: Person) -> None:
    shop = await kim.project("somebody's shop")
    demoted = await kim.mutate(SET, projectId=shop, email="kim@example.org", role="VIEWER")
    assert demoted["__typename"] == "ConflictError"
    assert (await kim.mutate(REMOVE, projectId=shop, userId=kim.id))["__typename"] == "ConflictError"
    await kim.mutate(SET, projectId=shop, email="robin@example.org", role="OWNER")
    left = await kim.mutate(REMOVE, projectId=shop, userId=kim.id)
    assert left["project"]["viewerRole"] == "OWNER", "what they were when they left"
    assert (await robin.run("query($id: ID!) { project(id: $id) { viewerRole } }", id=shop))["project"]


async def test_an_insufficient_role_is_reported(kim: Person, robin: Person) -> None:
    shop = await kim.project("kept shop")
    await kim.mutate(SET, projectId=shop, email="robin@example.org", role="VIEWER")
    delete = """mutation($input: DeleteProjectInput!) { deleteProject(input: $input) {
      __typename ... on ForbiddenError { message } } }"""
    refused = await robin.mutate(delete, id=shop)
    assert refused == {
        "__typename": "ForbiddenError",
        "message": "This requires the role OWNER in the project; yours is VIEWER.",
    }
