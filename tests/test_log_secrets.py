"""Logs at the highest level contain no secret and no document text."""

import asyncio
import hashlib
import signal
from collections.abc import Generator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import httpx

from tests.account_services import PASSWORD
from tests.commands import printed_here
from tests.graphql.client import Client
from tests.serving import serve_in_process

_SECONDS = 120
SIGN_IN = """mutation($input: SignInInput!) { signIn(input: $input) { ... on SignInPayload { token } } }"""
CHANGE = """mutation($input: ChangePasswordInput!) { changePassword(input: $input) { __typename } }"""
WORD = "qxzdocument"


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
        for path in ("/a%0aFORGED", "/b%0d%1b[31mFORGED", "/c%e2%80%a8FORGED"):
            connection.request("GET", path)
            assert connection.getresponse().read() is not None
    text = said.read_text()
    assert [line for line in text.splitlines() if line.startswith("FORGED")] == []
    for escaped in ("path=/a\\nFORGED", "path=/b\\r\\x1b[31mFORGED", "path=/c\\u2028FORGED"):
        assert escaped in text
