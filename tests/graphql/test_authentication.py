"""Authentication: the credential of every request and socket is checked before any of it runs."""

import json
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from starlette.routing import Route, WebSocketRoute
from websockets.exceptions import ConnectionClosed

from app import errors, graphql, main, services
from app.settings import Settings
from tests.graphql.client import Client, received, start
from tests.serving import serving

VIEWER = "{ viewer { user { email } } }"


async def identify(running: services.Services, credential: str | None) -> services.Caller:
    if credential != "Bearer right":
        raise errors.Unauthenticated("Sign in first.")
    return services.Caller(running.operator().user, "ACCESS_TOKEN")


@pytest.fixture
def url(tmp_path: Path) -> Generator[str]:
    settings = Settings.model_validate({"database_url": f"sqlite:///{tmp_path / 'footnote.db'}"})

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncGenerator[main.State]:
        async with services.open_services(settings, "serve") as opened:
            yield {"services": opened}

    api = graphql.create_graphql_api(graphql.GraphQLConfig(max_upload_bytes=1000, identify=identify))
    routes = [Route("/graphql", api, methods=None), WebSocketRoute("/graphql", api)]
    with serving(settings, main.Application(api, routes=routes, lifespan=lifespan)) as address:
        yield address


@pytest.mark.parametrize("credential", [None, "", "Bearer wrong", "Basic right"])
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_request_without_the_right_credential_is_401(url: str, credential: str | None, accept: str) -> None:
    headers = {"accept": accept} | ({} if credential is None else {"authorization": credential})
    async with httpx.AsyncClient() as http:
        response = await http.post(f"{url}/graphql", json={"query": VIEWER}, headers=headers)
    assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
    [error] = response.json()["errors"]
    assert error["extensions"]["code"] == "UNAUTHENTICATED"


async def test_the_right_credential_is_accepted(url: str) -> None:
    async with httpx.AsyncClient() as http:
        right = {"authorization": "Bearer right"}
        response = await http.post(f"{url}/graphql", json={"query": VIEWER}, headers=right)
    assert response.json()["data"]["viewer"]["user"]["email"] == "owner@localhost"


@pytest.mark.parametrize(
    ("payload", "header"),
    [({"Authorization": "Bearer right"}, ""), ({"authorization": "Bearer right"}, ""), ({}, "right")],
)
async def test_a_socket_shows_its_credential_in_its_first_message_or_header(
    url: str, payload: dict[str, str], header: str
) -> None:
    async with httpx.AsyncClient() as http, Client(http, url).raw_socket(Authorization=f"Bearer {header}") as socket:
        await socket.send(json.dumps({"type": "connection_init", "payload": payload}))
        assert (await received(socket))["type"] == "connection_ack"
        await start(socket, "1", VIEWER)
        assert (await received(socket))["payload"]["data"]["viewer"]["user"]["email"] == "owner@localhost"


@pytest.mark.parametrize("payload", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": 1}])
async def test_any_other_socket_is_closed_with_4403(url: str, payload: dict[str, object]) -> None:
    async with httpx.AsyncClient() as http, Client(http, url).raw_socket() as socket:
        await socket.send(json.dumps({"type": "connection_init", "payload": payload}))
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403
