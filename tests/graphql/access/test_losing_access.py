"""Every way to lose access ends the subscriptions of those who lose it, although nothing else happens on them.

The server is alone on its database, so that nothing looks again by itself: each end is the work of a notification, or
of a timer where a credential expires. Commands are processes of their own; they end a subscription long before
everybody would look again.
"""

import asyncio
import json
import os
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.notifier.machine import LOOK_AGAIN_SECONDS
from app.settings import Settings
from tests.accounts.account_services import PASSWORD
from tests.forks.commands import run_footnote
from tests.graphql.access.people import CANCEL, STALLED, Person, model_server, plain, stalled
from tests.graphql.access.test_strangers_streams import SHARE, by_socket, listening, rest
from tests.graphql.client import Json
from tests.servers.jwks import AUDIENCE, JWKSServer, make_key, token
from tests.servers.running import running
from tests.serving import serve
from tests.signed_in_server import accounts

PEOPLE = 20
KEY = make_key("first")
# How long a JWT is accepted after its time, for clocks that go wrong.
LEEWAY = 30
SET_MEMBER = """mutation($input: SetProjectMemberInput!) { setProjectMember(input: $input) { __typename } }"""
REMOVE_MEMBER = """mutation($input: RemoveProjectMemberInput!) { removeProjectMember(input: $input) { __typename } }"""
DELETE_PROJECT = """mutation($input: DeleteProjectInput!) { deleteProject(input: $input) { __typename } }"""
DELETE_SESSION = """mutation($input: DeleteChatSessionInput!) { deleteChatSession(input: $input) { __typename } }"""
REVOKE = """mutation($input: RevokeAccessTokenInput!) { revokeAccessToken(input: $input) { __typename } }"""
CREATE = """mutation($input: CreateAccessTokenInput!) { createAccessToken(input: $input) {
  ... on CreateAccessTokenPayload { token } } }"""
SIGN_IN = """mutation($input: SignInInput!) { signIn(input: $input) { ... on SignInPayload { token } } }"""
CHANGE = """mutation($input: ChangePasswordInput!) { changePassword(input: $input) { __typename } }"""
VIEWER = "{ viewer { user { id } accessTokens { id } } }"


@dataclass
class Site:
    """A server, and the credentials of people on it, who were there before it started."""

    url: str
    settings: Settings
    alice: str
    tokens: Generator[tuple[str, str]]
    projects: Generator[str]


@dataclass
class Scene:
    """A member who follows an answer of alice's in a project of hers; `credential` is what they follow it with."""

    site: Site
    alice: Person
    email: str
    member: Person
    project_name: str
    project: str
    session: str
    answer: str
    credential: str

    async def user(self) -> Json:
        """The member, and their tokens."""
        return (await self.member.run(VIEWER))["viewer"]

    @asynccontextmanager
    async def person(self, credential: str) -> AsyncGenerator[Person]:
        """Whoever shows this credential."""
        async with httpx.AsyncClient(timeout=120) as http:
            yield Person(http, self.site.url, f"Bearer {credential}")

    async def sign_in(self) -> str:
        """A sign-in of the member."""
        return (await self.member.mutate(SIGN_IN, email=self.email, password=PASSWORD))["token"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Site]:
    """A server that requires sign-in."""
    database: Path = tmp_path_factory.mktemp("losing") / "footnote.db"
    with running(model_server()) as model, running(JWKSServer(KEY)) as provider:
        settings = Settings.model_validate(
            {
                "database_url": f"sqlite:///{database}",
                "require_sign_in": True,
                "max_requests_per_minute": None,
                "openai_base_url": model.url,
                "jwt_issuer": provider.issuer,
                "jwt_jwks_url": f"{provider.url}/jwks",
                "jwt_audience": AUDIENCE,
                "members_by_address": True,
            }
        )
        with serve(settings):  # it makes the database
            pass
        alice, *people = asyncio.run(add_people(settings))
        with serve(settings) as url:
            yield Site(url, settings, alice[1], (person for person in people), (f"project {n}" for n in count()))


async def add_people(settings: Settings) -> list[tuple[str, str]]:
    """Addresses and tokens of people with a password."""
    added: list[tuple[str, str]] = []
    async with accounts(settings) as (_, opened):
        for name in ("alice", *(f"kim{number}" for number in range(PEOPLE))):
            user = await opened.users.create(f"{name}@example.org", name, PASSWORD)
            added.append((user.email, (await opened.access_tokens.create(user.id, "laptop"))[0]))
    return added


@asynccontextmanager
async def scene(site: Site) -> AsyncGenerator[Scene]:
    async with AsyncExitStack() as stack:
        email, credential = next(site.tokens)
        http = [await stack.enter_async_context(httpx.AsyncClient(timeout=120)) for _ in "12"]
        alice = Person(http[0], site.url, f"Bearer {site.alice}")
        member = Person(http[1], site.url, f"Bearer {credential}")
        name = next(site.projects)
        project = await alice.project(name)
        session = await alice.session(project, shared=True, model="openai/chat")
        answer = await stalled(alice, session)
        await alice.mutate(SET_MEMBER, projectId=project, email=email, role="VIEWER")
        yield Scene(site, alice, email, member, name, project, session, answer, credential)
        await alice.mutate(CANCEL, messageId=answer)


