"""Persisted operations: registered once and reused, or trusted from the start; and what can be switched off."""

import hashlib
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from graphql import get_introspection_query
from strawberry.types.graphql import OperationType

from app import errors, main
from app.graphql.api_config import GraphQLConfig
from app.graphql.execution.persisted import PersistedDocuments
from app.graphql.schema import build_schema
from app.settings import Settings
from tests.graphql.client import EVENTS, Client, Json, received
from tests.serving import serve

Start = Callable[..., Client]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncGenerator[Start]:
    """Start a server with these settings."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=120))

        def started(**values: Json) -> Client:
            values["database_url"] = f"sqlite:///{tmp_path / 'footnote.db'}"
            return Client(http, stack.enter_context(serve(Settings.model_validate(values))))

        yield started


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def by_hash(text: str) -> Json:
    return {"persistedQuery": {"version": 1, "sha256Hash": sha256(text)}}


async def asked(client: Client, **body: Json) -> Json:
    """The whole result of a POST."""
    return (await client.http.post(client.url, json=body)).json()


async def fetched(client: Client, **params: Json) -> Json:
    """The whole result of a GET."""
    coded = {name: value if isinstance(value, str) else json.dumps(value) for name, value in params.items()}
    return (await client.http.get(client.url, params=coded)).json()


def code(result: Json) -> str:
    [error] = result["errors"]
    return error["extensions"]["code"]


# ---------------------------------------------------------------- automatic persisted queries


@pytest.mark.parametrize("send", [asked, fetched])
async def test_a_document_is_sent_once_and_then_named_by_its_hash(client: Client, send: Callable[..., Json]) -> None:
    query = f"query {send.__name__}($id: ID!) {{ project(id: $id) {{ name }} }}"
    project = await client.project(f"persisted {send.__name__}")
    values = {"extensions": by_hash(query), "variables": {"id": project}}
    first = await send(client, **values)
    assert code(first) == "PERSISTED_QUERY_NOT_FOUND"
    assert first["errors"][0]["message"] == "PersistedQueryNotFound"
    expected = {"data": {"project": {"name": f"persisted {send.__name__}"}}}
    assert await send(client, query=query, **values) == expected
    assert await send(client, **values) == expected
    assert await send(client, variables=values["variables"], documentId=f"sha256:{sha256(query)}") == expected


async def test_a_hash_that_is_not_the_documents_is_refused(client: Client) -> None:
    wrong = await asked(client, query="{ __typename }", extensions=by_hash("{ health { version } }"))
    assert code(wrong) == "BAD_USER_INPUT"
    assert "SHA-256" in wrong["errors"][0]["message"]
    assert code(await asked(client, extensions=by_hash("{ health { version } }"))) == "PERSISTED_QUERY_NOT_FOUND"


@pytest.mark.parametrize(
    "named", [1, "x", [], {}, {"sha256Hash": 1}, {"sha256Hash": ""}, {"version": 2, "sha256Hash": sha256("{ a }")}]
)
async def test_a_malformed_hash_is_refused(client: Client, named: Json) -> None:
    assert code(await asked(client, extensions={"persistedQuery": named})) == "BAD_USER_INPUT"


@pytest.mark.parametrize("query", ["{ nothing }", "{", "{ " + "__typename " * 2001 + "}"])
async def test_only_valid_documents_are_kept(client: Client, query: str) -> None:
    await asked(client, query=query, extensions=by_hash(query))
    assert code(await asked(client, extensions=by_hash(query))) == "PERSISTED_QUERY_NOT_FOUND"


async def test_documents_are_named_by_hash_on_sockets_too(client: Client) -> None:
    query = "query OnSocket { health { version } }"

    async def ask(**payload: Json) -> Json:
        await socket.send(json.dumps({"type": "subscribe", "id": "1", "payload": payload}))
        message = await received(socket)
        if message["type"] == "next":
            assert (await received(socket))["type"] == "complete"
        return message

    async with client.socket() as socket:
        unknown = await ask(extensions=by_hash(query))
        assert unknown["type"] == "error"
        assert unknown["payload"][0]["extensions"]["code"] == "PERSISTED_QUERY_NOT_FOUND"
        assert unknown["payload"][0]["message"] == "PersistedQueryNotFound"
        whole = await ask(query=query, extensions=by_hash(query))
        assert whole["payload"]["data"]["health"]["version"]
        assert await ask(extensions=by_hash(query)) == whole
        assert await ask(documentId=sha256(query)) == whole
    assert (await asked(client, extensions=by_hash(query)))["data"] == whole["payload"]["data"]


async def test_a_stream_may_be_asked_for_by_hash(client: Client) -> None:
    """By clients that accept only event streams, and by ones that also accept JSON and stream only subscriptions."""
    for accept in ("text/event-stream", "text/event-stream, application/json"):
        query = f"# {accept}\n{EVENTS}"
        body = {"variables": {"id": "x"}, "extensions": by_hash(query)}
        unknown = await client.http.post(client.url, json=body, headers={"accept": accept})
        assert "PERSISTED_QUERY_NOT_FOUND" in unknown.text
        for sent in ({"query": query, **body}, body):
            stream = await client.http.post(client.url, json=sent, headers={"accept": accept})
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert "NOT_FOUND" in stream.text
            assert "PERSISTED" not in stream.text


def test_the_number_of_stored_documents_is_limited() -> None:
    few = PersistedDocuments(count=2)
    small = PersistedDocuments(max_bytes=25)
    texts = ["{ first }", "{ second }", "{ third }"]
    for store in (few, small):
        for text in texts:
            store.remember_document(text, by_hash(text))
        assert [store.find_document(None, by_hash(text)) for text in texts[1:]] == texts[1:]
        with pytest.raises(Exception, match="PersistedQueryNotFound"):
            store.find_document(None, by_hash(texts[0]))


async def test_persisted_operations_can_be_switched_off(start: Start) -> None:
    client = start(persisted_queries=False)
    query = "{ __typename }"
    assert code(await asked(client, extensions=by_hash(query))) == "PERSISTED_QUERY_NOT_SUPPORTED"
    assert "data" in await asked(client, query=query, extensions=by_hash(query))
    assert code(await asked(client, extensions=by_hash(query))) == "PERSISTED_QUERY_NOT_SUPPORTED"


# ---------------------------------------------------------------- trusted documents

TRUSTED = "query Trusted { health { version } }"
MANIFESTS = [
    {sha256(TRUSTED): TRUSTED},
    {sha256(TRUSTED): {"name": "Trusted", "source": TRUSTED}},
    {
        "format": "apollo-persisted-query-manifest",
        "version": 1,
        "operations": [{"id": sha256(TRUSTED), "name": "Trusted", "type": "query", "body": TRUSTED}],
    },
]


@pytest.mark.parametrize("manifest", MANIFESTS)
async def test_only_trusted_documents_run_if_so_configured(start: Start, tmp_path: Path, manifest: Json) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps(manifest), encoding="utf-8")
    client = start(trusted_documents=str(file), trusted_documents_only=True)
    for body in ({"query": TRUSTED}, {"extensions": by_hash(TRUSTED)}, {"documentId": sha256(TRUSTED)}):
        assert (await asked(client, **body))["data"]["health"]["version"]
    other = "{ __typename }"
    for body in (
        {"query": other},
        {"query": other, "extensions": by_hash(other)},
        {"extensions": by_hash(other)},
        {"query": get_introspection_query()},
    ):
        assert code(await asked(client, **body)) == "FORBIDDEN"
    assert code(await asked(client, query=other, extensions=by_hash(TRUSTED))) == "BAD_USER_INPUT"
    async with client.socket() as socket:
        await socket.send(json.dumps({"type": "subscribe", "id": "1", "payload": {"query": other}}))
        assert (await received(socket))["payload"][0]["extensions"]["code"] == "FORBIDDEN"


async def test_trusted_documents_may_have_any_id_and_others_still_run(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps({"5f": TRUSTED}), encoding="utf-8")
    client = start(trusted_documents=str(file))
    assert (await asked(client, documentId="5f"))["data"]["health"]["version"]
    assert "data" in await asked(client, query="{ __typename }")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "No such file"),
        ("{", "not JSON"),
        ("[]", "not an object"),
        ('{"a": 1}', "“a” is not an id with a document"),
        ('{"a": {"body": "{ a }"}}', "“a” is not an id with a document"),
        ('{"operations": [1]}', "not an operation"),
        ('{"operations": [{"id": 1, "body": "{ a }"}]}', "“1” is not an id with a document"),
        ('{"a": "{ a "}', "the document “a” has an error: Syntax Error"),
    ],
)
def test_a_wrong_manifest_stops_the_start_with_one_line(tmp_path: Path, text: str | None, says: str) -> None:
    file = tmp_path / "manifest.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(errors.StartError) as stopped:
        main.create_app(Settings.model_validate({"trusted_documents": str(file)}))
    assert says in stopped.value.message
    assert stopped.value.message.startswith(f"TRUSTED_DOCUMENTS={file} ")
    assert "\n" not in stopped.value.message


def test_trusted_only_needs_a_manifest() -> None:
    with pytest.raises(errors.StartError, match="TRUSTED_DOCUMENTS_ONLY=true requires TRUSTED_DOCUMENTS"):
        main.create_app(Settings.model_validate({"trusted_documents_only": True}))


# ---------------------------------------------------------------- switches


async def test_introspection_suggestions_and_playground_can_be_switched_off(client: Client, start: Start) -> None:
    closed = start(graphql_introspection=False, graphql_suggestions=False, playground=False)
    for query in (get_introspection_query(), '{ __type(name: "Project") { name } }'):
        assert {error["extensions"]["code"] for error in await closed.errors(query)} == {"GRAPHQL_VALIDATION_FAILED"}
        assert "errors" not in await asked(client, query=query)
    assert await closed.run("{ __typename }") == {"__typename": "Query"}

    search = "query($input: SearchInput!) { search(input: $input) { pageInfo { endCursor } } }"
    order = {"projectId": "x", "query": "x", "mod": "LEXICAL"}
    for query, variables in (
        ("{ healt { version } }", {}),
        ("{ projects(fist: 1) { totalCount } }", {}),
        ("query($n: SearchInpu) { __typename }", {}),
        (search, {"input": order}),
        (search, {"input": {"projectId": "x", "query": "x", "mode": "LEXICA"}}),
    ):
        told, hidden = await client.errors(query, **variables), await closed.errors(query, **variables)
        assert any("Did you mean" in error["message"] for error in told), told
        assert not any("Did you mean" in error["message"] or "'mode'" in error["message"] for error in hidden)
        assert [error["extensions"] for error in told] == [error["extensions"] for error in hidden]

    page = {"accept": "text/html,*/*;q=0.8"}
    assert "<title>" in (await client.http.get(client.url, headers=page)).text
    without = await closed.http.get(closed.url, headers=page)
    assert without.status_code == 400
    assert "<title>" not in without.text


@pytest.mark.parametrize(
    ("text", "subscribes"),
    [
        ("subscription { answerEvents(messageId: 1) { sequence } }", True),
        ("# a query\nsubscription S { answerEvents(messageId: 1) { sequence } }", True),
        ("query { __typename } # subscription", False),
        ("query subscription { __typename }", False),
        ('query { node(id: "subscription") { id } }', False),
        ("{ __typename } subscription S { answerEvents(messageId: 1) { sequence } }", False),
        ("subscription {", False),
        ("", False),
    ],
)
def test_the_kind_of_operation_comes_from_the_parsed_document(text: str, subscribes: bool) -> None:
    """A query takes one of its socket's slots; a subscription would not."""
    schema = build_schema(GraphQLConfig(max_upload_bytes=0))
    assert (schema.operation_type(text, None, None) is OperationType.SUBSCRIPTION) is subscribes
    assert schema.operation_type(None, None, by_hash(text)) is None, "one that is not known runs nothing"
