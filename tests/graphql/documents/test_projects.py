"""Projects, documents and chat sessions: create, read, update and delete, with typed errors."""

import base64

import pytest

from app.graphql import ids
from tests.answers import Start
from tests.graphql.client import ADD_TEXT, CREATE_PROJECT, CREATE_SESSION, Client
from tests.servers.ollama import OllamaServer
from tests.servers.running import running

NOWHERE = ids.encode("Project", "0" * 32)

UPDATE_PROJECT = """mutation($input: UpdateProjectInput!) { updateProject(input: $input) {
  __typename ... on UpdateProjectPayload { project { name description noSourcesText } }
  ... on ValidationError { issues { path code message } } ... on NotFoundError { id }
  ... on ConflictError { message conflicting { id __typename } } } }"""
DELETE_PROJECT = """mutation($input: DeleteProjectInput!) { deleteProject(input: $input) {
  __typename ... on DeleteProjectPayload { deletedProjectId } ... on NotFoundError { id message } } }"""
UPDATE_SESSION = """mutation($input: UpdateChatSessionInput!) { updateChatSession(input: $input) {
  __typename ... on UpdateChatSessionPayload { chatSession { title systemPrompt model ragTopK ragThreshold maxTokens
    temperature grounding searchMode citationStyle contextPlacement enableRag includeCitations reformulate
    contextTokenRatio documentIds shared } }
  ... on ValidationError { issues { path code message } } ... on NotFoundError { id } } }"""
DELETE_SESSION = """mutation($input: DeleteChatSessionInput!) { deleteChatSession(input: $input) {
  __typename ... on DeleteChatSessionPayload { deletedChatSessionId project { id } } ... on NotFoundError { id } } }"""
DELETE_DOCUMENT = """mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) {
  __typename ... on DeleteDocumentPayload { deletedDocumentId project { id } } ... on NotFoundError { id } } }"""
RETRY = """mutation($input: RetryDocumentInput!) { retryDocument(input: $input) {
  __typename ... on RetryDocumentPayload { document { status } }
  ... on ConflictError { message conflicting { id } } } }"""


async def test_a_project_is_created_read_updated_and_deleted(client: Client) -> None:
    project = await client.project("garden")
    fields = "name description localProvidersOnly noSourcesText embeddingSpace { id model dimensions state chunksDone }"
    read = (
        await client.run(f"query($id: ID!) {{ project(id: $id) {{ {fields} embeddingSpaces {{ id }} }} }}", id=project)
    )["project"]
    space = read.pop("embeddingSpace")
    assert read == {
        "name": "garden",
        "description": None,
        "localProvidersOnly": False,
        "noSourcesText": "No relevant information was found in the knowledge base.",
        "embeddingSpaces": [{"id": space["id"]}],
    }
    assert (space["model"], space["dimensions"], space["state"], space["chunksDone"]) == (
        "embedded/wordllama",
        256,
        "ACTIVE",
        0,
    )
    changed = await client.mutate(UPDATE_PROJECT, id=project, description="Plants", noSourcesText="Nothing.")
    assert (changed["project"]["name"], changed["project"]["description"]) == ("garden", "Plants")
    assert changed["project"]["noSourcesText"] == "Nothing."
    reset = await client.mutate(UPDATE_PROJECT, id=project, noSourcesText=None)
    assert reset["project"]["noSourcesText"] == read["noSourcesText"]
    assert reset["project"]["description"] == "Plants"
    assert await client.mutate(DELETE_PROJECT, id=project) == {
        "__typename": "DeleteProjectPayload",
        "deletedProjectId": project,
    }
    assert await client.run("query($id: ID!) { project(id: $id) { id } node(id: $id) { id } }", id=project) == {
        "project": None,
        "node": None,
    }


