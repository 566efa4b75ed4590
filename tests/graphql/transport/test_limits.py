"""Operations that ask for too much are refused before anything runs, in time linear in their length."""

import json
import time
from contextlib import closing
from pathlib import Path

import pytest
from graphql import build_schema, parse

from app import graphql
from app.database.sqlite import driver
from app.graphql.limits import operation_limits
from tests.graphql.client import Client, Json, received, start

TEN = "first: 100"


def nested(levels: int) -> str:
    return "{ node(id: 1) { ... on Message { " + "replyTo { " * levels + "id" + " }" * levels + " } } }"


def doubling(fragments: int) -> str:
    """Each fragment spreads the next one twice: 2^`fragments` fields in a few hundred bytes."""
    parts = [f"fragment F{i} on Query {{ ...F{i + 1} ...F{i + 1} }}" for i in range(fragments)]
    return " ".join(["{ ...F0 }", *parts, f"fragment F{fragments} on Query {{ health {{ version }} }}"])


def spread(fragments: int, depth: int, step: str = "replyTo { ") -> str:
    """A chain of fragments, each a few levels deeper than the last."""
    parts = [f"fragment F{i} on Message {{ {step * depth}...F{i + 1}{' }' * depth} }}" for i in range(fragments)]
    return " ".join(["{ node(id: 1) { ...F0 } }", *parts, f"fragment F{fragments} on Message {{ id }}"])


