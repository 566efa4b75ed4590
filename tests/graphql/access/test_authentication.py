"""Authentication: the credential of every request and socket is checked before any of it runs."""

import json

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.conftest import StartSignedIn
from tests.graphql.client import Client, received, start
from tests.signed_in_server import SignedInServer

VIEWER = "{ viewer { user { email } } }"


@pytest.fixture
async def server(signed: StartSignedIn) -> SignedInServer:
    return await signed()


@pytest.mark.parametrize("credential", [None, "", "Bearer wrong", "Basic cmlnaHQ6"])
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_request_without_the_right_credential_is_401(
    server: SignedInServer, credential: str | None, accept: str
) -> None:
    headers = {"accept": accept} | ({} if credential is None else {"authorization": credential})
    async with httpx.AsyncClient() as http:
        response = await http.post(f"{server.url}/graphql", json={"query": VIEWER}, headers=headers)
    assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
    [error] = response.json()["errors"]
    assert error["extensions"]["code"] == "UNAUTHENTICATED"


async def test_the_right_credential_is_accepted(server: SignedInServer) -> None:
    response = await server.http.post(f"{server.url}/graphql", json={"query": VIEWER})
    assert response.json()["data"]["viewer"]["user"]["email"] == "kim@example.org"


@pytest.mark.parametrize("place", ["Authorization", "authorization", "header"])
async def test_a_socket_shows_its_credential_in_its_first_message_or_header(server: SignedInServer, place: str) -> None:
    payload = {} if place == "header" else {place: f"Bearer {server.token}"}
    header = server.token if place == "header" else ""
    async with (
        httpx.AsyncClient() as http,
        Client(http, server.url).raw_socket(Authorization=f"Bearer {header}") as socket,
    ):
        await socket.send(json.dumps({"type": "connection_init", "payload": payload}))
        assert (await received(socket))["type"] == "connection_ack"
        await start(socket, "1", VIEWER)
        assert (await received(socket))["payload"]["data"]["viewer"]["user"]["email"] == "kim@example.org"


@pytest.mark.parametrize("payload", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": 1}])
async def test_any_other_socket_is_closed_with_4403(server: SignedInServer, payload: dict[str, object]) -> None:
    async with httpx.AsyncClient() as http, Client(http, server.url).raw_socket() as socket:
        await socket.send(json.dumps({"type": "connection_init", "payload": payload}))
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403