async def losing(scene: Scene, lose: Callable[[], Awaitable[object]], seconds: float = 120) -> list[str]:
    """The errors that end the subscription of the scene's member after `lose`."""
    async with (
        scene.person(scene.credential) as person,
        listening(by_socket(person, STALLED, scene.answer)) as messages,
    ):
        ending = asyncio.create_task(rest(messages))
        await lose()
        async with asyncio.timeout(seconds):
            return await ending


async def expiring(scene: Scene, issue: Callable[[float], Awaitable[str]]) -> list[str]:
    """The errors that end the subscription when its credential does, which `issue` gives until a moment.

    It is given for longer, once, where the machine is so busy that it ended before the member followed the answer.
    """
    for seconds in (4, 60):
        ends = time.time() + seconds
        try:
            scene.credential = await issue(ends)
            return await losing(scene, nothing)
        except (AssertionError, KeyError, ConnectionClosed, InvalidStatus):
            if seconds == 60 or time.time() < ends:
                raise
    raise AssertionError("unreachable")


async def test_a_member_who_is_removed(site: Site) -> None:
    async with scene(site) as found:
        user = (await found.user())["user"]["id"]
        removing = found.alice.mutate(REMOVE_MEMBER, projectId=found.project, userId=user)
        assert await losing(found, lambda: removing) == ["NOT_FOUND"]


async def test_a_chat_session_that_is_not_shared_any_more(site: Site) -> None:
    async with scene(site) as found:
        hiding = found.alice.mutate(SHARE, id=found.session, shared=False)
        assert await losing(found, lambda: hiding) == ["NOT_FOUND"]


@pytest.mark.parametrize("query", [DELETE_SESSION, DELETE_PROJECT], ids=["session", "project"])
async def test_what_is_deleted(site: Site, query: str) -> None:
    """The answer goes with it, and its events do not end as if it were complete."""
    async with scene(site) as found:
        id = found.session if query is DELETE_SESSION else found.project
        assert await losing(found, lambda: found.alice.mutate(query, id=id)) == ["NOT_FOUND"]


async def test_a_token_that_is_revoked(site: Site) -> None:
    async with scene(site) as found:
        [kept] = (await found.user())["accessTokens"]
        assert await losing(found, lambda: found.member.mutate(REVOKE, id=kept["id"])) == ["UNAUTHENTICATED"]


async def test_a_sign_in_that_ends(site: Site) -> None:
    async with scene(site) as found:
        found.credential = await found.sign_in()
        async with found.person(found.credential) as person:
            assert await losing(found, lambda: person.run("mutation { signOut }")) == ["UNAUTHENTICATED"]


async def test_a_password_that_is_changed(site: Site) -> None:
    async with scene(site) as found:
        found.credential = await found.sign_in()
        change = found.member.mutate(CHANGE, currentPassword=PASSWORD, newPassword=f"{PASSWORD} 2")
        assert await losing(found, lambda: change) == ["UNAUTHENTICATED"]


async def test_a_token_that_expires(site: Site) -> None:
    async with scene(site) as found:

        async def issue(ends: float) -> str:
            until = datetime.fromtimestamp(ends, UTC).isoformat()
            return (await found.member.mutate(CREATE, label="short", expiresAt=until))["token"]

        assert await expiring(found, issue) == ["UNAUTHENTICATED"]


async def test_a_jwt_that_expires(site: Site) -> None:
    async with scene(site) as found:

        async def issue(ends: float) -> str:
            return token(KEY, sub=found.email, email=found.email, email_verified=True, exp=int(ends) - LEEWAY)

        assert await expiring(found, issue) == ["UNAUTHENTICATED"]


async def nothing() -> None:
    """Time passes."""


COMMANDS = {
    "removed": (["member", "remove", "{project}", "{email}"], "NOT_FOUND"),
    "disabled": (["user", "disable", "{email}"], "NOT_FOUND"),
    "erased": (["user", "erase", "{email}", "--yes"], "NOT_FOUND"),
    "revoked": (["token", "revoke", "{token}"], "UNAUTHENTICATED"),
    "password": (["user", "password", "{email}", "--password-stdin"], "UNAUTHENTICATED"),
}


@pytest.mark.parametrize(("arguments", "code"), COMMANDS.values(), ids=COMMANDS)
async def test_a_command_of_the_operator(site: Site, arguments: list[str], code: str) -> None:
    async with scene(site) as found:
        [kept] = (await found.user())["accessTokens"]
        if "password" in arguments:
            found.credential = await found.sign_in()
        values = {"project": found.project_name, "email": found.email, "token": plain(kept["id"])}
        command = [argument.format(**values) for argument in arguments]
        environment = {**os.environ, "DATABASE_URL": str(site.settings.database_url)}

        def run() -> None:
            done = run_footnote(*command, environment=environment, typed=f"{PASSWORD} 3\n")
            assert done.returncode == 0, json.dumps([done.stdout, done.stderr])

        assert await losing(found, lambda: asyncio.to_thread(run), LOOK_AGAIN_SECONDS / 2) == [code]
