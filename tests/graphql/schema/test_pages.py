"""Pagination: nothing repeated and nothing skipped, whatever is added or deleted meanwhile."""

import base64
import json

import pytest

from tests.graphql.client import ADD_TEXT, Client, Json

DOCUMENTS = """query($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $order: DocumentOrder,
    $filter: DocumentFilter) {
  project(id: $id) { documents(first: $first, after: $after, last: $last, before: $before, orderBy: $order,
      filter: $filter) {
    nodes { title } edges { cursor node { title } } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }"""


# What a column cannot be compared with, or what no row has made.
FORGED: list[list[Json]] = [
    [],
    [None],
    [True],
    [1.5],
    [2**63],
    [-(2**70)],
    ["nul \0"],
    ["half \ud800"],
    [["deep"]],
    [{"a": 1}],
    ["title", "0" * 32, "more"],
]


def forged(*values: Json) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode()


async def page(client: Client, project: str, **window: Json) -> Json:
    return (await client.run(DOCUMENTS, id=project, **window))["project"]["documents"]


def titles(found: Json) -> list[str]:
    return [node["title"] for node in found["nodes"]]


async def add(client: Client, project: str, *new: str) -> None:
    for title in new:
        await client.mutate(ADD_TEXT, projectId=project, title=title, text=title, source=title)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
@pytest.mark.parametrize("order", [None, {"field": "TITLE"}, {"field": "TITLE", "direction": "DESC"}])
async def test_walking_forwards_and_backwards_gives_every_entry_once(client: Client, size: int, order: Json) -> None:
    project = await client.project(f"walk {size} {order}")
    await add(client, project, "d", "b", "g", "a", "f", "c", "e")
    everything = titles(await page(client, project, order=order))
    assert sorted(everything) == list("abcdefg")
    forwards: list[str] = []
    window: Json = {"first": size}
    while True:
        found = await page(client, project, order=order, **window)
        assert [edge["node"]["title"] for edge in found["edges"]] == titles(found)
        assert found["totalCount"] == 7
        assert found["pageInfo"]["hasPreviousPage"] == ("after" in window)
        forwards += titles(found)
        if not found["pageInfo"]["hasNextPage"]:
            break
        window["after"] = found["pageInfo"]["endCursor"]
    assert forwards == everything
    backwards: list[str] = []
    window = {"last": size}
    while True:
        found = await page(client, project, order=order, **window)
        backwards = titles(found) + backwards
        if not found["pageInfo"]["hasPreviousPage"]:
            break
        window["before"] = found["pageInfo"]["startCursor"]
    assert backwards == everything


@pytest.mark.parametrize("size", [2, 20])
async def test_what_a_cursor_cuts_off_is_before_or_after_the_page(client: Client, size: int) -> None:
    project = await client.project(f"between {size}")
    await add(client, project, *"abcdefg")
    cursors = [edge["cursor"] for edge in (await page(client, project))["edges"]]
    for direction in ("first", "last"):
        found = await page(client, project, after=cursors[0], before=cursors[4], **{direction: size})
        assert titles(found) == (list("bcd") if size > 3 else list("bc") if direction == "first" else list("cd"))
        assert (found["pageInfo"]["hasPreviousPage"], found["pageInfo"]["hasNextPage"]) == (True, True)


async def test_entries_are_paged_in_the_order_of_their_last_change(client: Client) -> None:
    project = await client.project("changes")
    for title in "bac":
        await client.ready(project, title, title)
    order = {"field": "UPDATED_AT", "direction": "DESC"}
    first = await page(client, project, first=2, order=order)
    assert titles(first) == ["c", "a"]
    assert titles(await page(client, project, after=first["pageInfo"]["endCursor"], order=order)) == ["b"]


async def test_pages_stay_right_while_entries_come_and_go(client: Client) -> None:
    project = await client.project("moving")
    await add(client, project, "b", "d", "f", "h")
    order = {"field": "TITLE"}
    first = await page(client, project, first=2, order=order)
    assert titles(first) == ["b", "d"]
    await add(client, project, "a", "e", "i")
    rest = await page(client, project, after=first["pageInfo"]["endCursor"], order=order)
    assert titles(rest) == ["e", "f", "h", "i"]


async def test_a_filter_narrows_the_list_and_its_count(client: Client) -> None:
    project = await client.project("filter")
    for title, year in (("Report 1", 2024), ("Report 2", 2025), ("Minutes", 2025)):
        await client.mutate(ADD_TEXT, projectId=project, title=title, text=title, metadata={"year": year, "kind": "x"})
    found = await page(client, project, filter={"titleContains": "report", "metadata": {"year": 2025}})
    assert (titles(found), found["totalCount"]) == (["Report 2"], 1)
    assert titles(await page(client, project, filter={"status": ["FAILED"]})) == []