async def test_a_taken_name_is_a_conflict_that_names_its_project(client: Client) -> None:
    first, second = await client.project("roses"), await client.project("tulips")
    create = CREATE_PROJECT.replace("... on Error", "... on ConflictError { conflicting { id } } ... on Error")
    made = await client.mutate(create, name=" roses ")
    changed = await client.mutate(UPDATE_PROJECT, id=second, name="roses")
    for conflict in (made, changed):
        assert conflict["__typename"] == "ConflictError"
        assert conflict["conflicting"]["id"] == first


async def test_names_that_look_the_same_are_the_same(client: Client) -> None:
    first = await client.project("cafe\u0301  du\tcoin")
    read = "query($id: ID!) { project(id: $id) { name } }"
    assert (await client.run(read, id=first))["project"]["name"] == "caf\u00e9 du coin"
    again = await client.mutate(CREATE_PROJECT, name=" caf\u00e9 du  coin")
    assert again["__typename"] == "ConflictError"


@pytest.mark.parametrize("name", ["\u202eevil", "bell\x07", "\u2066x\u2069", "zero\u200bwidth", "\u3164"])
async def test_names_contain_nothing_invisible(client: Client, name: str) -> None:
    create = CREATE_PROJECT.replace("... on Error", "... on ValidationError { issues { path code } } ... on Error")
    assert (await client.mutate(create, name=name))["issues"] == [{"path": ["name"], "code": "INVALID"}]


async def test_titles_are_one_line_without_invisible_characters(client: Client) -> None:
    project = await client.project("titles")
    title, shown = "\u202eQ3\nreport\x07 cafe\u0301 ", "Q3 report caf\u00e9"
    session = await client.session(project, title=title)
    document = await client.ready(project, title, "Water boils at 100 degrees.")
    read = "query($s: ID!, $d: ID!) { chatSession(id: $s) { title } document(id: $d) { title } }"
    assert await client.run(read, s=session, d=document) == {
        "chatSession": {"title": shown},
        "document": {"title": shown},
    }
    await client.run(
        """mutation($s: ID!, $d: ID!) { updateChatSession(input: { id: $s, title: "\\u2067a\\nb" }) { __typename }
        updateDocument(input: { id: $d, title: "\\u2067a\\nb" }) { __typename } }""",
        s=session,
        d=document,
    )
    assert await client.run(read, s=session, d=document) == {
        "chatSession": {"title": "a b"},
        "document": {"title": "a b"},
    }


@pytest.mark.parametrize(
    ("values", "path", "code"),
    [
        ({"name": " "}, ["name"], "REQUIRED"),
        ({"name": None}, ["name"], "REQUIRED"),
        ({"name": "x" * 201}, ["name"], "TOO_LONG"),
        ({"noSourcesText": "x" * 2001}, ["noSourcesText"], "TOO_LONG"),
    ],
)
async def test_a_project_with_a_wrong_value_is_not_changed(
    client: Client, values: dict[str, object], path: list[str], code: str
) -> None:
    project = await client.project(f"wrong {path} {code} {values}"[:100])
    refused = await client.mutate(UPDATE_PROJECT, id=project, **values)
    assert refused["__typename"] == "ValidationError"
    assert [(issue["path"], issue["code"]) for issue in refused["issues"]] == [(path, code)]
    assert refused["issues"][0]["message"].endswith(".")


@pytest.mark.parametrize("how", ["absent", "of another type", "no id", "not canonical", "empty"])
async def test_an_unknown_id_is_not_found(client: Client, how: str) -> None:
    project = await client.project(f"ids {how}")
    session = await client.session(project)
    plain = base64.urlsafe_b64decode(project + "=" * (-len(project) % 4))
    id = {
        "absent": NOWHERE,
        "of another type": session,
        "no id": "project/1 ✓",
        "not canonical": base64.urlsafe_b64encode(plain).decode() + "=",
        "empty": "",
    }[how]
    for mutation in (UPDATE_PROJECT, DELETE_PROJECT):
        refused = await client.mutate(mutation, id=id)
        assert (refused["__typename"], refused["id"]) == ("NotFoundError", id)
    fields = "project(id: $id) { id } document(id: $id) { id } message(id: $id) { id }"
    assert await client.run(f"query($id: ID!) {{ {fields} }}", id=id) == {
        "project": None,
        "document": None,
        "message": None,
    }