TOO_MUCH = [
    (nested(15), "The operation has 17 levels; 14 are allowed"),
    (spread(8, 2), "levels; 14 are allowed"),
    (spread(40, 4, "... { "), "over 100 levels; 14 are allowed"),
    ("{ " + " ".join(f"a{i}: __typename" for i in range(21)) + " }", "21 root fields"),
    ("{ ...F ...F ...F } fragment F on Query { " + "__typename " * 7 + "}", "21 root fields; 20 are allowed"),
    ("{ viewer { user { " + " ".join(f"a{i}: id" for i in range(31)) + " } } }", "31 aliases; 30 are allowed"),
    ("{ health { " + " ".join("version @skip(if: false)" for _ in range(51)) + " } }", "51 directives; 50 are allowed"),
    ("{ health { version" + " @skip(if: false)" * 5 + " } }", "5 directives in one place; 4 are allowed"),
    ("query @skip(if: true) " + "@skip(if: true) " * 4 + "{ __typename }", "5 directives in one place"),
    (f"{{ projects({TEN}) {{ nodes {{ documents({TEN}) {{ nodes {{ id title }} }} }} }} }}", "30,201 fields; 20,000"),
    (
        "query($n: Int) { projects(first: $n) { nodes { documents(last: $n) { nodes { id title } } } } }",
        "30,201 fields; 20,000 are allowed. Request smaller pages",
    ),
    (doubling(40), "fields; 20,000 are allowed"),
    ("{ health { " + "version " * 500 + "} }", "249,500 pairs of fields with the same name"),
    ("{ health { " + "... F " * 150 + "} } fragment F on Health { version }", "22,350 pairs of fields"),
    ("{ health { " + " ".join(f"f{i}" for i in range(1100)) + " } }", "1,101 fields; 1,000 are allowed"),
    (" ".join(f"query Q{i} {{ __typename }}" for i in range(21)), "21 operations; 20 are allowed"),
    ("{ a } " + " ".join(f"fragment F{i} on Query {{ a }}" for i in range(101)), "101 fragments; 100 are allowed"),
    ("{ node(id: " + "[" * 40 + "]" * 40 + ") { id } }", "40 levels of lists and objects in one value; 32"),
    ("{ node(id: " + "{a: " * 40 + "1" + "}" * 40 + ") { id } }", "40 levels of lists and objects in one value"),
    ("query($a: [Int] = " + "[" * 40 + "]" * 40 + ") { __typename }", "40 levels of lists and objects in one value"),
    ("{ a" * 600 + "}" * 600, "nested too deeply"),
    ("{ node(id: " + "[" * 900 + "]" * 900 + ") { id } }", "nested too deeply"),
    ("{ __typename } # " + "x" * 100_000, "100,017 characters; 100,000 are allowed. Send long texts as variables."),
    ("{ __type(name: 1) { " + "ofType { " * 20 + "name" + " }" * 20 + " } }", "22 levels; 20 are allowed"),
    (
        "{ __schema { types { " + " ".join(f"a{i}: fields {{ args {{ name }} }}" for i in range(10))
        + " ...F ...F ...F ...F } } } fragment F on __Type { ...G ...G ...G ...G } "
        "fragment G on __Type { ...H ...H ...H } "
        "fragment H on __Type { fields { type { fields { name description } } } }",
        "fields of the schema; 50,000 are allowed",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("query", "says"), TOO_MUCH)
async def test_too_much_is_refused(client: Client, query: str, says: str) -> None:
    """With the same message over HTTP and WebSocket, before any validation rule has run."""
    errors = await client.errors(query)
    assert {error["extensions"]["code"] for error in errors} == {"QUERY_TOO_EXPENSIVE"}
    assert any(says in error["message"] for error in errors), errors
    async with client.socket() as socket:
        await start(socket, "1", query)
        message = await received(socket)
    assert message["type"] == "error"
    assert [error["message"] for error in message["payload"]] == [error["message"] for error in errors]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (json.loads("[" * 100 + "]" * 100), "33 levels or more; 32 are allowed"),
        (json.loads('{"a":' * 100 + "1" + "}" * 100), "33 levels or more; 32 are allowed"),
        ([0] * 10_001, "10,002 values or more; 10,000 are allowed"),
        ([[0] * 100] * 101, "values or more; 10,000 are allowed"),
    ],
)
async def test_too_many_variables_are_refused(client: Client, value: Json, says: str) -> None:
    [error] = await client.errors("{ __typename }", value=value)
    assert error["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
    assert says in error["message"]
    async with client.socket() as socket:
        await start(socket, "1", "{ __typename }", value=value)
        assert (await received(socket))["payload"][0]["message"] == error["message"]
        await start(socket, "1", "{ __typename }", value=[[0] * 100] * 90)
        assert (await received(socket))["payload"] == {"data": {"__typename": "Query"}}


async def test_endless_documents_are_not_parsed_to_their_end(client: Client) -> None:
    [error] = await client.errors("{ " + "__typename " * 3000 + "}")
    assert error["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
    assert "2000 tokens" in error["message"]


async def test_lists_longer_than_their_cost_assumes_are_limited_too(client: Client, database: Path) -> None:
    """An answer may cite a source a thousand times, and the cost of an operation assumes two."""
    project = await client.project("uses")
    await client.ready(project, "Bees", "# Bees\n\nBees dance to tell where flowers are.\n")
    answer = await client.answered(await client.session(project), "Why do bees dance?")
    with closing(driver.choose_driver().module.connect(database)) as connection, connection:
        [[written]] = connection.execute("SELECT citations FROM messages WHERE citations IS NOT NULL")
        [citation] = json.loads(written)
        many = json.dumps([{**citation, "uses": citation["uses"] * 1000}])
        connection.execute("UPDATE messages SET citations = ? WHERE citations IS NOT NULL", (many,))
    span = "{ startOffset endOffset }"
    use = f"uses {{ quote support page row placedBy markerSpan {span} quoteSpan {span} }}"

    def times(count: int) -> str:
        fields = (f'a{number}: message(id: "{answer}") {{ citations {{ {use} }} }}' for number in range(count))
        return "{ " + " ".join(fields) + " }"

    found = await client.run(times(5))
    assert [len(message["citations"][0]["uses"]) for message in found.values()] == [1000] * 5
    [error, *_] = await client.errors(times(20))
    assert error["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
    assert error["message"].startswith("The operation resolves more than 100,000 fields. Request smaller pages")


async def test_usual_queries_pass(client: Client) -> None:
    query = """{ projects(first: 20) { nodes { id name documents(first: 20) { nodes { id title } totalCount
      pageInfo { hasNextPage } } chatSessions { nodes { id title } } embeddingSpace { model } } } }"""
    assert "projects" in await client.run(query)


def test_measuring_takes_linear_time() -> None:
    """If each spread were walked, twice the fragments would take a million times as long."""
    limiter = operation_limits.Limiter(build_schema(graphql.schema_text()))

    def seconds(fragments: int) -> float:
        document = parse(doubling(fragments))
        start = time.thread_time()
        assert limiter.find_problems(document)
        return time.thread_time() - start

    assert min(seconds(80) for _ in range(3)) < 20 * min(seconds(40) for _ in range(3))


@pytest.mark.parametrize(
    ("field", "most"),
    [
        ('search(input: { projectId: "x", query: "x" }) { edges { rank } }', 19),
        ('search(input: { projectId: "x", query: "x" }, first: 100) { edges { highlights { startOffset } } }', 3),
        ('previewAnswer(input: { sessionId: "x", content: "x" }) { route }', 9),
    ],
)
async def test_aliases_of_expensive_fields_are_limited(client: Client, field: str, most: int) -> None:
    """A search costs far more than a plain field, and so do highlights in its texts."""
    for count, refused in ((most, False), (most + 1, True)):
        errors = await client.errors("{ " + " ".join(f"a{number}: {field}" for number in range(count)) + " }")
        codes = {error["extensions"]["code"] for error in errors}
        assert codes == ({"QUERY_TOO_EXPENSIVE"} if refused else {"NOT_FOUND"}), (count, errors)
