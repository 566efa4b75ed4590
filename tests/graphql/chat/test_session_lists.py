"""Lists of chat sessions: orders, filters, pages, pinning and archiving, in a project and across projects."""

import asyncio
from collections.abc import Sequence

import pytest

from tests.graphql.access.people import World
from tests.graphql.client import Client, Json

LISTED = "totalCount nodes { id title pinned archived lastActivityAt } pageInfo { endCursor startCursor hasNextPage }"
ARGUMENTS = "filter: $filter, orderBy: $order, first: $first, after: $after, last: $last, before: $before"
DECLARED = (
    "$filter: ChatSessionFilter, $order: ChatSessionOrder, $first: Int, $after: String, $last: Int, $before: String"
)
OF_PROJECT = f"""query($id: ID!, {DECLARED}) {{ project(id: $id) {{ chatSessions({ARGUMENTS}) {{ {LISTED} }} }} }}"""
OF_VIEWER = f"""query({DECLARED}) {{ viewer {{ chatSessions({ARGUMENTS}) {{ {LISTED} }} }} }}"""
UPDATE = """mutation($input: UpdateChatSessionInput!) { updateChatSession(input: $input) {
  ... on UpdateChatSessionPayload { chatSession { pinned archived title } } ... on Error { message } } }"""
DELETE = """mutation($input: DeleteChatSessionInput!) { deleteChatSession(input: $input) {
  ... on DeleteChatSessionPayload { deletedChatSessionId } ... on Error { message } } }"""
TITLES = ["Éclair", "apple", "Zebra", "apple", "Banana", "中文", "apple", "_"]


async def listed(client: Client, project: str | None, field: str = "", *, desc: bool = False, **more: Json) -> Json:
    """A page of a project's sessions, or of the viewer's."""
    order = {"field": field, "direction": "DESC" if desc else "ASC"} if field else None
    if project is None:
        return (await client.run(OF_VIEWER, order=order, **more))["viewer"]["chatSessions"]
    return (await client.run(OF_PROJECT, id=project, order=order, **more))["project"]["chatSessions"]


async def walked(client: Client, project: str | None, field: str, *, desc: bool, size: int, back: bool) -> list[str]:
    """The ids on all pages, forwards or backwards."""
    found: list[str] = []
    cursor: str | None = None
    while True:
        window = {"last": size, "before": cursor} if back else {"first": size, "after": cursor}
        page = await listed(client, project, field, desc=desc, **window)
        ids = [node["id"] for node in page["nodes"]]
        found = [*ids, *found] if back else [*found, *ids]
        if len(ids) < size:
            return found
        cursor = page["pageInfo"]["startCursor" if back else "endCursor"]


async def made(client: Client, name: str, titles: Sequence[str] = TITLES) -> tuple[str, list[str]]:
    """A project with sessions of these titles."""
    project = await client.project(name)
    return project, [await client.session(project, title=title) for title in titles]


def ids(page: Json) -> list[str]:
    return [node["id"] for node in page["nodes"]]


@pytest.mark.parametrize("field", ["CREATED", "LAST_ACTIVITY", "TITLE"])
@pytest.mark.parametrize("desc", [False, True])
async def test_pages_of_every_order_give_each_session_once(client: Client, field: str, desc: bool) -> None:
    project, sessions = await made(client, f"{field} {desc}")
    by = {"TITLE": sorted(range(len(TITLES)), key=lambda n: (TITLES[n], n))}.get(field, range(len(TITLES)))
    expected = [sessions[number] for number in by]
    expected = expected[::-1] if desc else expected
    whole = await listed(client, project, field, desc=desc)
    assert (ids(whole), whole["totalCount"]) == (expected, len(TITLES))
    for size in (1, 3):
        for back in (False, True):
            assert await walked(client, project, field, desc=desc, size=size, back=back) == expected
    of_viewer = await walked(client, None, field, desc=desc, size=3, back=False)
    assert [id for id in of_viewer if id in sessions] == expected


async def test_without_an_order_the_oldest_come_first_and_of_the_viewer_the_last_active(client: Client) -> None:
    project, sessions = await made(client, "default order")
    assert ids(await listed(client, project)) == sessions
    assert ids(await listed(client, None, first=len(sessions))) == sessions[::-1]


async def test_a_question_is_activity_and_a_new_title_is_none(client: Client) -> None:
    project, [first, second, third] = await made(client, "activity", ["1", "2", "3"])
    await client.mutate(UPDATE, id=first, title="renamed", pinned=True)
    assert ids(await listed(client, project, "LAST_ACTIVITY", desc=True)) == [third, second, first]
    await client.answered(first, "Thanks!")
    found = await listed(client, project, "LAST_ACTIVITY", desc=True)
    assert ids(found) == [first, third, second]
    assert found["nodes"][0]["lastActivityAt"] > found["nodes"][1]["lastActivityAt"]
    assert ids(await listed(client, None, first=3)) == [first, third, second]