async def test_nodes_of_every_type(client: Client) -> None:
    project = await client.project("all types")
    document = await client.ready(project, "Facts", "Water boils at 100 degrees.")
    session = await client.session(project)
    answer = await client.answered(session, "At what temperature does water boil?")
    read = await client.run(
        """query($project: ID!, $document: ID!) { project(id: $project) { embeddingSpace { id } }
        document(id: $document) { chunks { nodes { id } } } viewer { user { id } } }""",
        project=project,
        document=document,
    )
    all_ids = [
        project,
        document,
        session,
        answer,
        read["project"]["embeddingSpace"]["id"],
        read["document"]["chunks"]["nodes"][0]["id"],
        read["viewer"]["user"]["id"],
        NOWHERE,
    ]
    nodes = (await client.run("query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }", ids=all_ids))["nodes"]
    kinds = ["Project", "Document", "ChatSession", "Message", "EmbeddingSpace", "Chunk", "User"]
    assert [node["__typename"] for node in nodes[:-1]] == kinds
    assert [node["id"] for node in nodes[:-1]] == all_ids[:-1]
    assert nodes[-1] is None
    errors = await client.errors("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=[project] * 101)
    assert errors[0]["extensions"]["code"] == "BAD_USER_INPUT"


async def test_a_chat_session_shows_effective_settings_and_null_resets_them(client: Client) -> None:
    project = await client.project("sessions")
    document = await client.ready(project, "Facts", "Ice melts at 0 degrees.")
    session = await client.session(
        project, ragTopK=9, grounding="OPEN", systemPrompt="Be brief.", documentIds=[document], shared=True
    )
    changed = (await client.mutate(UPDATE_SESSION, id=session, temperature=1.5, title="Ice"))["chatSession"]
    assert changed == {
        "title": "Ice",
        "systemPrompt": "Be brief.",
        "model": "embedded/extractive",
        "ragTopK": 9,
        "ragThreshold": 0.2,
        "maxTokens": 1200,
        "temperature": 1.5,
        "grounding": "OPEN",
        "searchMode": "HYBRID",
        "citationStyle": "NUMBERED",
        "contextPlacement": "SYSTEM",
        "enableRag": True,
        "includeCitations": True,
        "reformulate": False,
        "contextTokenRatio": 0.5,
        "documentIds": [document],
        "shared": True,
    }
    reset = await client.mutate(
        UPDATE_SESSION, id=session, ragTopK=None, grounding=None, systemPrompt=None, documentIds=None
    )
    shown = reset["chatSession"]
    assert (shown["ragTopK"], shown["grounding"], shown["systemPrompt"], shown["documentIds"]) == (
        5,
        "GROUNDED",
        "",
        None,
    )
    assert shown["temperature"] == 1.5
    gone = await client.mutate(DELETE_SESSION, id=session)
    assert gone == {
        "__typename": "DeleteChatSessionPayload",
        "deletedChatSessionId": session,
        "project": {"id": project},
    }
    assert (await client.mutate(DELETE_SESSION, id=session))["id"] == session


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"ragTopK": 0}, "ragTopK"),
        ({"ragTopK": 51}, "ragTopK"),
        ({"ragThreshold": 1.01}, "ragThreshold"),
        ({"contextTokenRatio": 0.1}, "contextTokenRatio"),
        ({"temperature": -0.1}, "temperature"),
        ({"maxTokens": 0}, "maxTokens"),
        ({"model": "nobody/none"}, "model"),
    ],
)
async def test_a_setting_out_of_range_names_its_field(client: Client, values: dict[str, object], path: str) -> None:
    project = await client.project(f"range {values}")
    session = await client.session(project)
    refused = await client.mutate(UPDATE_SESSION, id=session, **values)
    assert refused["__typename"] == "ValidationError"
    assert refused["issues"][0]["path"] == [path]


