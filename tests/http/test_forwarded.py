"""Client addresses: which proxy headers are trusted, over real sockets, with forged ones."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from app.accounts.audit import Kind
from app.addresses import Proxies
from app.settings import Settings
from tests.accounts.account_services import PASSWORD
from tests.graphql.client import Client, subscribe
from tests.serving import serve
from tests.signed_in_server import accounts

SIGN_IN = """mutation($input: SignInInput!) { signIn(input: $input) { __typename
  ... on SignInPayload { token } ... on Error { message } } }"""
CREATE_TOKEN = """mutation { createAccessToken(input: { label: "over a socket" }) { __typename } }"""

Start = Callable[..., Client]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.model_validate({"database_url": f"sqlite:///{tmp_path / 'footnote.db'}"})


@pytest.fixture
async def start(settings: Settings) -> AsyncGenerator[Start]:
    async with AsyncExitStack() as stack:

        def started(**values: object) -> Client:
            url = stack.enter_context(serve(Settings.model_validate({**settings.model_dump(), **values})))
            http = httpx.AsyncClient(timeout=120)
            stack.push_async_callback(http.aclose)
            return Client(http, url)

        yield started


async def attempt(client: Client, email: str, *forwarded: str, password: str = PASSWORD) -> str:
    """Sign in with these headers; the kind of result."""
    body = {"query": SIGN_IN, "variables": {"input": {"email": email, "password": password}}}
    headers = [("x-forwarded-for", value) for value in forwarded]
    response = await client.http.post(client.url, json=body, headers=headers)
    return response.json()["data"]["signIn"]["__typename"]


async def addresses(settings: Settings, kind: Kind) -> set[str | None]:
    async with accounts(settings) as (_, opened):
        return {event.address for event in await opened.audit.newest_events(1000) if event.kind == kind}


async def test_a_forged_address_evades_neither_limits_nor_audit(start: Start, settings: Settings) -> None:
    client = start(require_sign_in=True)
    results: list[str] = []
    while "RateLimitedError" not in results and len(results) < 120:
        number = len(results)
        results.append(await attempt(client, f"nobody{number}@example.org", f"198.51.100.{number}"))
    assert set(results) == {"ValidationError", "RateLimitedError"}
    assert await addresses(settings, Kind.SIGN_IN_FAILED) == {"127.0.0.1"}


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        (["203.0.113.7"], "203.0.113.7"),
        (["6.6.6.6, 203.0.113.7"], "203.0.113.7"),
        (["6.6.6.6", "203.0.113.7:4711"], "203.0.113.7"),
        (["6.6.6.6, 203.0.113.7, 10.1.2.3"], "203.0.113.7"),
        (["6.6.6.6, 203.0.113.7, unknown"], "127.0.0.1"),
        (["[2001:db8::0:7]:4711"], "2001:db8::7"),
        (["::ffff:203.0.113.7"], "203.0.113.7"),
        ([""], "127.0.0.1"),
        ([], "127.0.0.1"),
    ],
)
async def test_a_configured_proxy_is_trusted_about_its_clients(
    start: Start, settings: Settings, forwarded: Sequence[str], address: str
) -> None:
    client = start(trusted_proxies="127.0.0.1, 10.0.0.0/8")
    assert await attempt(client, "nobody@example.org", *forwarded) == "ValidationError"
    assert await addresses(settings, Kind.SIGN_IN_FAILED) == {address}


async def test_a_socket_has_the_address_of_its_handshake(start: Start, settings: Settings) -> None:
    client = start(trusted_proxies="127.0.0.1")
    async with accounts(settings) as (_, opened):
        user = await opened.users.create("kim@example.org", "Kim", PASSWORD)
        token, _ = await opened.access_tokens.create(user.id, "test")
    client.http.headers["authorization"] = f"Bearer {token}"
    forwarded = {"x-forwarded-for": "6.6.6.6, 203.0.113.7", "x-forwarded-proto": "https"}
    async with client.socket(**forwarded) as socket:
        [made] = [event async for event in subscribe(socket, CREATE_TOKEN)]
    assert made["__typename"] == "CreateAccessTokenPayload"
    assert await addresses(settings, Kind.TOKEN_CREATED) == {None, "203.0.113.7"}


@pytest.mark.parametrize("header", ["x-forwarded-for", "x-real-ip"])
async def test_a_proxied_client_is_not_the_owner_of_an_open_server(start: Start, header: str) -> None:
    """With a local proxy every request comes from this machine."""
    client = start()
    query = {"query": "{ viewer { user { email } } }"}
    for value in ("203.0.113.7", "127.0.0.1, 203.0.113.7", "203.0.113.7, 127.0.0.1", "unknown"):
        refused = await client.http.post(client.url, json=query, headers={header: value})
        assert (refused.status_code, "TRUSTED_PROXIES" in refused.text) == (403, True)
        assert refused.headers["x-content-type-options"] == "nosniff"
        with pytest.raises(InvalidStatus) as shut:
            async with client.raw_socket(**{header: value}):
                pass
        assert shut.value.response.status_code == 403
    own = await client.http.post(client.url, json=query, headers={header: "127.0.0.1, ::1"})
    assert own.status_code == 200
    told = start(require_sign_in=False)
    assert (await told.http.post(told.url, json=query, headers={header: "203.0.113.7"})).status_code == 200


@pytest.mark.parametrize(
    "value",
    [
        "for=203.0.113.7",
        'for="[2001:db8::17]:4711"',
        "For=127.0.0.1, for=203.0.113.7;proto=https",
        "by=::1;for=_hidden",
    ],
)
async def test_nor_is_a_client_behind_a_proxy_with_the_standard_header(start: Start, value: str) -> None:
    client = start()
    query = {"query": "{ viewer { user { email } } }"}
    refused = await client.http.post(client.url, json=query, headers={"forwarded": value})
    assert (refused.status_code, "TRUSTED_PROXIES" in refused.text) == (403, True)
    own = await client.http.post(client.url, json=query, headers={"forwarded": 'for=127.0.0.1, for="[::1]:80"'})
    assert own.status_code == 200


async def test_configuring_a_proxy_requires_sign_in(start: Start) -> None:
    client = start(trusted_proxies="10.0.0.0/8")
    assert (await client.post("{ viewer { user { email } } }")).status_code == 401


async def test_a_forwarded_scheme_is_trusted_like_an_address(start: Start) -> None:
    for proxies, scheme in (("", "http"), ("10.0.0.1", "http"), ("127.0.0.1", "https")):
        client = start(trusted_proxies=proxies, require_sign_in=True)
        moved = await client.http.get(f"{client.url}/", headers={"x-forwarded-proto": "https"})
        assert moved.headers["location"].partition(":")[0] == scheme


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "client"),
    [
        ([], "192.0.2.1", ["203.0.113.7"], "192.0.2.1"),
        (["10.0.0.1"], "192.0.2.1", ["203.0.113.7"], "192.0.2.1"),
        (["10.0.0.0/8"], "::ffff:10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        (["::ffff:10.0.0.0/104"], "10.0.0.1", ["203.0.113.7"], "10.0.0.1"),
        (["fd00::/8"], "fd00::1%eth0", ["2001:DB8::7"], "2001:db8::7"),
        (["fe80::/10"], "fe80::1%eth0", [], "fe80::1"),
        (["0.0.0.0/0", "::/0"], "192.0.2.1", ["1.1.1.1, 2.2.2.2"], "1.1.1.1"),
        (["0.0.0.0/0"], None, ["1.1.1.1"], None),
        (["0.0.0.0/0"], "", ["1.1.1.1"], None),
        (["0.0.0.0/0"], "/run/footnote.sock", ["1.1.1.1"], "/run/footnote.sock"),
        (["10.0.0.1"], "10.0.0.1", ["1.1.1.1, \x00', 10.0.0.1"], "10.0.0.1"),
        (["10.0.0.1"], "10.0.0.1", [",,,"], "10.0.0.1"),
        (["10.0.0.1"], "10.0.0.1", ["1.1.1.1:x"], "1.1.1.1"),
        (["10.0.0.1"], "10.0.0.1", ["[::1"], "::1"),
        (["10.0.0.1"], "10.0.0.1", ["999.1.1.1"], "10.0.0.1"),
        (["10.0.0.1"], "10.0.0.1", ["10.0.0.1," * 30_000], "10.0.0.1"),
    ],
)
def test_entries_are_read_from_the_end_as_long_as_proxies_are_trusted(
    trusted: list[str], peer: str | None, forwarded: list[str], client: str | None
) -> None:
    assert Proxies(trusted).find_client(peer, forwarded) == client
