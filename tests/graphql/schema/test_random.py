"""Random valid operations with random values: each gets an answer or an expected error, never an internal one."""

import asyncio
import json
from collections import Counter
from typing import cast

import httpx
import pytest
from graphql import parse, validate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.graphql.client import Client, Json, received, start
from tests.graphql.schema.random_operations import Operation, Operations
from tests.graphql.schema.walking import SCHEMA

EXAMPLES = {"query": 250, "mutation": 200, "subscription": 60}
KINDS = sorted(EXAMPLES)
EXPECTED = {"BAD_USER_INPUT", "NOT_FOUND", "FORBIDDEN", "CONFLICT", "UNAVAILABLE", "QUERY_TOO_EXPENSIVE"}
# Once events have come that long, the rest of a subscription is of no interest here.
LISTEN_SECONDS = 0.05


@pytest.fixture(scope="module")
def known(server: str) -> dict[str, list[str]]:
    """One id of each kind."""

    async def make() -> dict[str, list[str]]:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, server)
            project = await client.project("random")
            document = await client.ready(project, "Larks", "# Larks\n\nLarks sing at dawn.\n")
            session = await client.session(project)
            answer = await client.answered(session, "When do larks sing?")
            read = await client.run(
                "query($id: ID!) { document(id: $id) { chunks { nodes { id } } } viewer { user { id } } }", id=document
            )
            chunk, user = read["document"]["chunks"]["nodes"][0]["id"], read["viewer"]["user"]["id"]
            kinds = {"Project": project, "Document": document, "ChatSession": session, "Message": answer}
            return {kind: [id] for kind, id in {**kinds, "Chunk": chunk, "User": user}.items()}

    return asyncio.run(make())


@pytest.mark.parametrize("kind", KINDS)
def test_no_operation_breaks_anything(server: str, known: dict[str, list[str]], kind: str) -> None:
    @st.composite
    def operations(draw: st.DrawFn) -> Operation:
        return Operations(SCHEMA, known, draw).operation(kind)

    @settings(
        max_examples=EXAMPLES[kind],
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example, HealthCheck.data_too_large],
    )
    @given(operations())
    def check(operation: Operation) -> None:
        assert validate(SCHEMA, parse(operation.text)) == [], "only valid operations are drawn"
        loop.run_until_complete(listen(operation) if kind == "subscription" else ask(operation))

    async def ask(operation: Operation) -> None:
        response = await http.post(client.url, json={"query": operation.text, "variables": operation.variables})
        assert response.status_code == 200, (operation, response.text)
        codes = check_result(response.text, operation)
        counts["refused" if "QUERY_TOO_EXPENSIVE" in codes else "ran"] += 1

    async def listen(operation: Operation) -> None:
        async with client.socket() as socket:
            await start(socket, "1", operation.text, **operation.variables)
            try:
                async with asyncio.timeout(LISTEN_SECONDS):
                    while (message := await received(socket))["type"] != "complete":
                        check_result(json.dumps(message["payload"]), operation)
            except (TimeoutError, ConnectionClosed) as ended:
                assert isinstance(ended, TimeoutError), operation

    counts: Counter[str] = Counter(ran=1)
    loop = asyncio.new_event_loop()
    http = httpx.AsyncClient(timeout=120)
    client = Client(http, server)
    try:
        check()
        assert counts["ran"] > counts["refused"]
    finally:
        loop.run_until_complete(http.aclose())
        loop.close()


def check_result(text: str, operation: Operation) -> set[str]:
    """Check that a result is valid JSON without internal errors; returns its error codes."""

    def no_number(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON: {operation}")

    result: Json = json.loads(text, parse_constant=no_number)
    found = cast("list[Json]", result if isinstance(result, list) else result.get("errors", []))
    codes = {error["extensions"]["code"] for error in found}
    assert codes <= EXPECTED, (operation, found)
    return codes
