"""What waits while its credential ends is not run: for its body, for its turn on a socket, or for its transaction."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from websockets.exceptions import ConnectionClosed

from app import errors
from app.services import Caller
from tests.accounts.account_services import PASSWORD, AccountServices, open_account_services
from tests.graphql.client import CREATE_PROJECT, Client, received
from tests.graphql.client import start as begin
from tests.http.test_memory_bounds import PATIENCE, connected, deaf_socket, long_answer, status
from tests.looking import until
from tests.servers.endless import endless_models
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.signed_in_server import SignedInServer, StartSignedIn

Start = Callable[..., Client]
SIGN_IN = """mutation($input: SignInInput!) { signIn(input: $input) { ... on SignInPayload { token } } }"""
PROJECTS = "{ projects { nodes { name } } }"
MODELS = "{ models { name } }"
FORM = "multipart/form-data; boundary=x"
# As many results of one socket are produced at once.
AT_ONCE = 8


async def sign_in(server: SignedInServer) -> str:
    return (await server.client.mutate(SIGN_IN, email=server.user.email, password=PASSWORD))["token"]


async def token(server: SignedInServer) -> str:
    return (await server.accounts.access_tokens.create(server.user.id, "ends"))[0]


async def revoked(server: SignedInServer, credential: str) -> None:
    row = await server.accounts.access_tokens.find(credential)
    assert row is not None
    await server.accounts.access_tokens.revoke(row.id, server.user.id)


async def signed_out(server: SignedInServer, credential: str) -> None:
    await server.accounts.sign_ins.sign_out(credential, server.user.id)


async def password_changed(server: SignedInServer, credential: str) -> None:
    await server.accounts.users.set_password(server.user.id, "another password")


async def disabled(server: SignedInServer, credential: str) -> None:
    await server.accounts.users.disable(server.user.id)


Issue = Callable[[SignedInServer], Awaitable[str]]
End = Callable[[SignedInServer, str], Awaitable[None]]
ENDS: dict[str, tuple[Issue, End]] = {
    "token revoked": (token, revoked),
    "signed out": (sign_in, signed_out),
    "password changed": (sign_in, password_changed),
    "user disabled": (sign_in, disabled),
}
EACH_END = pytest.mark.parametrize(("issue", "end"), ENDS.values(), ids=ENDS)


async def ended(server: SignedInServer, end: End, credential: str) -> None:
    """End the credential, and wait until the server knows it."""

    async def is_refused() -> bool:
        headers = {"authorization": f"Bearer {credential}"}
        async with httpx.AsyncClient() as http:
            return (await http.get(f"{server.url}/graphql?query={{__typename}}", headers=headers)).status_code == 401

    await end(server, credential)
    await until(is_refused)


async def nothing() -> None:
    """The body follows at once."""


async def project_names(server: SignedInServer) -> list[str]:
    """The names of the user's projects, for which they are let in again."""

    async def find() -> httpx.Response | None:
        response = await server.client.post(PROJECTS)
        return response if response.status_code == 200 else None

    await server.accounts.users.enable(server.user.id)
    return [project["name"] for project in (await until(find)).json()["data"]["projects"]["nodes"]]


# ------------------------------------------------------------------ bodies


OPERATION = json.dumps({"query": CREATE_PROJECT, "variables": {"input": {"name": "made"}}})
PARTS = "".join(
    f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
    for name, value in (("operations", OPERATION), ("map", "{}"))
)
CHAT = json.dumps({"model": "openai/chat", "messages": [{"role": "user", "content": "Well?"}]})
REQUESTS = {
    "json": ("/graphql", "application/json", "application/json", OPERATION),
    "events": ("/graphql", "application/json", "text/event-stream", OPERATION),
    "form": ("/graphql", FORM, "application/json", f"{PARTS}--x--\r\n"),
    "chat": ("/v1/chat/completions", "application/json", "application/json", CHAT),
}


async def status_of_slow_request(
    server: SignedInServer, kind: str, credential: str, meanwhile: Callable[[], Awaitable[object]]
) -> int:
    """The status of a request whose body is sent after `meanwhile`: the server asks for it when it waits for it."""
    path, media_type, accept, body = REQUESTS[kind]
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Type: {media_type}", f"Accept: {accept}"]
    lines += [f"Content-Length: {len(body)}", "Expect: 100-continue", f"Authorization: Bearer {credential}"]
    lines += ["GraphQL-Require-Preflight: 1", "Connection: close", "", ""]
    async with connected(server.client) as (reader, writer), asyncio.timeout(PATIENCE):
        writer.write("\r\n".join(lines).encode())
        assert await status(reader) == 100
        await reader.readuntil(b"\r\n")
        await meanwhile()
        writer.write(body.encode())
        answered = await status(reader)
        await reader.read(-1)
        return answered


