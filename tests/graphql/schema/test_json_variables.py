"""JSON that an operation writes out may have variables in it; values that are not JSON are refused."""

import json

import pytest

from tests.graphql.client import Client, Json

TOLD = "`metadata` must be plain JSON: variables in it must not be dates, enum values or files."
ERROR = "... on ValidationError { issues { path code message } }"
ADD = """mutation($p: ID!, $x: %s) { addTextDocument(input: {
  projectId: $p, text: "x", title: "t", metadata: {a: [{b: $x}]}}) {
  __typename ... on AddTextDocumentPayload { document { metadata } } """ + (ERROR + " } }")
BATCH = """mutation($p: ID!, $x: DateTime!) { addTextDocuments(input: {projectId: $p, documents: [
  {text: "good", title: "good"}, {text: "bad", title: "bad", metadata: {a: $x}}]}) {
  __typename ... on AddTextDocumentsPayload { results {
    __typename ... on AddTextDocumentPayload { document { title } } """ + (ERROR + " } } } }")
UPDATE = """mutation($d: ID!, $x: DateTime!) { updateDocument(input: {id: $d, metadata: {a: $x}}) {
  __typename """ + (ERROR + " } }")
SEARCH = """query($p: ID!, $x: DateTime!) {
  project(id: $p) { documents(filter: {metadata: {a: $x}}) { totalCount } } }"""
WHEN = "2026-01-02T03:04:05Z"
REFUSED = {
    "__typename": "ValidationError",
    "issues": [{"path": ["metadata"], "code": "INVALID", "message": TOLD}],
}


@pytest.fixture
async def project(client: Client, request: pytest.FixtureRequest) -> str:
    return await client.project(str(request.node.name))


@pytest.mark.parametrize(("kind", "value"), [("DateTime!", WHEN), ("[DateTime!]", [WHEN]), ("SearchMode!", "HYBRID")])
async def test_a_variable_of_another_type_is_refused(client: Client, project: str, kind: str, value: Json) -> None:
    assert (await client.run(ADD % kind, p=project, x=value))["addTextDocument"] == REFUSED


@pytest.mark.parametrize(
    ("kind", "value"), [("JSON", {"c": [1, None, True, 1.5, "d"]}), ("Int", 3), ("ID", "4"), ("[Float!]", [0.5])]
)
async def test_a_variable_that_is_json_is_kept(client: Client, project: str, kind: str, value: Json) -> None:
    added = (await client.run(ADD % kind, p=project, x=value))["addTextDocument"]
    assert added["document"]["metadata"] == {"a": [{"b": value}]}


async def test_a_file_is_refused(client: Client, project: str) -> None:
    operations = {"query": ADD % "Upload!", "variables": {"p": project, "x": None}}
    response = await client.http.post(
        client.url,
        data={"operations": json.dumps(operations), "map": '{"0": ["variables.x"]}'},
        files={"0": ("a.txt", b"a", "text/plain")},
        headers={"graphql-require-preflight": "1"},
    )
    assert response.json()["data"]["addTextDocument"] == REFUSED


async def test_the_others_of_a_batch_are_kept(client: Client, project: str) -> None:
    [good, bad] = (await client.run(BATCH, p=project, x=WHEN))["addTextDocuments"]["results"]
    assert good == {"__typename": "AddTextDocumentPayload", "document": {"title": "good"}}
    [issue] = bad["issues"]
    assert (issue["code"], issue["message"]) == ("INVALID", TOLD)


async def test_updates_and_filters_refuse_it_too(client: Client, project: str) -> None:
    document = await client.ready(project, "Larks", "Larks sing at dawn.")
    assert (await client.run(UPDATE, d=document, x=WHEN))["updateDocument"] == REFUSED
    response = (await client.post(SEARCH, p=project, x=WHEN)).json()
    [error] = response["errors"]
    assert (error["message"], error["extensions"]["code"]) == (TOLD, "BAD_USER_INPUT")