async def test_pages_stay_consistent_while_sessions_come_and_go(client: Client) -> None:
    project, sessions = await made(client, "coming and going", [f"{n}" for n in range(6)])
    page = await listed(client, project, "LAST_ACTIVITY", desc=True, first=3)
    assert ids(page) == [sessions[5], sessions[4], sessions[3]]
    await client.mutate(DELETE, id=sessions[3])
    await client.session(project, title="new")
    await client.answered(sessions[4], "Thanks!")
    after = page["pageInfo"]["endCursor"]
    assert ids(await listed(client, project, "LAST_ACTIVITY", desc=True, after=after)) == sessions[2::-1]


async def test_filters_by_title_pinned_and_archived(client: Client) -> None:
    titles = ["100% wool", "Wool prices", "中文标题", "cotton", "Übergröße ΟΔΟΣ"]
    project, created = await made(client, "filters", titles)
    percent, prices, chinese, cotton, over = created
    changed = await client.mutate(UPDATE, id=prices, archived=True)
    assert changed["chatSession"] == {"pinned": False, "archived": True, "title": "Wool prices"}
    await client.mutate(UPDATE, id=cotton, pinned=True)
    for which, expected in (
        ({"titleContains": "wool"}, [percent, prices]),
        ({"titleContains": "wool", "archived": False}, [percent]),
        ({"titleContains": "0%"}, [percent]),
        ({"titleContains": "_"}, []),
        ({"titleContains": "文标"}, [chinese]),
        ({"titleContains": "ÜBERGRÖ"}, [over]),
        ({"titleContains": "ΟΔΟσ"}, [over]),
        ({"archived": True}, [prices]),
        ({"archived": False, "pinned": False}, [percent, chinese, over]),
        ({"pinned": True}, [cotton]),
        ({}, [percent, prices, chinese, cotton, over]),
    ):
        for field in ("CREATED", "TITLE"):
            found = await listed(client, project, field, filter=which)
            assert (sorted(ids(found)), found["totalCount"]) == (sorted(expected), len(expected)), which
        of_viewer = await listed(client, None, filter=which, first=100)
        assert [id for id in ids(of_viewer) if id in created] == [id for id in created[::-1] if id in expected], which
    await client.mutate(UPDATE, id=prices, archived=None)
    assert ids(await listed(client, project, filter={"archived": True})) == []


async def test_a_cursor_of_another_order_is_refused(client: Client) -> None:
    project, _ = await made(client, "cursors", ["1", "2"])
    cursor = (await listed(client, project, "LAST_ACTIVITY", first=1))["pageInfo"]["endCursor"]
    order = {"field": "CREATED"}
    [error] = await client.errors(OF_PROJECT, id=project, order=order, after=cursor)
    assert (error["extensions"]["code"], error["message"]) == (
        "BAD_USER_INPUT",
        "`after` is not a cursor of this list.",
    )


async def test_several_projects_are_listed_at_once(client: Client) -> None:
    """One operation over all of them takes another way to the same lists."""
    made_here = await asyncio.gather(*(made(client, f"many {n}", ["b", "a", "c"]) for n in range(3)))
    query = f"""query({DECLARED}) {{ {
        " ".join(
            f'p{n}: project(id: "{project}") {{ chatSessions({ARGUMENTS}) {{ {LISTED} }} }}'
            for n, (project, _) in enumerate(made_here)
        )
    } }}"""
    found = await client.run(query, order={"field": "TITLE", "direction": "DESC"}, first=2, filter={"archived": False})
    for n, (_, [b, _, c]) in enumerate(made_here):
        page = found[f"p{n}"]["chatSessions"]
        assert (ids(page), page["totalCount"], page["pageInfo"]["hasNextPage"]) == ([c, b], 3, True)


async def test_members_see_their_own_and_shared_sessions_in_every_order(world: World) -> None:
    project = world.seen["Project"]
    async with world.people("alice", "vera", "rita") as (alice, vera, rita):
        for field in ("CREATED", "LAST_ACTIVITY", "TITLE"):
            for desc in (False, True):
                seen = await walked(vera, project, field, desc=desc, size=2, back=desc)
                assert len(seen) == len(set(seen))
                assert {world.seen["ChatSession"], world.own["vera"]["ChatSession"]} <= set(seen)
                assert world.private["ChatSession"] not in seen
                assert world.private["ChatSession"] in await walked(
                    alice, project, field, desc=desc, size=2, back=False
                )
        own = ids(await listed(vera, None))
        assert own == [world.own["vera"]["ChatSession"]], "what others share is not one's own"
        # Rita has left the project in which she had another session.
        assert ids(await listed(rita, None)) == [world.own["rita"]["ChatSession"]]
        assert (await listed(rita, None))["totalCount"] == 1
