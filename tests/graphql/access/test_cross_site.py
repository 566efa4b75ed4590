"""Requests that other sites make through a visitor's browser are refused, by host name, origin and fetch metadata."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from app import errors
from app.settings import Settings, read_settings
from tests.graphql.client import Client
from tests.serving import serve

QUERY = {"query": "{ __typename }"}
ANSWER = {"data": {"__typename": "Query"}}
PATIENCE = 90

Json = Any
Start = Callable[..., Client]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncGenerator[Start]:
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=120))

        def started(**values: object) -> Client:
            values["database_url"] = f"sqlite:///{tmp_path / 'footnote.db'}"
            return Client(http, stack.enter_context(serve(Settings.model_validate(values))))

        yield started


async def by_host(client: Client, *hosts: str) -> int:
    """The status of a request with these Host headers, or none."""
    address = urlsplit(client.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    lines = "".join(f"Host: {host}\r\n" for host in hosts)
    writer.write(f"GET /graphql?query=%7B__typename%7D HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE):
        answer = await reader.read()
    writer.close()
    return int(answer.split(b" ")[1])


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST", "localhost.", "localhost:8000", "127.0.0.1", "127.0.0.1:1", "127.8.9.10"),
        *("[::1]", "[::1]:8000", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]:80"),
    ],
)
async def test_a_loopback_server_accepts_loopback_names(client: Client, host: str) -> None:
    assert await by_host(client, host) == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "evil-localhost"),
        *("127.evil.example", "192.168.0.1", "[::2]", "[::ffff:10.0.0.1]", "0.0.0.0", "2130706433", "[::1", "::1"),
        *("localhost@evil.example", "evil.example#localhost", "localhost:", "localhost:x", "localhost:123456", ""),
        *("localhost..", "localhost, evil.example"),
    ],
)
async def test_a_loopback_server_refuses_other_names(client: Client, host: str) -> None:
    """A page can point its own name here (DNS rebinding) but cannot change the Host that the browser sends."""
    assert await by_host(client, host) == 403
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(InvalidStatus) as refused:
            async with client.raw_socket(host=host):
                pass
        assert refused.value.response.status_code == 403


async def test_a_request_needs_exactly_one_host(client: Client) -> None:
    assert await by_host(client, "localhost", "evil.example") == 403
    assert await by_host(client, "evil.example", "localhost") == 403
    assert await by_host(client) == 403


async def test_the_operator_can_allow_hosts(start: Start) -> None:
    client = start(allowed_hosts="chat.example.org, *.example.net", require_sign_in=False)
    for host in ("chat.example.org", "Chat.Example.ORG.:8443", "a.example.net", "a.b.example.net", "localhost"):
        assert await by_host(client, host) == 200, host
    for host in ("example.org", "a.chat.example.org", "example.net", "evilexample.net", "evil.example"):
        assert await by_host(client, host) == 403, host
    assert await by_host(start(allowed_hosts="*", require_sign_in=False), "evil.example") == 200


async def test_requests_by_another_host_name_require_sign_in(start: Start) -> None:
    """Behind a local proxy every request comes from this machine."""
    client = start(allowed_hosts="chat.example.org")
    for host in ("chat.example.org", "localhost"):
        assert await by_host(client, host) == 401, host
    public = start(public_url="https://chat.example.org/")
    for host, status in (("chat.example.org", 401), ("localhost", 401), ("evil.example", 403)):
        assert await by_host(public, host) == status, host
    assert await by_host(start(allowed_hosts="localhost, 127.0.0.1, [::1]"), "localhost") == 200


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        *(
            ("ALLOWED_HOSTS", host, "is not a host")
            for host in ("https://a.example", "a.example:80", "a.*.example", "*a", "a b")
        ),
        *(
            ("CORS_ORIGINS", origin, "is not an origin")
            for origin in ("a.example", "https://a.example/x", "ftp://a", "https://*.a")
        ),
    ],
)
def test_a_wrong_name_stops_the_start_with_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(errors.StartError) as stopped:
        read_settings()
    shown = f"“{value}”" if " " in value else value
    assert stopped.value.message.startswith(f"{name}={shown}: “{value}” {says}; use one such as ")
    assert "\n" not in stopped.value.message


def own(client: Client) -> str:
    return client.url.removesuffix("/graphql")


def foreign(client: Client) -> list[dict[str, str]]:
    """Requests as browsers send them for other sites."""
    here = own(client)
    origins = [
        "https://evil.example",
        "null",
        here.replace("127.0.0.1", "localhost"),
        f"{here}0",
        f"{here}.evil.example",
    ]
    return [
        *({"origin": origin} for origin in origins),
        {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
    ]


def graphql_code(body: Json) -> str:
    return body["errors"][0]["extensions"]["code"]


def openai_code(body: Json) -> str:
    assert body["error"]["type"] == "invalid_request_error"
    assert body["error"]["message"]
    return body["error"]["code"].upper()


def plain(body: Json) -> str:
    assert list(body) == ["error"]
    return "FORBIDDEN" if "another origin" in body["error"] else ""


# Each API has an error shape of its own, which its clients read.
CODES: dict[str, Callable[[Json], str]] = {
    "/graphql": graphql_code,
    "/graphql?query={__typename}": graphql_code,
    "/documents/x/original": graphql_code,
    "/v1": openai_code,
    "/v1/models": openai_code,
    "/v1/chat/completions": openai_code,
    "/": plain,
    "/health": plain,
    "/v10": plain,
    "/nowhere": plain,
}


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "PUT", "HEAD"])
async def test_a_page_of_another_origin_is_always_refused(client: Client, method: str) -> None:
    for headers in foreign(client):
        for path, code in CODES.items():
            response = await client.http.request(method, own(client) + path, headers=headers)
            assert response.status_code == 403, (headers, path)
            assert "access-control-allow-origin" not in response.headers
            if method != "HEAD":
                assert code(response.json()) == "FORBIDDEN", path
    if method == "GET":
        for headers in foreign(client):
            with pytest.raises(InvalidStatus) as refused:
                async with client.socket(**headers):
                    pass
            assert refused.value.response.status_code == 403


async def test_our_own_page_and_programs_are_accepted(client: Client) -> None:
    here = own(client)
    for headers in (
        {},
        {"origin": here},
        {"origin": here.upper().replace("HTTP", "http")},
        {"origin": "https://app.example", "sec-fetch-site": "same-origin"},  # a proxy that changes Host
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none", "sec-fetch-mode": "navigate"},
    ):
        assert (await client.http.post(client.url, json=QUERY, headers=headers)).json() == ANSWER, headers
        async with client.socket(**headers):
            pass


async def test_a_link_from_another_site_opens_a_page_but_no_result(client: Client) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    headers = {**link, "accept": "text/html"}
    here = own(client)
    for address in (client.url, f"{here}/", f"{here}/?utm_source=mail", f"{here}/c/x?from=mail"):
        page = await client.http.get(address, headers=headers)
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8"), address
    assert (await client.http.get(f"{client.url}?query={{__typename}}", headers=headers)).status_code == 403
    assert (await client.http.post(client.url, json=QUERY, headers=headers)).status_code == 403


async def test_origins_the_operator_allows_are_accepted(start: Start) -> None:
    client = start(cors_origins="https://chat.example.org/, http://localhost:5173")
    asks = "apollo-require-preflight,authorization,content-type,traceparent,x-apollo-operation-name,x-requested-with"
    for origin in ("https://chat.example.org", "http://localhost:5173"):
        site = {"origin": origin, "sec-fetch-site": "cross-site"}
        for method in ("POST", "GET"):
            wants = {"access-control-request-method": method, "access-control-request-headers": asks}
            preflight = await client.http.options(client.url, headers={**site, **wants})
            assert preflight.status_code == 200
            assert preflight.headers["access-control-allow-origin"] == origin
            assert method in preflight.headers["access-control-allow-methods"]
            assert set(asks.split(",")) <= set(preflight.headers["access-control-allow-headers"].lower().split(","))
            assert "access-control-allow-credentials" not in preflight.headers
        response = await client.http.post(client.url, json=QUERY, headers=site)
        assert response.json() == ANSWER
        assert response.headers["access-control-allow-origin"] == origin
        assert "Origin" in response.headers["vary"]
        async with client.socket(**site):
            pass
    for origin in ("https://evil.example", "http://chat.example.org", "https://chat.example.org:8443", "null"):
        wants = {"origin": origin, "access-control-request-method": "POST"}
        assert (await client.http.options(client.url, headers=wants)).status_code == 403
        assert (await client.http.post(client.url, json=QUERY, headers={"origin": origin})).status_code == 403
    # Browsers leave the usual port out.
    with_ports = start(cors_origins="https://a.example:443, http://a.example:80, http://b.example:443")
    for origin in ("https://a.example", "http://a.example", "http://b.example:443"):
        site = {"origin": origin, "sec-fetch-site": "cross-site"}
        response = await with_ports.http.post(with_ports.url, json=QUERY, headers=site)
        assert (response.status_code, response.headers.get("access-control-allow-origin")) == (200, origin)
    anybody = start(cors_origins="*")
    response = await anybody.http.post(anybody.url, json=QUERY, headers={"origin": "https://evil.example"})
    assert (response.json(), response.headers["access-control-allow-origin"]) == (ANSWER, "*")
