"""Who may do what, by field, id, mutation and subscription of the schema, and what tries it.

What the schema has without a rule here makes a test red.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from app.graphql import ids
from tests.graphql.access.people import Person
from tests.graphql.client import Json, received, start
from tests.graphql.schema.walking import SCHEMA, Calling, Selecting

SELECTING = Selecting(SCHEMA)
KINDS = ("query", "mutation", "subscription")


@dataclass(frozen=True)
class Rule:
    """Who has access: ANYBODY, even without a credential; a USER; a VIEWER, EDITOR or OWNER of the project; its MAKER.

    `ids` are the kinds of the ids in its arguments, where the names do not say. `missing` is the outcome for an id
    that does not exist or may not be seen.
    """

    least: str
    missing: str = "NOT_FOUND"
    ids: dict[str, str] = field(default_factory=dict[str, str])


RULES = {
    "query": {
        "node": Rule("VIEWER", "NULL", {"id": "Node"}),
        "nodes": Rule("VIEWER", "NULL", {"ids": "Node"}),
        "viewer": Rule("USER"),
        "project": Rule("VIEWER", "NULL", {"id": "Project"}),
        "projects": Rule("USER"),
        "document": Rule("VIEWER", "NULL", {"id": "Document"}),
        "chatSession": Rule("VIEWER", "NULL", {"id": "ChatSession"}),
        "message": Rule("VIEWER", "NULL", {"id": "Message"}),
        "search": Rule("VIEWER"),
        "searchMessages": Rule("VIEWER"),
        "exportChatSession": Rule("VIEWER", "NULL", {"id": "ChatSession"}),
        "previewAnswer": Rule("MAKER"),
        "models": Rule("USER"),
        "documentFormats": Rule("USER"),
        "health": Rule("USER"),
    },
    "mutation": {
        "createProject": Rule("USER"),
        "updateProject": Rule("OWNER", ids={"input.id": "Project"}),
        "deleteProject": Rule("OWNER", ids={"input.id": "Project"}),
        "switchEmbeddingModel": Rule("OWNER"),
        "cancelEmbeddingSwitch": Rule("OWNER"),
        "uploadDocument": Rule("EDITOR"),
        "addTextDocument": Rule("EDITOR"),
        "addTextDocuments": Rule("EDITOR"),
        "updateDocument": Rule("EDITOR", ids={"input.id": "Document"}),
        "deleteDocument": Rule("EDITOR", ids={"input.id": "Document"}),
        "retryDocument": Rule("EDITOR", ids={"input.id": "Document"}),
        "rereadDocuments": Rule("EDITOR", ids={"input.projectId": "Project"}),
        "createChatSession": Rule("VIEWER"),
        "updateChatSession": Rule("MAKER", ids={"input.id": "ChatSession"}),
        "deleteChatSession": Rule("MAKER", ids={"input.id": "ChatSession"}),
        "sendMessage": Rule("MAKER"),
        "cancelAnswer": Rule("MAKER"),
        "regenerateAnswer": Rule("MAKER"),
        "selectBranch": Rule("MAKER"),
        "rateAnswer": Rule("VIEWER"),
        "withdrawRating": Rule("VIEWER"),
        "recordCitationOpened": Rule("VIEWER"),
        "remember": Rule("VIEWER"),
        "forget": Rule("MAKER", ids={"input.id": "Memory"}),
        "signIn": Rule("ANYBODY"),
        "redeemSetupToken": Rule("ANYBODY"),
        "signOut": Rule("USER"),
        "changePassword": Rule("USER"),
        "updateViewer": Rule("USER"),
        "createAccessToken": Rule("USER"),
        "revokeAccessToken": Rule("MAKER", ids={"input.id": "AccessToken"}),
        "setProjectMember": Rule("OWNER"),
        "removeProjectMember": Rule("OWNER"),
    },
    "subscription": {
        "answerEvents": Rule("VIEWER"),
        "ingestionEvents": Rule("VIEWER"),
        "embeddingSpaceEvents": Rule("VIEWER"),
    },
}
# What the names of arguments say of the ids in them.
NAMES = {
    "projectId": "Project",
    "documentId": "Document",
    "documentIds": "Document",
    "sessionId": "ChatSession",
    "messageId": "Message",
    "editedMessageId": "Message",
    "previousMessageId": "Message",
    "userId": "User",
    "spaceId": "EmbeddingSpace",
}
LOCKED_OUT = ["nobody", "expired", "revoked", "disabled"]


@dataclass(frozen=True)
class Answer:
    """A response: its outcome in a word, and its full text."""

    outcome: str
    text: str


def kind_at(rule: Rule, place: str) -> str:
    """The kind of id this place takes."""
    name = place.rpartition(".")[2]
    return rule.ids.get(place) or NAMES[name]


def outcome(response: Json, name: str) -> str:
    """`OK`, `NULL`, or the code of the error, whether it is a member of a union or at the top."""
    if response.get("errors"):
        return response["errors"][0]["extensions"]["code"]
    value: Json = response["data"][name]
    if value is None or value == [None]:
        return "NULL"
    kind = str(value.get("__typename", "")) if hasattr(value, "get") else ""
    codes = {"NotFoundError": "NOT_FOUND", "ForbiddenError": "FORBIDDEN", "ConflictError": "CONFLICT"}
    return codes.get(kind, kind if kind.endswith("Error") else "OK")


async def call(person: Person, kind: str, name: str, places: dict[str, str]) -> Answer:
    """Run one operation as one person, over the transport it needs."""
    calling = Calling(SELECTING, kind, name)
    variables = calling.variables(places)
    if kind == "subscription":
        return await first_event(person, calling, variables)
    operation = {"query": calling.text, "variables": variables}
    if name == "uploadDocument":
        parts = {"operations": json.dumps(operation), "map": json.dumps({"0": ["variables.input.file"]})}
        files, headers = {"0": ("bees.md", b"# Bees\n\nBees dance.\n", "text/markdown")}, {"x-requested-with": "test"}
        response = await person.http.post(person.url, data=parts, files=files, headers=headers)
    else:
        response = await person.http.post(person.url, json=operation)
    if response.status_code == 401:
        assert response.headers["www-authenticate"] == "Bearer"
        return Answer("UNAUTHENTICATED", response.text)
    assert response.status_code == 200, (name, response.text)
    return Answer(outcome(response.json(), name), response.text)


async def first_event(person: Person, calling: Calling, variables: Json) -> Answer:
    """The first message of a subscription: an event, or the reason there is none."""
    async with person.few_sockets, person.socket() as socket:
        await start(socket, "1", calling.text, **variables)
        message = await received(socket)
    payload = message.get("payload", {"data": {calling.name: None}})
    if message["type"] == "error":
        payload = {"errors": payload}
    return Answer(outcome(payload, calling.name), json.dumps(payload, ensure_ascii=False))


def leaks(text: str, secrets: Iterable[str]) -> list[str]:
    """Which of these words and ids (global or raw) appear in a text."""
    found = list(secrets)
    rows = [ids.decode(id) for id in found]
    found += [row[1] for row in rows if row is not None and row[0] != "Chunk"]
    return [secret for secret in found if secret in text]


def kind_of(id: str) -> str:
    """The kind of thing an id names."""
    found = ids.decode(id)
    assert found is not None
    return found[0]
