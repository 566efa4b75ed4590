"""Connection limits: per client (with IPv6, per network) and in total."""

import asyncio

import pytest

from app.addresses import Proxies
from app.cli.server.connections import ConnectionLimits


class Connection(asyncio.Transport):
    """An open connection of this peer."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 50_000)})


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
    ],
)
def test_a_client_has_one_limit_across_its_addresses(first: str, second: str, same: bool) -> None:
    places = ConnectionLimits(max_connections=10, max_per_address=1, proxies=Proxies())
    held = Connection(first)
    assert places.try_add(held) is None
    refused = places.try_add(Connection(second))
    assert refused == (b"429 Too Many Requests" if same else None)
    places.remove(held)
    assert places.try_add(Connection(first)) is None


def test_a_trusted_proxy_is_limited_only_by_the_total() -> None:
    places = ConnectionLimits(max_connections=3, max_per_address=1, proxies=Proxies(["2001:db8::/32"]))
    taken = [places.try_add(Connection("2001:db8::1")) for _ in range(4)]
    assert taken == [None, None, None, b"503 Service Unavailable"]
