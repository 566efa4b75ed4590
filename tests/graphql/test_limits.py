"""Operations that ask for too much are refused before anything runs, and in time that grows with their length only."""

import time

import pytest
from graphql import build_schema, parse

from app import graphql
from app.graphql import limits
from tests.graphql.client import Client

TEN = "first: 100"


def nested(levels: int) -> str:
    return "{ node(id: 1) { ... on Message { " + "replyTo { " * levels + "id" + " }" * levels + " } } }"


def doubling(fragments: int) -> str:
    """Each fragment spreads the next one twice: 2 to the power of `fragments` fields in a few hundred bytes."""
    parts = [f"fragment F{i} on Query {{ ...F{i + 1} ...F{i + 1} }}" for i in range(fragments)]
    return " ".join(["{ ...F0 }", *parts, f"fragment F{fragments} on Query {{ health {{ version }} }}"])


@pytest.mark.parametrize(
    ("query", "says"),
    [
        (nested(15), "levels deep"),
        ("{ " + " ".join(f"a{i}: __typename" for i in range(21)) + " }", "root fields"),
        ("{ viewer { user { " + " ".join(f"a{i}: id" for i in range(31)) + " } } }", "aliases"),
        ("{ health { " + " ".join("version @skip(if: false)" for _ in range(51)) + " } }", "directives"),
        ("{ health { version" + " @skip(if: false)" * 5 + " } }", "directives"),
        (
            f"{{ projects({TEN}) {{ nodes {{ documents({TEN}) {{ nodes {{ id title }} }} }} }} }}",
            "20,000 are allowed. Ask for shorter pages",
        ),
        (
            "query($n: Int) { projects(first: $n) { nodes { documents(last: $n) { nodes { id title } } } } }",
            "20,000 are allowed. Ask for shorter pages",
        ),
        (doubling(40), "20,000 are allowed. Ask for shorter pages"),
    ],
)
async def test_too_much_is_refused(client: Client, query: str, says: str) -> None:
    errors = await client.errors(query)
    assert "QUERY_TOO_EXPENSIVE" in {error["extensions"]["code"] for error in errors}
    assert any(says in error["message"] for error in errors), errors


@pytest.mark.parametrize("query", ["{ a" * 600 + "}" * 600, "{ node(id: " + "[" * 900 + "]" * 900 + ") { id } }"])
async def test_deep_nesting_is_refused_and_no_failure_of_ours(client: Client, query: str) -> None:
    [error] = await client.errors(query)
    assert error["extensions"]["code"] in ("QUERY_TOO_EXPENSIVE", "GRAPHQL_PARSE_FAILED")


async def test_endless_documents_are_not_read_to_their_end(client: Client) -> None:
    [error] = await client.errors("{ " + "__typename " * 3000 + "}")
    assert error["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
    assert "2000 tokens" in error["message"]


async def test_what_clients_usually_ask_passes(client: Client) -> None:
    query = """{ projects(first: 20) { nodes { id name documents(first: 20) { nodes { id title } totalCount
      pageInfo { hasNextPage } } chatSessions { nodes { id title } } embeddingSpace { model } } } }"""
    assert "projects" in await client.run(query)


def test_measuring_takes_time_in_proportion_to_length() -> None:
    """Twice the fragments would be a million times the time if each spread were walked."""
    limiter = limits.Limiter(build_schema(graphql.schema_text()))

    def seconds(fragments: int) -> float:
        document = parse(doubling(fragments))
        start = time.perf_counter()
        assert limiter.problems(document)
        return time.perf_counter() - start

    assert min(seconds(80) for _ in range(3)) < 20 * min(seconds(40) for _ in range(3))