@EACH_END
async def test_a_body_that_arrives_when_its_credential_has_ended_is_not_run(
    signed: StartSignedIn, issue: Issue, end: End
) -> None:
    server = await signed()
    credential = await issue(server)
    assert await status_of_slow_request(server, "json", credential, lambda: ended(server, end, credential)) == 401
    assert await project_names(server) == []


@pytest.mark.parametrize("kind", REQUESTS)
async def test_no_kind_of_body_is_run_when_its_credential_has_ended(signed: StartSignedIn, kind: str) -> None:
    with running(OpenAIServer()) as model:
        server = await signed(openai_base_url=model.url)
        credential = await token(server)
        assert await status_of_slow_request(server, kind, credential, nothing) == 200
        done = (await project_names(server), len(model.chats))
        assert done in ((["made"], 0), ([], 1))
        assert await status_of_slow_request(server, kind, credential, lambda: ended(server, revoked, credential)) == 401
        assert (await project_names(server), len(model.chats)) == done


# ------------------------------------------------------------------ turns on a socket


class Holding(OpenAIServer):
    """A server that gives its list of models when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.let_go.set()

    async def _models(self, request: Request) -> Response:
        response = await super()._models(request)
        await asyncio.to_thread(self.let_go.wait)
        return response

    def stop(self) -> None:
        self.let_go.set()


@EACH_END
async def test_an_operation_whose_turn_comes_when_its_credential_has_ended_is_not_run(
    signed: StartSignedIn, issue: Issue, end: End
) -> None:
    with running(Holding()) as model:
        server = await signed(openai_base_url=model.url, model_connect_seconds=120)
        credential = await issue(server)
        async with (
            Client(server.http, server.url).raw_socket(authorization=f"Bearer {credential}") as socket,
            asyncio.timeout(PATIENCE),
        ):
            await socket.send('{"type":"connection_init"}')
            assert (await received(socket))["type"] == "connection_ack"
            model.let_go.clear()
            for number in range(AT_ONCE):
                await begin(socket, f"models {number}", MODELS)
            await begin(socket, "waits", CREATE_PROJECT, input={"name": "made"})
            await begin(socket, "waits too", CREATE_PROJECT, input={"name": "made too"})
            await socket.send('{"type":"ping"}')
            assert (await received(socket))["type"] == "pong"  # all have been looked at
            await ended(server, end, credential)
            model.let_go.set()
            with pytest.raises(ConnectionClosed):
                while True:
                    assert (await received(socket))["id"].startswith("models")
        assert socket.close_code == 4403
        assert await project_names(server) == []


async def test_results_that_wait_to_be_sent_when_the_socket_is_closed_are_no_error(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    with endless_models() as models:
        client = start(openai_base_url=models.url, ping_seconds=120)
        id = await long_answer(client)
        query = "query($id: ID!) { message(id: $id) { " + " ".join(f"c{n}: content" for n in range(10)) + " } }"
        async with deaf_socket(client) as socket, asyncio.timeout(PATIENCE):
            for number in range(5):  # more than the buffers between here and there hold
                await begin(socket, str(number), query, id=id)
            for _ in range(5):  # while the server makes them
                await client.run(query, id=id)
            await socket.send('{"type":"connection_init"}')
            await client.run(query, id=id)
            socket.transport.resume_reading()
            with pytest.raises(ConnectionClosed):
                while True:
                    await socket.recv()
            assert socket.close_code == 4429
    assert not [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]


# ------------------------------------------------------------------ transactions


@pytest.fixture
async def accounts(tmp_path: Path) -> AsyncGenerator[AccountServices]:
    async with open_account_services(tmp_path) as opened:
        yield opened


async def by_link(accounts: AccountServices) -> tuple[str, Caller]:
    """A user without a password who has signed in with a link: the token, and who is calling."""
    found = await accounts.users.by_email("kim@example.org") or await accounts.users.create("kim@example.org")
    link = await accounts.setup_tokens.create(found.id)
    signed_in = await accounts.signing_in.redeem_link(link)
    return signed_in.token, await accounts.authentication.authenticate(signed_in.token)


async def refuse_all(accounts: AccountServices, caller: Caller) -> None:
    """Whatever would outlive the caller's credential is refused."""
    with pytest.raises(errors.Unauthenticated):
        await accounts.access_tokens.create_for_caller(caller, "made")
    if not await accounts.users.has_password(caller.user.id):
        with pytest.raises(errors.FootnoteError):
            await accounts.signing_in.change_password(caller, None, PASSWORD)
        assert not await accounts.users.has_password(caller.user.id)


