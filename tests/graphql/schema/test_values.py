"""Numbers and keys at the limits of JSON, Python and the database: refused with the allowed range, never a failure."""

import json

import pytest

from tests.graphql.client import Client

FILTERED = "query($metadata: JSON) { projects { nodes { documents(filter: { metadata: $metadata }) { totalCount } } } }"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 301, "9" * 5000])
async def test_values_that_are_not_json_numbers_are_refused(client: Client, number: str) -> None:
    body = f'{{"query": {json.dumps(FILTERED)}, "variables": {{"metadata": {{"a": {number}}}}}}}'
    response = await client.http.post(client.url, content=body, headers={"content-type": "application/json"})
    assert response.status_code == 400
    assert response.json()["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"


@pytest.mark.parametrize(
    ("number", "says"),
    [
        ("1e999", "Numbers in `metadata` must be at most 9,007,199,254,740,992."),
        ("[{b: [-1e99]}]", "Numbers in `metadata` must be at most 9,007,199,254,740,992."),
        ("9007199254740993", "Numbers in `metadata` must be at most 9,007,199,254,740,992."),
        ("9" * 301, "The document has 301 digits in one number; 300 are allowed."),
        ("9" * 5000, "The document has 5,000 digits in one number; 300 are allowed."),
    ],
)
async def test_a_number_in_a_document_is_kept_exactly_or_refused(client: Client, number: str, says: str) -> None:
    """Infinity would come back as something that is not JSON."""
    project = await client.project(f"number {len(number)} {number[:9]}")
    response = await client.post(
        f"""mutation {{ addTextDocument(input: {{ projectId: "{project}", title: "a", text: "b",
        metadata: {{ a: {number} }} }}) {{ ... on AddTextDocumentPayload {{ document {{ metadata }} }}
        ... on Error {{ message }} }} }}"""
    )
    assert says in response.text
    largest = await client.run(
        f"""mutation {{ addTextDocument(input: {{ projectId: "{project}", title: "a", text: "b",
        metadata: {{ a: 9007199254740992, b: 0.1 }} }}) {{ ... on AddTextDocumentPayload {{ document {{ metadata }} }}
        }} }}"""
    )
    assert largest["addTextDocument"]["document"]["metadata"] == {"a": 2**53, "b": 0.1}


async def test_every_key_can_be_filtered_by(client: Client) -> None:
    project = await client.project("odd keys")
    odd = {
        "a.b[0] $ '": "x",
        "é": 1.5,
        "c d": True,
        "*": 2**53,
        "#-1": "y",
        'a"b\\': "z",
        "": "",
        "\n": False,
        "$.a": 1,
    }
    await client.ready(project, "Odd", "Some text.", metadata=odd)
    read = "query($id: ID!, $m: JSON) { project(id: $id) { documents(filter: { metadata: $m }) { totalCount } } }"
    for found, filtered in ((1, odd), *((1, {key: odd[key]}) for key in odd), (0, {**odd, "*": 2**53 - 1})):
        assert (await client.run(read, id=project, m=filtered))["project"]["documents"]["totalCount"] == found


async def test_values_of_another_kind_are_not_the_same(client: Client) -> None:
    project = await client.project("kinds")
    values = [7, "7", "7 dwarfs", True, 1, "true", "", 0, False, 7.5, [7], {"a": 7}, None]
    for number, value in enumerate(values):
        await client.ready(project, str(number), "Some text.", metadata={"a": value})
    read = "query($id: ID!, $m: JSON) { project(id: $id) { documents(filter: { metadata: $m }) { nodes { title } } } }"
    for number, value in enumerate(values[:-3]):
        found = await client.run(read, id=project, m={"a": value})
        assert [node["title"] for node in found["project"]["documents"]["nodes"]] == [str(number)], value


@pytest.mark.parametrize("threshold", ["1e999", "-1", "2"])
async def test_an_out_of_range_number_is_refused_with_the_range(client: Client, threshold: str) -> None:
    project = await client.project(f"threshold {threshold}")
    given = f'projectId: "{project}", query: "x", threshold: {threshold}'
    [error] = await client.errors(f"{{ search(input: {{ {given} }}) {{ pageInfo {{ endCursor }} }} }}")
    assert (error["extensions"]["code"], error["message"]) == ("BAD_USER_INPUT", "`threshold` must be between 0 and 1.")


async def test_the_number_of_filter_keys_is_limited(client: Client) -> None:
    """SQLite does not accept a thousand nested conditions."""
    await client.project("many keys")
    assert await client.run(FILTERED, metadata={str(number): number for number in range(50)})
    [error] = await client.errors(FILTERED, metadata={str(number): number for number in range(1200)})
    assert error["extensions"]["code"] == "BAD_USER_INPUT"
    assert error["message"] == "Filter metadata by at most 50 keys."


async def test_error_reports_are_limited_in_size(client: Client) -> None:
    """However many errors there are, and however long."""
    search = "query($input: SearchInput!) { search(input: $input) { tookMs } }"
    errors = await client.errors(
        search, input={"x" * 20_000: 1, **{f"field{number}": number for number in range(2000)}}
    )
    assert len(errors) == 10
    assert max(len(error["message"]) for error in errors) <= 1002
