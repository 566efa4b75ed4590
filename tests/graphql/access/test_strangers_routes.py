"""Access control outside GraphQL: the OpenAI API, originals, pages. Every route needs a rule here."""

import base64
import json
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from app import main
from app.graphql import ids
from app.openai_api.routes import OpenAIAPI
from app.settings import Settings
from tests.graphql.access.people import MARK, QUESTION, SECRET, Person, World, plain
from tests.graphql.access.rules import LOCKED_OUT, leaks
from tests.graphql.client import Json

# What each address is for: EVERYBODY, a USER, or who sees what is named.
RULES = {
    "/": "EVERYBODY",
    "/graphql": "GRAPHQL",
    "websocket /graphql": "GRAPHQL",
    "/documents/{id}/original": "VIEWER",
    "/documents/{id}/pages/{number}": "VIEWER",
    "/v1/models": "USER",
    "/v1/models/{id:path}": "USER",
    "/v1/chat/completions": "VIEWER",
    "/v1/responses": "VIEWER",
    "/projects/{project}/v1/models": "VIEWER",
    "/projects/{project}/v1/models/{id:path}": "USER",
    "/projects/{project}/v1/chat/completions": "VIEWER",
    "/projects/{project}/v1/responses": "VIEWER",
    "/chat/completions": "EVERYBODY",
    "/completions": "EVERYBODY",
    "/responses": "EVERYBODY",
    "/embeddings": "EVERYBODY",
    "/models": "EVERYBODY",
    "/models/{id:path}": "EVERYBODY",
    "/v1": "EVERYBODY",
    "/projects": "EVERYBODY",
    "/projects/{path:path}": "EVERYBODY",
    "//v1/{path:path}": "EVERYBODY",
    "/health": "EVERYBODY",
    "/livez": "EVERYBODY",
    "/readyz": "EVERYBODY",
    "/metrics": "METRICS_TOKEN",
    "/p/{path:path}": "EVERYBODY",
    "/c/{path:path}": "EVERYBODY",
    "/account": "EVERYBODY",
    "/status": "EVERYBODY",
    "/handbook": "EVERYBODY",
    "/handbook/{name}": "EVERYBODY",
    "/handbook/{name}.md": "EVERYBODY",
    "/handbook/pages.json": "EVERYBODY",
    "/static/page": "EVERYBODY",
    "/static/playground": "EVERYBODY",
}
QUESTIONS = {"chat/completions": "messages", "responses": "input"}
"""The two forms of a question, with the field that it is in."""
FORGED = "Bearer fn_access_" + "x" * 43


def addresses(routes: Sequence[BaseRoute]) -> Iterator[str]:
    """Every route of the server."""
    for route in routes:
        if isinstance(route, Mount) and isinstance(route.app, OpenAIAPI):
            yield from (f"{route.path}{each}" for each in addresses(route.app.routes))
        elif isinstance(route, WebSocketRoute):
            yield f"websocket {route.path}"
        else:
            assert isinstance(route, Route | Mount), route
            yield route.path


def test_every_route_has_a_rule() -> None:
    assert sorted(addresses(main.create_app(Settings.model_validate({})).routes)) == sorted(RULES)


def root(person: Person) -> str:
    return person.url.removesuffix("/graphql")


async def asked(
    person: Person, project: str, form: str = "chat/completions", *, in_url: bool = False, **more: Json
) -> httpx.Response:
    """A response of the OpenAI API, about the project in the field `index_name` or in the base URL."""
    body = {QUESTIONS[form]: [{"role": "user", "content": QUESTION}], **more}
    if in_url:
        return await person.http.post(f"{root(person)}/projects/{quote(project)}/v1/{form}", json=body)
    return await person.http.post(f"{root(person)}/v1/{form}", json={**body, "index_name": project})


def names(world: World) -> list[tuple[str, str]]:
    """The names of Alice's project on the OpenAI API, each paired with one of nothing."""
    project, nothing = world.seen["Project"], "f" * 32
    spare = base64.urlsafe_b64encode(f"Project:{nothing}".encode()).decode().rstrip("=")
    return [(f"{MARK} shop", "qxznone shop"), (project, spare), (plain(project), nothing)]


def replace_name(response: httpx.Response, name: str) -> str:
    """The text of a response without the name that was asked for, as it is and as it stands in a URL."""
    return response.text.replace(name, "NAME").replace(quote(name, safe=""), "NAME")


@pytest.mark.parametrize("who", ["bob", "rita"])
@pytest.mark.parametrize("streams", [True, False])
@pytest.mark.parametrize("form", QUESTIONS)
async def test_other_users_projects_do_not_exist_on_the_openai_api(
    world: World, who: str, streams: bool, form: str
) -> None:
    async with world.person(who) as stranger:
        for (there, nothing), in_url in product(names(world), (False, True)):
            real, fake = [await asked(stranger, name, form, in_url=in_url, stream=streams) for name in (there, nothing)]
            assert real.status_code == fake.status_code == 404
            assert replace_name(real, there) == replace_name(fake, nothing)
            assert leaks(replace_name(real, there), [*world.seen.values(), MARK, SECRET]) == []


