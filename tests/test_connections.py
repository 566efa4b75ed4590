"""Who may hold how many connections: by client, which with IPv6 is a network, and for all together."""

import asyncio

import pytest

from app.addresses import Proxies
from app.cli.server.connections import Places


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
def test_one_client_has_so_many_whatever_addresses_it_takes(first: str, second: str, same: bool) -> None:
    places = Places(most=10, most_of_an_address=1, proxies=Proxies())
    held = Connection(first)
    assert places.take(held) is None
    refused = places.take(Connection(second))
    assert refused == (b"429 Too Many Requests" if same else None)
    places.give_back(held)
    assert places.take(Connection(first)) is None


def test_a_proxy_that_is_believed_has_no_bound_but_that_of_all() -> None:
    places = Places(most=3, most_of_an_address=1, proxies=Proxies(["2001:db8::/32"]))
    taken = [places.take(Connection("2001:db8::1")) for _ in range(4)]
    assert taken == [None, None, None, b"503 Service Unavailable"]
