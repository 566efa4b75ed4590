"""Invalid credentials open nothing, neither by request nor by socket."""

import json

import pytest
from websockets.exceptions import ConnectionClosed

from tests.graphql.access.people import MARK, SECRET, STALLED, World
from tests.graphql.access.rules import LOCKED_OUT, RULES, SELECTING, call, kind_at, leaks
from tests.graphql.schema.walking import Calling


@pytest.mark.parametrize("who", LOCKED_OUT)
async def test_invalid_credentials_get_401_for_everything(world: World, who: str) -> None:
    """On every transport, with the same bytes for every request."""
    own = {**world.private, **world.seen, "Node": world.seen["Project"]}
    async with world.person(who) as person:
        told: set[str] = set()
        for kind in ("query", "mutation"):
            for name, rule in RULES[kind].items():
                if rule.least != "ANYBODY":
                    calling = Calling(SELECTING, kind, name)
                    needed = {place: own[kind_at(rule, place)] for place in calling.places() if calling.needs(place)}
                    answer = await call(person, kind, name, needed)
                    assert answer.outcome == "UNAUTHENTICATED", (name, answer)
                    told.add(answer.text)
        query = {"query": "{ viewer { user { id } } }"}
        listen = {"query": STALLED, "variables": {"id": world.more["shared running answer"]}}
        mixed = 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json'
        for response in (
            await person.http.get(person.url, params=query),
            await person.http.post(person.url, json={"query": "{ nothing"}),
            await person.http.post(person.url, json=listen, headers={"accept": "text/event-stream"}),
            await person.http.post(person.url, json=listen, headers={"accept": mixed}),
        ):
            assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer"), response.text
            told.add(response.text)
        assert len(told) == 1, told
        assert leaks(told.pop(), [MARK, SECRET]) == []


@pytest.mark.parametrize("who", LOCKED_OUT)
@pytest.mark.parametrize("how", ["header", "payload"])
async def test_a_socket_with_an_invalid_credential_is_closed_with_4403(world: World, who: str, how: str) -> None:
    async with world.person(who) as person:
        payload, person.headers = (person.headers, {}) if how == "payload" else ({}, person.headers)
        async with person.raw_socket() as socket:
            await socket.send(json.dumps({"type": "connection_init", "payload": payload}))
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403