@pytest.mark.parametrize("who", ["bob", "rita"])
async def test_other_users_projects_list_no_models_in_their_base_urls(world: World, who: str) -> None:
    async with world.people("alice", who) as (alice, stranger):
        for there, nothing in names(world):
            real, fake = [
                await stranger.http.get(f"{root(stranger)}/projects/{quote(name)}/v1/models")
                for name in (there, nothing)
            ]
            assert real.status_code == fake.status_code == 404
            assert replace_name(real, there) == replace_name(fake, nothing)
            assert (await alice.http.get(f"{root(alice)}/projects/{quote(there)}/v1/models")).status_code == 200


async def test_members_are_answered_on_the_openai_api(world: World) -> None:
    """So that the refusals above have no other cause."""
    async with world.people("alice", "vera") as members:
        for member in members:
            for (there, _), form, in_url in product(names(world), QUESTIONS, (False, True)):
                answer = await asked(member, there, form, in_url=in_url)
                assert (answer.status_code, answer.headers["x-footnote-route"]) == (200, "rag")
                assert MARK in answer.text
                assert SECRET not in answer.text


@pytest.mark.parametrize("who", ["bob", "rita"])
async def test_other_users_originals_do_not_exist(world: World, who: str) -> None:
    async with world.people("alice", who) as (alice, stranger):
        wanted = [world.seen["Document"], world.more["broken document"], world.more["document in work"]]
        fake = ids.encode("Document", "f" * 32)
        missing = await stranger.http.get(f"{root(stranger)}/documents/{fake}/original")
        assert missing.status_code == 404
        for id in [*wanted, *(id for id in world.seen.values() if id not in wanted), *world.private.values()]:
            hidden = await stranger.http.get(f"{root(stranger)}/documents/{id}/original")
            assert hidden.status_code == 404
            assert hidden.text.replace(id, "ID") == missing.text.replace(fake, "ID")
            own = {"date": "", "x-request-id": ""}
            assert {**hidden.headers, **own} == {**missing.headers, **own}
        found = await alice.http.get(f"{root(alice)}/documents/{wanted[0]}/original")
        assert (found.status_code, MARK in found.text) == (200, True)


@pytest.mark.parametrize("who", [*LOCKED_OUT, "forged"])
async def test_invalid_credentials_get_401_on_every_route(world: World, who: str) -> None:
    """For any request, however wrong it is otherwise."""
    document, upload = world.seen["Document"], {"operations": "{}", "map": "{}"}
    chat: Any = {"messages": [{"role": "user", "content": QUESTION}], "index_name": world.seen["Project"]}
    async with world.person("nobody" if who == "forged" else who) as person:
        if who == "forged":
            person.http.headers["authorization"] = FORGED
        told: dict[str, set[str]] = {}
        requests: list[tuple[str, str, dict[str, Any]]] = [
            ("GET", f"/documents/{document}/original", {}),
            ("GET", f"/documents/{ids.encode('Document', 'f' * 32)}/original", {}),
            ("HEAD", f"/documents/{document}/original", {}),
            ("GET", f"/documents/{document}/pages/1", {}),
            ("GET", "/v1/models", {}),
            ("GET", "/v1/models/openai/chat", {}),
            ("GET", "/v1/models/none", {}),
            ("POST", "/v1/chat/completions", {"json": chat}),
            ("POST", "/v1/chat/completions", {"json": {**chat, "stream": True}}),
            ("POST", "/v1/chat/completions", {"json": {**chat, "index_name": "nothing"}}),
            ("POST", "/v1/chat/completions", {"content": b"{"}),
            ("POST", "/v1/responses", {"json": {"input": QUESTION}}),
            ("POST", "/v1/responses", {"content": b"{"}),
            ("GET", "/projects/nothing/v1/models", {}),
            ("POST", "/projects/nothing/v1/chat/completions", {"json": chat}),
            ("POST", "/graphql", {"data": upload, "files": {"0": b"x"}, "headers": {"x-requested-with": "test"}}),
        ]
        for method, path, given in requests:
            response = await person.http.request(method, f"{root(person)}{path}", **given)
            assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer"), (
                path,
                response.text,
            )
            if response.text:
                told.setdefault(path.split("/")[1], set()).add(response.text)
        assert {route: len(texts) for route, texts in told.items()} == {
            "documents": 1,
            "v1": 1,
            "projects": 1,
            "graphql": 1,
        }
        assert leaks(json.dumps([*map(sorted, told.values())]), [MARK, SECRET, *world.seen.values()]) == []
        page = await person.http.get(f"{root(person)}/graphql", headers={"accept": "text/html"})
        health = await person.http.get(f"{root(person)}/health")
        assert page.status_code == health.status_code == (200 if who == "nobody" else 401)
        assert leaks(page.text + health.text, [MARK, SECRET, *world.seen.values(), "example.org"]) == []


async def test_without_a_credential_only_a_sign_in_body_is_read(world: World) -> None:
    """Otherwise anybody could fill the server's memory and disk."""
    sign_in = 'mutation { signIn(input: {email: "no@example.org", password: "%s"}) { __typename } }'
    async with world.person("nobody") as nobody:
        large = await nobody.http.post(nobody.url, json={"query": sign_in % ("x" * 100_000)})
        assert large.status_code == 413
        small = await nobody.http.post(nobody.url, json={"query": sign_in % ("x" * 1000)})
        assert small.json() == {"data": {"signIn": {"__typename": "ValidationError"}}}
