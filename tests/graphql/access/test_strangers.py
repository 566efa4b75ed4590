"""Strangers and members learn nothing about what is not theirs, whatever part of the schema they try."""

import asyncio
from typing import cast

from graphql import GraphQLInterfaceType, GraphQLObjectType

from app.graphql import ids
from tests.graphql.access.people import MARK, SECRET, TEXT, Person, World, bare, nothings
from tests.graphql.access.rules import KINDS, RULES, SELECTING, Answer, call, kind_at, kind_of, leaks
from tests.graphql.client import SEND, Json
from tests.graphql.schema.walking import SCHEMA, Calling, walk

EVENTS = {
    each.name
    for name in ("AnswerEvent", "IngestionEvent")
    for each in SCHEMA.get_possible_types(cast("GraphQLInterfaceType", SCHEMA.type_map[name]))
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