async def test_a_session_cannot_see_another_projects_documents(client: Client) -> None:
    ours, theirs = await client.project("ours"), await client.project("theirs")
    document = (await client.mutate(ADD_TEXT, projectId=theirs, title="T", text="Text."))["document"]["id"]
    refused = await client.mutate(CREATE_SESSION, projectId=ours, documentIds=[document])
    assert refused["__typename"] == "NotFoundError"


async def test_the_same_source_creates_versions_and_the_same_content_does_nothing(client: Client) -> None:
    project = await client.project("versions")
    values = {"projectId": project, "title": "Notes", "source": "notes.md"}
    first = await client.mutate(ADD_TEXT, text="One.", **values)
    again = await client.mutate(ADD_TEXT, text="One.", **values)
    second = await client.mutate(ADD_TEXT, text="Two.", **values)
    assert [added["unchanged"] for added in (first, again, second)] == [False, True, False]
    assert {added["document"]["id"] for added in (first, again, second)} == {first["document"]["id"]}
    assert [added["document"]["version"] for added in (first, again, second)] == [1, 1, 2]


async def test_deleting_and_retrying_documents(client: Client) -> None:
    project = await client.project("deleting")
    document = await client.ready(project, "Gone soon", "Some text.")
    refused = await client.mutate(RETRY, id=document)
    assert (refused["__typename"], refused["conflicting"]["id"]) == ("ConflictError", document)
    gone = await client.mutate(DELETE_DOCUMENT, id=document)
    assert gone == {"__typename": "DeleteDocumentPayload", "deletedDocumentId": document, "project": {"id": project}}
    assert (await client.mutate(DELETE_DOCUMENT, id=document))["id"] == document


@pytest.mark.parametrize(
    ("values", "path", "code"),
    [
        ({"text": ""}, ["text"], "REQUIRED"),
        ({"text": "x" * 100_001}, ["text"], "TOO_LARGE"),
        ({"title": "x" * 501}, ["title"], "TOO_LONG"),
        ({"metadata": [1]}, ["metadata"], "INVALID"),
        ({"metadata": {"a": "x" * 10_001}}, ["metadata"], "TOO_LARGE"),
        ({"idempotencyKey": "x" * 201}, ["idempotencyKey"], "TOO_LONG"),
    ],
)
async def test_a_refused_document_says_why(
    client: Client, values: dict[str, object], path: list[str], code: str
) -> None:
    project = await client.project(f"not taken {path} {code}")
    refused = await client.mutate(ADD_TEXT, **{"projectId": project, "title": "T", "text": "Text.", **values})
    assert refused["__typename"] == "ValidationError"
    assert refused["issues"] == [{"path": path, "code": code}]


async def test_a_model_is_available_under_every_name_its_server_accepts(start: Start) -> None:
    """Ollama lists `tiny:latest`, and answers to `tiny`."""
    with running(OllamaServer()) as server:
        client = start(ollama_host=server.url, chat_model="ollama/tiny", embedding_model="ollama/nowhere")
        models = (await client.run("{ models { name kind available contextWindow } }"))["models"]
        found = {model.pop("name"): model for model in models}
        assert found["ollama/tiny"] == found["ollama/tiny:latest"]
        assert found["ollama/tiny"]["available"]
        assert not found["ollama/nowhere"]["available"]


async def test_models_and_health_report_what_is_available(client: Client) -> None:
    read = await client.run(
        """{ models { name provider kind contextWindow dimensions available }
        health { status version components { name status } } viewer { user { email } } }"""
    )
    models = {model["name"]: model for model in read["models"]}
    assert models["embedded/extractive"]["kind"] == "CHAT"
    assert models["embedded/wordllama"] == {
        "name": "embedded/wordllama",
        "provider": "embedded",
        "kind": "EMBEDDING",
        "contextWindow": None,
        "dimensions": 256,
        "available": True,
    }
    assert read["health"]["status"] == "OK"
    assert {"database", "embedded"} <= {part["name"] for part in read["health"]["components"]}
    assert read["viewer"]["user"]["email"] == "owner@localhost"
