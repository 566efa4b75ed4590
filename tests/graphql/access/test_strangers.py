"""Access control: every field, id, mutation and subscription of the schema, tried by everybody without access.

What the schema has without a rule here makes a test red.
"""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType, GraphQLSchema, build_schema
from websockets.exceptions import ConnectionClosed

from app.graphql import ids
from tests.graphql.access.people import MARK, REMEMBER, SECRET, STALLED, TEXT, Person, World, bare, nothings
from tests.graphql.client import SEND, Json, received, start
from tests.graphql.schema.walking import SCHEMA, Calling, Selecting, walk

SELECTING = Selecting(SCHEMA)
EVENTS = {
    each.name
    for name in ("AnswerEvent", "IngestionEvent")
    for each in SCHEMA.get_possible_types(cast("GraphQLInterfaceType", SCHEMA.type_map[name]))
}
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
# Types that no walk reaches: roots, results of mutations and subscriptions, and what `search` and previews give.
NOT_WALKED = ("Query", "Mutation", "Subscription", "Payload", "Error", "ValidationIssue")
NOT_SEARCHED = (
    *("Box", "PageRectangles"),  # only PDFs have them
    "AnswerPreview",
    "PromptMessage",
    "SearchResultConnection",
    "SearchResultEdge",
    "PassageSnapshot",
    "FoundMessageConnection",
    "FoundMessageEdge",
)
DELETE_PROJECT = """mutation($input: DeleteProjectInput!) { deleteProject(input: $input) { __typename } }"""
ROLES = ["VIEWER", "EDITOR", "OWNER"]
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


def unruled(schema: GraphQLSchema) -> list[str]:
    """Root fields, id arguments and node types without a rule."""
    found: list[str] = []
    selecting = Selecting(schema)
    for kind in KINDS:
        root = schema.type_map.get(kind.capitalize())
        for name in root.fields if isinstance(root, GraphQLObjectType) else ():
            rule = RULES[kind].get(name)
            if rule is None:
                found.append(f"{kind} {name}")
                continue
            for place in Calling(selecting, kind, name).places():
                if place not in rule.ids and place.rpartition(".")[2] not in NAMES:
                    found.append(f"{kind} {name} {place}")
    for type_name, each in schema.type_map.items():
        if isinstance(each, GraphQLObjectType) and type_name.capitalize() not in ("Query", "Mutation", "Subscription"):
            for name, nested in each.fields.items():
                named = [given for given, argument in nested.args.items() if "ID" in str(argument.type)]
                found += [f"{type_name}.{name} {given}" for given in named]
    return found


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


def test_every_part_of_the_schema_has_a_rule() -> None:
    assert unruled(SCHEMA) == []
    fields = {kind: set(cast("GraphQLObjectType", SCHEMA.type_map[kind.capitalize()]).fields) for kind in KINDS}
    assert {kind: set(rules) for kind, rules in RULES.items()} == fields


def test_there_is_an_id_of_every_kind_to_try(world: World) -> None:
    assert {kind_of(id) for id in (*world.seen.values(), *world.private.values())} == SELECTING.nodes


def test_additions_to_the_schema_need_a_rule() -> None:
    schema = build_schema(
        """interface Node { id: ID! } type Thing implements Node { id: ID! part(of: ID!): Int }
        input PublishInput { thingId: ID! } input ForgetInput { id: ID! thingId: ID! }
        type Query { node(id: ID!): Node thing(id: ID!): Thing } type Mutation { forget(input: ForgetInput!): Int
        publish(input: PublishInput!): Int } type Subscription { thingEvents(id: ID!): Int }"""
    )
    new = ["query thing", "mutation forget input.thingId", "mutation publish", "subscription thingEvents"]
    assert unruled(schema) == [*new, "Thing.part of"]


async def test_a_stranger_learns_nothing_about_any_id(world: World) -> None:
    """In every argument of every operation, an existing id gets the same bytes as an unknown one."""
    async with world.people("alice", "bob", "rita") as (alice, *strangers):
        before = await walk(alice, SELECTING)
        assert {MARK, SECRET} <= {mark for mark in (MARK, SECRET) if mark in bare(before.answers)}
        real = [*world.seen.values(), *world.private.values(), *world.more.values()]
        for name, stranger in zip(("bob", "rita"), strangers, strict=True):
            assert await differences(stranger, world.own[name], real) == []
        assert (await walk(alice, SELECTING)).answers == before.answers, "a stranger changed something"


async def test_a_member_learns_nothing_about_what_is_not_shared(world: World) -> None:
    async with world.people("alice", "vera") as (alice, vera):
        before = await walk(alice, SELECTING)
        private = [*world.private.values(), *(id for name, id in world.more.items() if name.startswith("private"))]
        assert await differences(vera, {**world.seen, **world.own["vera"]}, private, "FORBIDDEN") == []
        assert (await walk(alice, SELECTING)).answers == before.answers, "a viewer changed something"