@pytest.mark.parametrize("how", ["signed out", "password changed", "user disabled", "user erased"])
async def test_a_sign_in_that_has_ended_makes_no_credential(accounts: AccountServices, how: str) -> None:
    token, caller = await by_link(accounts)
    await accounts.access_tokens.create_for_caller(caller, "before")
    match how:
        case "signed out":
            await accounts.signing_in.sign_out(token, caller.user.id)
        case "password changed":
            await accounts.users.set_password(caller.user.id, PASSWORD)
        case "user disabled":
            await accounts.users.disable(caller.user.id)
        case _:
            await accounts.personal.erase_user(caller.user.id)
    await refuse_all(accounts, caller)


@pytest.mark.parametrize("how", ["revoked", "disabled"])
async def test_a_token_that_has_ended_makes_no_credential(accounts: AccountServices, how: str) -> None:
    user = await accounts.users.create("kim@example.org")
    token, row = await accounts.access_tokens.create(user.id, "script")
    caller = await accounts.authentication.authenticate(token)
    if how == "revoked":
        await accounts.access_tokens.revoke(row.id, user.id)
    else:
        await accounts.users.disable(user.id)
    await refuse_all(accounts, caller)


async def test_a_user_who_was_disabled_for_a_while_keeps_no_sign_in(accounts: AccountServices) -> None:
    _, caller = await by_link(accounts)
    await accounts.users.disable(caller.user.id)
    await accounts.users.enable(caller.user.id)
    await refuse_all(accounts, caller)


async def test_of_simultaneous_first_passwords_one_is_set(accounts: AccountServices) -> None:
    callers = [(await by_link(accounts))[1] for _ in range(2)]
    done = await asyncio.gather(
        *(accounts.signing_in.change_password(caller, None, PASSWORD) for caller in callers), return_exceptions=True
    )
    assert [type(one) for one in done if one is not None] == [errors.Unauthenticated]


async def test_whoever_comes_too_late_for_the_first_password_is_not_asked_for_the_current_one(
    accounts: AccountServices,
) -> None:
    first, second = [(await by_link(accounts))[1] for _ in range(2)]
    await accounts.signing_in.change_password(first, None, PASSWORD)
    with pytest.raises(errors.Unauthenticated):
        await accounts.signing_in.change_password(second, None, f"{PASSWORD} 2")


async def test_of_simultaneous_changes_of_a_password_one_is_made(accounts: AccountServices) -> None:
    """The password that the other shows is no longer the current one."""
    user = await accounts.kim()
    token, _ = await accounts.access_tokens.create(user.id, "script")
    caller = await accounts.authentication.authenticate(token)
    changes = [accounts.signing_in.change_password(caller, PASSWORD, f"{PASSWORD} {number}") for number in range(2)]
    done = await asyncio.gather(*changes, return_exceptions=True)
    [refused] = [one for one in done if one is not None]
    assert isinstance(refused, errors.Invalid)
    assert refused.issues[0].path == ("currentPassword",)
    await accounts.signing_in.sign_in(user.email, f"{PASSWORD} {done.index(None)}")


async def test_a_link_that_is_used_during_a_password_change_lets_nobody_in(accounts: AccountServices) -> None:
    user = await accounts.users.create("kim@example.org")
    redeemed = await accounts.setup_tokens.redeem(await accounts.setup_tokens.create(user.id))
    # As when the password is changed after the link is used up and before the sign-in is written.
    await accounts.users.set_password(user.id, PASSWORD)
    token, _ = await accounts.sign_ins.open(redeemed.id, redeemed.sign_in_generation)
    with pytest.raises(errors.Unauthenticated):
        await accounts.authentication.authenticate(token)
