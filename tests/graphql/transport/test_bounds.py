"""Requests that are too large, too slow or incomplete are refused within bounds, at no cost to others."""

import asyncio
import json
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import pytest

from app.settings import Settings
from tests.graphql.client import Client
from tests.looking import pause
from tests.serving import serve

HEAD = b"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\n"
JSON = b"Content-Type: application/json\r\n"
# Longer than the server waits for anything; only a server that waits for ever lets this pass.
PATIENCE = 90


@contextmanager
def limited(folder: Path, **more: object) -> Generator[str]:
    """A server with small request limits."""
    values = {
        "database_url": f"sqlite:///{folder}/footnote.db",
        "max_body_bytes": 10_000,
        "max_upload_bytes": 3_000_000,
    }
    with serve(Settings.model_validate({**values, **more})) as url:
        yield url


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """One with half a second of patience."""
    with limited(tmp_path_factory.mktemp("hasty"), request_seconds=0.5) as url:
        yield url


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """One for requests that are whole, however long a busy machine takes to send them."""
    with limited(tmp_path_factory.mktemp("patient")) as url:
        yield url


@pytest.fixture
async def client(patient: str) -> AsyncGenerator[Client]:
    async with httpx.AsyncClient(timeout=120) as http:
        yield Client(http, patient)


@asynccontextmanager
async def connected(url: str) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.close()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", b""),
        (b"\r\n", b"408"),
        (b"POST /gra", b"408"),
        (HEAD + b"X-Slow: ye", b"408"),
        (HEAD + JSON + b"Content-Length: 100\r\n\r\n{", b"408"),
        (HEAD + JSON + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", b"408"),
        (HEAD + JSON + b"Content-Length: 9999999\r\n\r\n{", b"413"),
        (b"POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{", b"404"),
        (HEAD + b"X-Large: " + b"x" * 70_000, b"431"),
    ],
)
async def test_an_incomplete_request_times_out(client: Client, hasty: str, sent: bytes, status: bytes) -> None:
    async with connected(hasty) as (reader, writer), asyncio.timeout(PATIENCE):
        writer.write(sent)
        # Another client is served meanwhile.
        assert await Client(client.http, hasty).run("{ __typename }") == {"__typename": "Query"}
        answer = await reader.read()
    assert answer.split(b"\r\n")[0].split(b" ")[1:2] == [status][: bool(status)]


async def test_a_dripping_body_times_out(hasty: str) -> None:
    async with connected(hasty) as (reader, writer), asyncio.timeout(PATIENCE):
        writer.write(HEAD + JSON + b"Content-Length: 9000\r\n\r\n")
        answer = asyncio.ensure_future(reader.read())
        while not answer.done():
            writer.write(b" ")
            await asyncio.wait([answer], timeout=0.05)
    head, _, body = answer.result().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408")
    [error] = json.loads(body)["errors"]
    assert error["extensions"]["code"] == "BAD_USER_INPUT"
    assert "0.5 seconds" in error["message"]


async def test_connections_are_reused_and_requests_may_be_pipelined(hasty: str) -> None:
    request = HEAD + JSON + b'Content-Length: 24\r\n\r\n{"query":"{__typename}"}'
    async with connected(hasty) as (reader, writer), asyncio.timeout(PATIENCE):
        for _ in range(2):
            writer.write(request + request)
            for _ in range(2):
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
                assert json.loads(await reader.readexactly(length)) == {"data": {"__typename": "Query"}}


async def test_a_large_body_is_refused(client: Client) -> None:
    query = {"query": "{ __typename }", "variables": {"padding": "x" * 10_000}}
    for body in (json.dumps(query).encode(), pieces(json.dumps(query).encode())):
        response = await client.http.post(client.url, content=body, headers={"content-type": "application/json"})
        assert response.status_code == 413
        [error] = response.json()["errors"]
        assert error["extensions"]["code"] == "BAD_USER_INPUT"
        assert "10,000 bytes" in error["message"]


async def pieces(body: bytes) -> AsyncGenerator[bytes]:
    for start in range(0, len(body), 1000):
        yield body[start : start + 1000]


async def test_simultaneous_uploads_are_limited_together(client: Client) -> None:
    async def send(*sizes: int) -> httpx.Response:
        names = [f"f{i}" for i in range(len(sizes))]
        operations = {"query": "{ __typename }", "variables": dict.fromkeys(names)}
        places = {str(i): [f"variables.{name}"] for i, name in enumerate(names)}
        return await client.http.post(
            client.url,
            data={"operations": json.dumps(operations), "map": json.dumps(places)},
            files={str(i): (name, b"x" * size) for i, (name, size) in enumerate(zip(names, sizes, strict=True))},
            headers={"graphql-require-preflight": "1"},
        )

    assert (await send(1_400_000, 1_400_000)).json() == {"data": {"__typename": "Query"}}
    assert (await send(*[1] * 20)).json() == {"data": {"__typename": "Query"}}
    assert (await send(2_000_000, 2_000_000)).status_code == 413
    many = await send(*[1] * 21)
    assert many.status_code == 400
    assert "20" in many.json()["errors"][0]["message"]


async def test_files_are_closed_however_a_request_ends(client: Client, hasty: str, patient: str) -> None:
    """Files of this size are on disk; one left open is closed by the garbage collector, with a warning."""
    before = open_files()
    part = b'--x\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\n' + b"x" * 1_500_000
    head = HEAD + b"Content-Type: multipart/form-data; boundary=x\r\nX-Requested-With: x\r\n"
    fields = b"".join(
        b'\r\n--x\r\ncontent-disposition: form-data; name="%s"\r\n\r\n%s' % field
        for field in (
            (b"operations", b'{"query": "{ __typename }", "variables": {"a": null}}'),
            (b"map", b'{"0": ["variables.a"]}'),
        )
    )
    whole = part + fields + b"\r\n--x--\r\n"
    for body in (whole, whole.replace(b"variables.a", b"variables.b"), part):
        async with connected(hasty) as (reader, writer), asyncio.timeout(PATIENCE):
            writer.write(head + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(whole) + body)
            assert (await reader.read()).split(b" ")[1] in (b"200", b"400", b"408")
        await closed(client, before)
    async with connected(patient) as (_, writer), asyncio.timeout(PATIENCE):
        writer.write(head + b"Content-Length: 2000000\r\n\r\n" + part)
        await writer.drain()
        while not set(open_files()) - set(before):
            await client.run("{ __typename }")
            await pause()
    await closed(client, before)


async def closed(client: Client, before: list[str]) -> None:
    """Wait until no additional file is open; files are closed after the response is sent."""
    async with asyncio.timeout(PATIENCE):
        while set(open_files()) - set(before):
            await client.run("{ __typename }")
            await pause()


def open_files() -> list[str]:
    """Open files of this process, which also runs the server, that are already unlinked."""
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        pytest.skip("this system does not list open files")
    found: list[str] = []
    for link in folder.iterdir():
        try:
            target = str(link.readlink())
        except OSError:
            continue
        if target.endswith("(deleted)"):
            found.append(target)
    return sorted(found)