async def differences(person: Person, own: dict[str, str], real: list[str], *others: str) -> list[str]:
    """Where an existing id gets a different response from an unknown one; `own` fills the other places.

    `others` are outcomes that a too small role may have instead, whatever the id.
    """
    found: list[str] = []
    for kind in KINDS:
        for name, rule in RULES[kind].items():
            calling = Calling(SELECTING, kind, name)
            for place in calling.places():

                async def ask(id: str, place: str = place, calling: Calling = calling, kind: str = kind) -> Answer:
                    return await call(person, kind, calling.name, filled(calling, place, id, own))

                tried, fakes = of_kind(kind_at(rule, place), real), nothings(real)
                nothing = dict(zip(fakes, await asyncio.gather(*map(ask, fakes.values())), strict=True))
                for id, there in zip(tried, await asyncio.gather(*map(ask, tried)), strict=True):
                    of = kind_of(id)
                    told, expected = there.text.replace(id, "ID"), nothing[of].text.replace(fakes[of], "ID")
                    if (
                        there.outcome not in (rule.missing, *others)
                        or told != expected
                        or leaks(told, [*real, MARK, SECRET])
                    ):
                        found.append(f"{kind} {name} {place} {of}: {there}, not {expected}")
    return found


def of_kind(wanted: str, real: list[str]) -> list[str]:
    """All ids of the right kind, and one of every other kind."""
    others = {kind_of(id): id for id in real if wanted not in (kind_of(id), "Node")}
    return [*(id for id in real if kind_of(id) not in others), *others.values()]


def filled(calling: Calling, place: str, id: str, own: dict[str, str]) -> dict[str, str]:
    """Variables with this id in its place and one's own ids where others are required."""
    rule = RULES[calling.kind][calling.name]
    needed = [
        other
        for other in calling.places()
        if other != place and calling.needs(other) and not calling.excludes(place, other)
    ]
    return {place: id, **{other: own[kind_at(rule, other)] for other in needed}}


def kind_of(id: str) -> str:
    """The kind of thing an id names."""
    found = ids.decode(id)
    assert found is not None
    return found[0]


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


@pytest.mark.parametrize("who", ["vera", "ed"])
async def test_an_insufficient_role_is_forbidden_and_changes_nothing(world: World, who: str) -> None:
    role = {"vera": "VIEWER", "ed": "EDITOR"}[who]
    tried: set[str] = set()
    async with world.people("alice", who) as (alice, person):
        before = await walk(alice, SELECTING)
        for name, rule in RULES["mutation"].items():
            too_small = rule.least == "MAKER" or (rule.least in ROLES and ROLES.index(rule.least) > ROLES.index(role))
            calling = Calling(SELECTING, "mutation", name)
            if too_small and name not in ("forget", "revokeAccessToken"):  # of these there are no shared ones
                places = [place for place in calling.places() if calling.needs(place)]
                answer = await call(
                    person, "mutation", name, {place: world.seen[kind_at(rule, place)] for place in places}
                )
                assert answer.outcome == "FORBIDDEN", (name, answer)
                assert SECRET not in answer.text
                tried.add(name)
        assert (await walk(alice, SELECTING)).answers == before.answers, "they changed something"
    assert {"deleteProject", "sendMessage", "cancelAnswer"} <= tried
    assert ("deleteDocument" in tried) == (who == "vera")


async def test_the_owner_may_do_everything_that_others_may_not(world: World) -> None:
    """The same operations on one's own project, so that the refusals above have no other cause."""
    async with world.person("bob") as bob:
        project = await bob.project("to be spoilt")
        document = await bob.ready(project, "Larks", "# Larks\n\nLarks sing at dawn.\n")
        session = await bob.session(project)
        message = await bob.answered(session, "Do larks sing at dawn?")
        memory = (await bob.mutate(REMEMBER, projectId=project, content="Likes larks"))["memory"]["id"]
        own = {"Project": project, "Document": document, "ChatSession": session, "Message": message, "Memory": memory}
        own |= {"Node": project, "User": world.own["bob"]["User"], "AccessToken": await _token(bob)}
        last = ["forget", "deleteDocument", "deleteChatSession", "deleteProject"]
        for kind in KINDS:
            names = sorted(RULES[kind], key=lambda name: (last.index(name) if name in last else -1, name))
            for name in names if kind != "mutation" else ["remember", *(name for name in names if name != "remember")]:
                calling, rule = Calling(SELECTING, kind, name), RULES[kind][name]
                if kind == "subscription":
                    continue
                places = {place: own[kind_at(rule, place)] for place in calling.places() if calling.needs(place)}
                answer = await call(bob, kind, name, places)
                # A token sets no first password, and there is no model of the name that is tried.
                is_wrong = rule.least == "ANYBODY" or name in ("changePassword", "switchEmbeddingModel")
                wrong = {"ValidationError"} if is_wrong else set[str]()
                assert answer.outcome in {"OK", "CONFLICT", *wrong}, (name, answer)