@pytest.mark.parametrize(
    "window",
    [
        {"first": -1},
        {"first": 101},
        {"last": 101},
        {"first": 1, "last": 1},
        {"after": "nonsense"},
        {"after": "WzFd"},
        {"after": "✓"},
        {"before": "e30="},
        *({"after": forged(*values)} for values in FORGED),
        {"after": forged("0" * 32)[:-2] + "=="},
        {"after": base64.urlsafe_b64encode(b"[" * 200_000).decode()},
        {"before": "A" * 1_000_000},
    ],
)
async def test_an_impossible_page_is_bad_input(client: Client, window: Json) -> None:
    project = await client.project(f"bad page {window}"[:100])
    for order in (None, {"field": "TITLE"}, {"field": "UPDATED_AT"}):
        errors = await client.errors(DOCUMENTS, id=project, order=order, **window)
        assert [error["extensions"]["code"] for error in errors] == ["BAD_USER_INPUT"]
        assert errors[0]["path"] == ["project", "documents"]


@pytest.mark.parametrize(
    "moment", ["2026-01-01T00:00:00", "2026-01-01", "2026-01-01T00:00:00+01:00", "9999-12-31T23:59:59-12:00", 7, "soon"]
)
async def test_a_forged_cursor_is_bad_input(client: Client, moment: Json) -> None:
    project = await client.project(f"bad moment {moment}")
    window = {"order": {"field": "UPDATED_AT"}, "after": forged(moment, "0" * 32)}
    errors = await client.errors(DOCUMENTS, id=project, **window)
    assert [error["extensions"]["code"] for error in errors] == ["BAD_USER_INPUT"]


async def test_search_results_are_pages_of_one_ranking(client: Client) -> None:
    project = await client.project("search pages")
    for number in range(5):
        await client.ready(project, f"Note {number}", f"Bees make honey in hive number {number}. " + "Bees. " * number)
    search = """query($input: SearchInput!, $first: Int! = 10, $after: String) {
      search(input: $input, first: $first, after: $after) { tookMs notices { code }
        edges { cursor rank score vectorScore lexicalScore highlights { startOffset endOffset }
          node { text document { title } } }
        pageInfo { hasNextPage hasPreviousPage endCursor } } }"""
    wanted = {"projectId": project, "query": "honey of bees"}
    whole = (await client.run(search, input=wanted))["search"]
    assert [edge["rank"] for edge in whole["edges"]] == [1, 2, 3, 4, 5]
    scores = [edge["score"] for edge in whole["edges"]]
    assert scores == sorted(scores, reverse=True)
    best = whole["edges"][0]
    words = {best["node"]["text"][span["startOffset"] : span["endOffset"]].lower() for span in best["highlights"]}
    assert words == {"bees", "honey"}
    first = (await client.run(search, input=wanted, first=2))["search"]
    assert first["pageInfo"]["hasNextPage"]
    rest = (await client.run(search, input=wanted, after=first["pageInfo"]["endCursor"]))["search"]
    walked = [edge["node"]["text"] for edge in first["edges"] + rest["edges"]]
    assert walked == [edge["node"]["text"] for edge in whole["edges"]]
    assert not rest["pageInfo"]["hasNextPage"]
    strict = (await client.run(search, input={**wanted, "threshold": scores[1], "rerank": True}))["search"]
    assert len(strict["edges"]) == len([score for score in scores if score >= scores[1]])
    assert strict["notices"] == [{"code": "RERANKER_UNAVAILABLE"}]
    lexical = (await client.run(search, input={**wanted, "mode": "LEXICAL"}))["search"]
    assert {edge["vectorScore"] for edge in lexical["edges"]} == {None}


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"query": " "}, "BAD_USER_INPUT"),
        ({"query": "x" * 10_001}, "BAD_USER_INPUT"),
        ({"threshold": 2}, "BAD_USER_INPUT"),
        ({"metadata": [1]}, "BAD_USER_INPUT"),
        ({"metadata": {"a": [1]}}, "BAD_USER_INPUT"),
        ({"projectId": "nowhere"}, "NOT_FOUND"),
        ({"documentIds": ["nowhere"]}, "NOT_FOUND"),
    ],
)
async def test_an_invalid_search_says_why(client: Client, values: Json, code: str) -> None:
    project = await client.project(f"no search {values}"[:150])
    search = "query($input: SearchInput!) { search(input: $input) { nodes { id } } }"
    errors = await client.errors(search, input={"projectId": project, "query": "bees", **values})
    assert [error["extensions"]["code"] for error in errors] == [code]


async def test_a_search_can_be_narrowed_to_documents(client: Client) -> None:
    project = await client.project("narrow")
    one = await client.ready(project, "One", "Cats sleep a lot.", metadata={"kind": "a"})
    await client.ready(project, "Two", "Cats sleep a little.", metadata={"kind": "b"})
    search = "query($input: SearchInput!) { search(input: $input) { nodes { document { title } } } }"
    for narrow in ({"documentIds": [one]}, {"metadata": {"kind": "a"}}):
        found = await client.run(search, input={"projectId": project, "query": "cats", **narrow})
        assert [node["document"]["title"] for node in found["search"]["nodes"]] == ["One"]
    both = {"documentIds": [one], "metadata": {"kind": "b"}}
    assert (await client.run(search, input={"projectId": project, "query": "cats", **both}))["search"]["nodes"] == []
