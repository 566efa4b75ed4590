"""One scenario in each client; an answer stays whole even when the connections that follow it break."""

import asyncio
from dataclasses import dataclass

import pytest

from tests.clients.conftest import PIECES, WORDS, Json, Place, Program
from tests.clients.python_client import Player

# Client, what it subscribes over.
CLIENTS = [
    ("graphql-ws", "sockets"),
    ("graphql-sse", "events"),
    ("urql", "sockets"),
    ("urql", "events"),
    ("apollo", "sockets"),
    ("apollo", "multipart"),
    ("gql", "sockets"),
]
UPLOADS = {"urql", "apollo", "gql"}


@dataclass(frozen=True)
class Played:
    """What one client received, and how often its question reached the model."""

    client: str
    found: Json
    chats: int


@pytest.fixture(scope="module", params=CLIENTS, ids="-".join)
def played(request: pytest.FixtureRequest, place: Place) -> Played:
    """Play the scenario once with each client."""
    name, over = request.param
    project, question = f"{name} {over}", f"What does {name} read over {over}?"
    if name == "gql":
        found = asyncio.run(Player(place.url, place.model.root).play(project, question))
    else:
        program: Program = request.getfixturevalue("program")
        found = program(name, over=over, url=place.url, model=place.model.root, name=project, question=question)
    return Played(name, found, len(place.model.asked(question)))


def test_a_query_returns_data(played: Played) -> None:
    assert played.found["query"]["data"]["viewer"]["user"]["email"] == "owner@localhost"
    assert not played.found["query"].get("errors")


def test_a_mutation_returns_its_payload(played: Played) -> None:
    made = played.found["mutation"]["data"]["createProject"]
    assert made["__typename"] == "CreateProjectPayload"
    assert made["project"]["name"].startswith(played.client)


def test_expected_errors_are_typed_results(played: Played) -> None:
    refused = played.found["typed"]["data"]["createProject"]
    assert refused["__typename"] == "ValidationError"
    assert [(issue["path"], issue["code"]) for issue in refused["issues"]] == [(["name"], "REQUIRED")]
    assert not played.found["typed"].get("errors")


@pytest.mark.parametrize(
    ("part", "code"),
    [("invalid", "GRAPHQL_VALIDATION_FAILED"), ("failed", "BAD_USER_INPUT"), ("refused", "NOT_FOUND")],
)
def test_other_errors_reach_the_client_with_their_code(played: Played, part: str, code: str) -> None:
    """Before execution, during it, and in a subscription."""
    [error] = played.found[part]["errors"]
    assert error["extensions"]["code"] == code
    assert error["message"]


def test_a_file_is_uploaded(played: Played) -> None:
    if played.client not in UPLOADS:
        assert "upload" not in played.found
        return
    uploaded = played.found["upload"]["data"]["uploadDocument"]
    assert uploaded["__typename"] == "UploadDocumentPayload"
    assert (uploaded["document"]["title"], uploaded["document"]["mediaType"]) == ("tides.md", "text/markdown")


def test_an_answer_followed_over_broken_connections_is_complete(played: Played) -> None:
    events, connections = played.found["resumed"]["events"], played.found["resumed"]["connections"]
    assert_whole(events, connections, played.found["message"]["data"]["message"])
    assert played.chats == 1


def assert_whole(events: list[Json], connections: int, message: Json) -> None:
    """Assert no gaps, no repeats, and the text of the stored message."""
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert connections > len(PIECES) // 4
    assert "".join(event["text"] for event in events if event["__typename"] == "AnswerDelta") == WORDS
    assert events[-1]["__typename"] == "AnswerCompleted"
    assert (message["content"], message["status"]) == (WORDS, "COMPLETED")
    assert events[-1]["message"] | {"__typename": ""} == message | {"__typename": ""}