async def _token(person: Person) -> str:
    """The id of a new access token."""
    create = """mutation($input: CreateAccessTokenInput!) { createAccessToken(input: $input) {
      ... on CreateAccessTokenPayload { accessToken { id } } } }"""
    return (await person.mutate(create, label="spare"))["accessToken"]["id"]


async def test_a_stranger_reaches_nothing_and_the_owner_everything(world: World) -> None:
    real = [*world.seen.values(), *world.private.values(), *world.more.values()]
    async with world.people("alice", "bob", "rita", "vera") as (alice, bob, rita, vera):
        owners, strangers = await walk(alice, SELECTING), [await walk(each, SELECTING, *real) for each in (bob, rita)]
        viewers = await walk(vera, SELECTING, *real)
    themselves = {ids.encode("User", world.users[name]) for name in ("bob", "rita")}
    of_a = owners.ids - themselves
    assert set(world.seen.values()) | set(world.private.values()) <= owners.ids
    for walked in strangers:
        told = "".join(walked.texts)
        assert {id for id in walked.ids if walked.answers[id] is not None}.isdisjoint(of_a)
        assert leaks(told, [*of_a, MARK, SECRET]) == []
    for walked in (*strangers, viewers):
        assert miscounted([*walked.answers.values()]) == []
    private = [*world.private.values(), *(id for name, id in world.more.items() if name.startswith("private"))]
    assert leaks("".join(viewers.texts), [*private, SECRET]) == []
    assert leaks("".join(viewers.texts), [world.seen["ChatSession"]]), "what is shared is seen"
    kinds = {name for name, kind in SCHEMA.type_map.items() if isinstance(kind, GraphQLObjectType)}
    unseen = {kind for kind in kinds - owners.kinds if not kind.startswith("__")}
    assert {kind for kind in unseen if not kind.endswith((*NOT_WALKED, *NOT_SEARCHED)) and kind not in EVENTS} == set()


def miscounted(value: Json) -> list[Json]:
    """Lists whose count includes hidden entries."""
    if isinstance(value, list):
        return [each for one in cast("list[Json]", value) for each in miscounted(one)]
    if not isinstance(value, dict):
        return []
    found = cast("dict[str, Json]", value)
    wrong = "totalCount" in found and found["totalCount"] != len(found["nodes"])
    return [*([found] if wrong else []), *miscounted(list(found.values()))]


async def test_the_author_of_a_shared_chat_is_shown_after_they_left(world: World) -> None:
    query = "query($id: ID!) { chatSession(id: $id) { title createdBy { email } } }"
    async with world.people("alice", "vera") as members:
        for member in members:
            found = await member.run(query, id=world.more["rita's session"])
            assert found["chatSession"] == {"title": "rita's chat", "createdBy": {"email": "rita@example.org"}}


async def test_names_keys_and_sources_of_other_projects_can_be_used(world: World) -> None:
    """A conflict must not reveal what exists."""
    add = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) {
      ... on AddTextDocumentPayload { unchanged document { version } } ... on Error { message } } }"""
    async with world.person("bob") as bob:
        project = await bob.project(f"{MARK} shop")
        values = {"source": f"{MARK}.md", "idempotencyKey": f"{MARK} key", "text": TEXT, "title": "Mine"}
        added = await bob.mutate(add, projectId=project, **values)
        assert added == {"unchanged": False, "document": {"version": 1}}
        session = await bob.session(project)
        sent = await bob.mutate(SEND, sessionId=session, content="Hello", idempotencyKey=f"{MARK} key")
        assert sent["__typename"] == "SendMessagePayload"
        await bob.mutate(DELETE_PROJECT, id=project)


async def test_another_users_cursor_is_only_a_position(world: World) -> None:
    """It does not lead into another list."""
    lists = """query($project: ID!, $after: String) { project(id: $project) {
      documents(after: $after) { totalCount nodes { id } pageInfo { endCursor } }
      chatSessions(after: $after) { totalCount nodes { id } pageInfo { endCursor } } } }"""
    async with world.people("alice", "bob") as (alice, bob):
        seen = (await alice.run(lists, project=world.seen["Project"]))["project"]
        own = world.own["bob"]
        mine = {own["Document"], own["ChatSession"]}
        for listed in seen.values():
            found = (await bob.run(lists, project=own["Project"], after=listed["pageInfo"]["endCursor"]))["project"]
            assert {node["id"] for each in found.values() for node in each["nodes"]} <= mine
            assert [each["totalCount"] for each in found.values()] == [1, 1]


async def test_public_pages_reveal_nothing(world: World) -> None:
    """The playground and the monitoring endpoints."""
    async with world.person("nobody") as nobody:
        root = nobody.url.removesuffix("/graphql")
        for path, accept in (("/graphql", "text/html"), ("/health", "*/*"), ("/metrics", "*/*"), ("/", "*/*")):
            response = await nobody.http.get(f"{root}{path}", headers={"accept": accept})
            assert response.status_code < 500, (path, response.text)
            assert leaks(response.text, [MARK, SECRET, *world.seen.values(), "example.org", world.url]) == [], path
