"""Logs at the highest level contain no secret and no document text."""

import asyncio
import hashlib
import signal
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import httpx

from tests.accounts.account_services import PASSWORD
from tests.commands import printed_here
from tests.graphql.client import Client
from tests.serving import serve_in_process

_SECONDS = 120
SIGN_IN = """mutation($input: SignInInput!) { signIn(input: $input) { ... on SignInPayload { token } } }"""
CHANGE = """mutation($input: ChangePasswordInput!) { changePassword(input: $input) { __typename } }"""
WORD = "qxzdocument"
_UPGRADE = b"Host: 127.0.0.1\r\nConnection: Upgrade\r\n"
_SOCKET = (
    b"Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
)
# What anybody can send: no HTTP, no path, no WebSocket, no UTF-8 on one.
STRANGE = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    b"GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    b"GET / HTTP/1.1\r\nConnection: Upgrade, close\r\nHost: a\r\nUpgrade: h2c\r\n\r\n",
    b"GET /graphql HTTP/1.1\r\n" + _UPGRADE + b"Upgrade: websocket\r\n\r\n",
    b"GET /gr\xffphql HTTP/1.1\r\n" + _UPGRADE + _SOCKET,
    b"GET /graphql?\xff HTTP/1.1\r\n" + _UPGRADE + _SOCKET,
    b"GET /graphql HTTP/1.1\r\nX-Other: \xff\xfe\r\n" + _UPGRADE + _SOCKET + b"\x88\x80" + bytes(4),
    b"GET /nowhere HTTP/1.1\r\n" + _UPGRADE + _SOCKET,
    b"GET /graphql HTTP/1.1\r\n" + _UPGRADE + _SOCKET + b"\x81\x82" + bytes(4) + b"\xff\xfe",
    b"GET /graphql HTTP/1.1\r\n" + _UPGRADE + _SOCKET + b"\x82\x82" + bytes(4) + b"{}",
    b"GET /graphql HTTP/1.1\r\n" + _UPGRADE + _SOCKET + b"\xff\xff" + bytes(12),
)


@contextmanager
def serving(folder: Path) -> Generator[tuple[str, Path]]:
    """A server in its own process at LOG_LEVEL=DEBUG: its address, and the file with all its output."""
    said = folder / "said.txt"
    more = {"REQUIRE_SIGN_IN": "true", "LOG_LEVEL": "DEBUG", "PYTHONUNBUFFERED": "1"}
    with said.open("w") as out, serve_in_process(more, folder=folder, stderr=out) as (process, url):
        yield url, said
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=_SECONDS)


async def test_a_debug_log_contains_no_secret_and_no_document_text(tmp_path: Path) -> None:
    with serving(tmp_path) as (url, said):
        add = ("user", "add", "kim@example.org", "--password-stdin")
        await asyncio.to_thread(printed_here, tmp_path, *add, typed=f"{PASSWORD}\n")
        create = ("token", "create", "kim@example.org", "--label", "test")
        token = (await asyncio.to_thread(printed_here, tmp_path, *create)).strip()
        async with httpx.AsyncClient(timeout=_SECONDS, headers={"authorization": f"Bearer {token}"}) as http:
            client = Client(http, url)
            project = await client.project("Shop")
            await client.ready(project, "Guide", f"# Returns\n\nGoods may be returned within 30 days, {WORD}.\n")
            await client.answered(await client.session(project), "Within how many days may goods be returned?")
            signed_in = (await client.mutate(SIGN_IN, email="kim@example.org", password=PASSWORD))["token"]
            changed = await client.mutate(CHANGE, currentPassword=PASSWORD, newPassword=f"{PASSWORD} 2")
            assert changed["__typename"] == "ChangePasswordPayload"
            await http.get(f"{url}/v1/models", headers={"authorization": f"Bearer {signed_in}"})
    text = said.read_text()
    assert "answer request_id=" in text, "it is a log"
    secrets = {
        "token": token,
        "sign-in": signed_in,
        "password": PASSWORD,
        "hash of a password": "$argon2",
        "hash of a token": hashlib.sha256(token.encode()).hexdigest(),
        "document": WORD,
    }
    assert [name for name, secret in secrets.items() if secret in text] == []


def test_no_path_forges_a_line_of_the_log(tmp_path: Path) -> None:
    with serving(tmp_path) as (url, said), closing(HTTPConnection(url.removeprefix("http://"))) as connection:
        for path in ("/a%0aFORGED", "/b%0d%1b[31mFORGED", "/c%e2%80%a8FORGED", "/c%e2%80%aeDEGROF"):
            connection.request("GET", path)
            assert connection.getresponse().read() is not None
    text = said.read_text()
    assert [line for line in text.splitlines() if line.startswith("FORGED")] == []
    for escaped in (
        "path=/a\\nFORGED",
        "path=/b\\r\\x1b[31mFORGED",
        "path=/c\\u2028FORGED",
        "path=/c\\u202eDEGROF",
    ):
        assert escaped in text


def test_no_path_forges_a_field_of_a_record(tmp_path: Path) -> None:
    """Whoever reads `name=value` pairs, or looks at them, takes a space for the end of a value."""
    with serving(tmp_path) as (url, said), closing(HTTPConnection(url.removeprefix("http://"))) as connection:
        for path in ("/d%20status=200%20user_id=x", "/e%22%20f=%22", "/f%c2%a0status=200", "/g=h"):
            connection.request("GET", path)
            assert connection.getresponse().read() is not None
    text = said.read_text()
    for quoted in ('path="/d status=200 user_id=x" ', r'path="/e\" f=\"" ', 'path="/f\xa0status=200" ', "path=/g=h "):
        assert quoted in text


async def test_what_a_stranger_adds_to_the_log_with_a_request_is_short(tmp_path: Path) -> None:
    """However long, and however far from HTTP or GraphQL."""
    more = {"REQUIRE_SIGN_IN": "true", "ACCESS_LOG": "true"}
    said = tmp_path / "said.txt"
    before, sent = 0, (*STRANGE, b"GET /" + b"%e2%80%a8" * 7_000 + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    with said.open("w") as out, serve_in_process(more, folder=tmp_path, stderr=out) as (_, url):
        port = int(url.rpartition(":")[2])
        for data in sent:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head, frames = data.split(_SOCKET) if _SOCKET in data else (data, b"")
            async with asyncio.timeout(_SECONDS):
                writer.write(head + (_SOCKET if _SOCKET in data else b""))
                if frames:
                    await reader.readuntil(b"\r\n\r\n")
                    writer.write(frames)
                await reader.read(-1)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            now = said.stat().st_size
            assert now - before < 5_000, (data[:100], said.read_text()[before:][:1_000])
            before = now
    text = said.read_text()
    assert "Traceback" not in text
    assert len([line for line in text.splitlines() if "request request_id" not in line]) <= 2, text
