"""Hostile clients: a server in its own process refuses or bounds them, and still serves their neighbor."""

import asyncio
from collections.abc import Generator

import pytest

from tests.clients import hostile
from tests.clients.hostile import Attack
from tests.processes.test_several_processes import Server, serving

SERVED = '{"__typename": "Query"}'
MAX_GROWTH_BYTES = 40_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    """The server under attack."""
    with serving(hostile.hardened(tmp_path_factory.mktemp("hostile"))) as started:
        yield started


@pytest.mark.parametrize(
    ("attack", "says"),
    [
        (hostile.fragment_bombs, {"QUERY_TOO_EXPENSIVE"}),
        (hostile.aliases, {"QUERY_TOO_EXPENSIVE"}),
        (hostile.nesting, {"QUERY_TOO_EXPENSIVE"}),
        (hostile.variables, {"BAD_USER_INPUT", "QUERY_TOO_EXPENSIVE"}),
        (hostile.flood, {SERVED, hostile.REFUSED}),
        (hostile.patient_flood, {SERVED}),
        (hostile.slow_bodies, {"408", hostile.CLOSED}),
    ],
)
def test_an_attack_is_contained_and_a_neighbor_is_served(server: Server, attack: Attack, says: set[str]) -> None:
    found = asyncio.run(hostile.under(attack, server))
    assert found.codes
    assert set(found.codes) <= says
    assert found.neighbor_ms
    # What is asked for is not unfolded, and what is sent is not kept.
    assert found.memory_growth < MAX_GROWTH_BYTES
