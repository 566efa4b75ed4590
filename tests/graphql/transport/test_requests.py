"""The HTTP protocol: malformed requests are refused with a reason; media types and methods follow the specification."""

import gzip
import json

import httpx
import pytest

from tests.graphql.client import CREATE_PROJECT, Client

JSON = {"content-type": "application/json"}
FORM = {"content-type": "multipart/form-data; boundary=x", "graphql-require-preflight": "1"}
GRAPHQL_RESPONSE = "application/graphql-response+json"


def form(**fields: str) -> bytes:
    parts = [f'--x\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{text}\r\n' for name, text in fields.items()]
    return ("".join(parts) + "--x--\r\n").encode()


def with_file(places: str, times: int = 1) -> bytes:
    """A form with a file, sent so often, that the map puts at `places`. `variables.a` and `variables.d.1` are null."""
    operations = {
        "query": "{ __typename }",
        "variables": {"a": None, "b": 1, "d": [1, None]},
        "extensions": {"a": None},
    }
    file = '--x\r\ncontent-disposition: form-data; name="0"; filename="a.txt"\r\n\r\nx\r\n' * times + "--x--\r\n"
    return form(operations=json.dumps(operations), map=f'{{"0": {places}}}').removesuffix(b"--x--\r\n") + file.encode()


@pytest.mark.parametrize("places", ['["variables.a"]', '["variables.d.1"]', '["variables.a", "variables.d.1"]'])
async def test_a_file_goes_where_a_null_is(client: Client, places: str) -> None:
    response = await client.http.post(client.url, content=with_file(places), headers=FORM)
    assert response.json() == {"data": {"__typename": "Query"}}


@pytest.mark.parametrize("variables", [["a"], ["a", "b"]])
async def test_several_fields_read_one_file(client: Client, variables: list[str]) -> None:
    project = await client.project(f"one file in {variables}")
    added = "{ ... on UploadDocumentPayload { document { bytes sha256 } } }"
    first, last = (f"uploadDocument(input: {{ projectId: $id, file: ${variables[at]} }}) {added}" for at in (0, -1))
    declared = " ".join(f"${name}: Upload!" for name in variables)
    query = f"mutation($id: ID!, {declared}) {{ first: {first} last: {last} }}"
    operations = {"query": query, "variables": {"id": project, **dict.fromkeys(variables)}}
    places = {"0": [f"variables.{name}" for name in variables]}
    response = await client.http.post(
        client.url,
        data={"operations": json.dumps(operations), "map": json.dumps(places)},
        files={"0": ("larks.txt", b"Larks sing at dawn.")},
        headers={"graphql-require-preflight": "1"},
    )
    data = response.json()["data"]
    assert data["first"]["document"]["bytes"] == 19
    assert data["last"] == data["first"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"", JSON),
        (b"{", JSON),
        (b"null", JSON),
        (b"1", JSON),
        (b'"x"', JSON),
        (b"[]", JSON),
        (b"[1]", JSON),
        (b'[{"query": "{ __typename }"}]', JSON),
        (b"\xff\xfe", JSON),
        (b"[" * 100_000, JSON),
        (b"{}", JSON),
        (b'{"query": null}', JSON),
        (b'{"query": 1}', JSON),
        (b'{"query": ""}', JSON),
        (b'{"query": "{ __typename }", "variables": []}', JSON),
        (b'{"query": "{ __typename }", "variables": "{}"}', JSON),
        (b'{"query": "{ __typename }", "extensions": 1}', JSON),
        (b'{"query": "{ __typename }", "operationName": 1}', JSON),
        (b'{"query": "{ __typename }", "operationName": "Absent"}', JSON),
        (b"", FORM),
        (b"rubbish", FORM),
        (form(map="{}"), FORM),
        (form(operations="null", map="{}"), FORM),
        (form(operations="[]", map="{}"), FORM),
        (form(operations='{"query": "{ __typename }"}', map="[]"), FORM),
        (form(operations='{"query": "{ __typename }"}', map='{"0": ["variables.file"]}'), FORM),
        (form(operations='{"query": "{ __typename }"}', map='{"0": 1}', **{"0": "x"}), FORM),
        (form(operations='{"query": "{ __typename }"}', map='{"0": ["variables.a.b"]}', **{"0": "x"}), FORM),
        (form(operations='{"query": "{ __typename }"}', map='{"0": ["query.0"]}', **{"0": "x"}), FORM),
        (form(operations='{"query": "{ __typename }"}', map="{}", **{"0": "x"}), FORM),
        (form(operations='{"query": "{ __typename }"}'), FORM),
        (form(operations='{"query": "{ __typename }"}', map="null"), FORM),
        (form(operations='[{"query": "{ __typename }"}]', map="{}"), FORM),
        (b"--x\r\n\r\n\r\n--x--\r\n", FORM),
        (b"--x\r\ncontent-disposition: form-data\r\n\r\n1\r\n--x--\r\n", FORM),
        (form(operations="{}", map="{}")[:40], FORM),
        (form(operations='{"query": "{ __typename }"}', map="{}"), {**FORM, "content-type": "multipart/form-data"}),
        (with_file('["variables.a"]', times=2), FORM),
        *(
            (with_file(places), FORM)
            for places in (
                "[]",
                "{}",
                '"variables.a"',
                '["variables.a", "variables.b"]',
                '["variables.a", "variables.a"]',
                '["variables.a", 1]',
                '["variables.c"]',
                '["variables.b"]',
                '["variables.d.0"]',
                '["variables.d.x"]',
                '["variables.d.-1"]',
                '["variables"]',
                '[""]',
                '["."]',
                "[1]",
                '["variables.a.0"]',
                '["extensions.a"]',
                '["variables.d.99999999999999999999"]',
            )
        ),
    ],
)
async def test_a_malformed_request_is_refused_with_a_reason(
    client: Client, body: bytes, headers: dict[str, str]
) -> None:
    response = await client.http.post(client.url, content=body, headers=headers)
    assert response.status_code == 400
    [error] = response.json()["errors"]
    assert error["message"]
    assert error["extensions"]["code"] == "BAD_USER_INPUT"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b"a.txt", b"a" * 5000 + b".txt", "the name of a file may have at most 500 characters"),
        (b"filename", b"x: y\r\n" * 9 + b"filename", "not valid multipart/form-data: Maximum header count exceeded"),
    ],
    ids=["name", "headers"],
)
async def test_what_is_wrong_with_a_form_is_told(client: Client, old: bytes, new: bytes, says: str) -> None:
    body = with_file('["variables.a"]').replace(old, new)
    response = await client.http.post(client.url, content=body, headers=FORM)
    assert response.status_code == 400
    assert says in response.json()["errors"][0]["message"]


@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
async def test_requests_another_sites_form_can_send_need_a_header(client: Client, media_type: str) -> None:
    operation = json.dumps({"query": "{ __typename }"})
    body = form(operations=operation, map="{}") if "multipart" in media_type else operation.encode()
    response = await client.http.post(client.url, content=body, headers={"content-type": media_type})
    assert response.status_code == 403
    [refused] = response.json()["errors"]
    assert refused["extensions"]["code"] == "FORBIDDEN"
    assert refused["message"].startswith("Send JSON with the header `Content-Type: application/json`. ")


@pytest.mark.parametrize(
    ("media_type", "status"),
    [
        ("application/json", 200),
        ("application/json; charset=utf-8", 200),
        ('Application/JSON;charset="UTF-8"', 200),
        ("application/json; charset=utf-16", 415),
        ("application/graphql", 415),
        ("application/x-www-form-urlencoded", 415),
        ("application/jsonx", 415),
        ("", 415),
    ],
)
async def test_a_body_needs_a_known_media_type(client: Client, media_type: str, status: int) -> None:
    headers = {"content-type": media_type, "x-requested-with": "x"}
    response = await client.http.post(client.url, content=b'{"query": "{ __typename }"}', headers=headers)
    assert response.status_code == status
    assert ("data" in response.json()) is (status == 200)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32-be"])
async def test_json_in_another_encoding_is_refused(client: Client, encoding: str) -> None:
    """The limits of JSON are checked in its bytes, and its texts must be such that every database can store them."""
    addresses = {client.url: "query", client.url.replace("/graphql", "/v1/chat/completions"): "model"}
    for address, name in addresses.items():
        body = json.dumps({name: "{ __typename }"}).encode(encoding)
        refused = await client.http.post(address, content=body, headers=JSON)
        assert (refused.status_code, "JSON" in refused.text) == (400, True), refused.text
    marked = await client.http.post(client.url, content='{"query": "{ __typename }"}'.encode("utf-8-sig"), headers=JSON)
    assert marked.json() == {"data": {"__typename": "Query"}}


@pytest.mark.parametrize(
    ("parameters", "status"),
    [
        ("; charset=UTF-8", 200),
        ('; charset = "utf8"', 200),
        ("; charset=utf-8; charset=punycode", 415),
        ("; charset =punycode", 415),
        ("; charset=", 415),
    ],
)
async def test_a_form_in_another_encoding_is_refused(client: Client, parameters: str, status: int) -> None:
    """Whichever of several is named: to decode two megabytes of Punycode takes a minute."""
    body = form(operations='{"query": "{ __typename }"}', map="{}")
    headers = {**FORM, "content-type": FORM["content-type"] + parameters}
    response = await client.http.post(client.url, content=body, headers=headers)
    assert (response.status_code, "data" in response.json()) == (status, status == 200)


async def test_a_form_that_is_not_utf_8_is_refused(client: Client) -> None:
    """As JSON is; read as Latin-1, names and questions would be stored garbled."""
    project = json.dumps({"query": CREATE_PROJECT, "variables": {"input": {"name": "Caf\xe9"}}}, ensure_ascii=False)
    for encoding, status in (("latin-1", 400), ("utf-8", 200)):
        body = form(operations="OPERATION", map="{}").replace(b"OPERATION", project.encode(encoding))
        response = await client.http.post(client.url, content=body, headers=FORM)
        assert response.status_code == status
        if status == 400:
            [error] = response.json()["errors"]
            assert error["message"] == "This is not JSON: it is not UTF-8."
    projects = (await client.run("{ projects(first: 10) { nodes { name } } }"))["projects"]["nodes"]
    assert [project["name"] for project in projects if project["name"].startswith("Caf")] == ["Caf\xe9"]


async def test_a_compressed_body_is_refused_by_name(client: Client) -> None:
    plain = b'{"query": "{ __typename }"}'
    bodies = {"gzip": gzip.compress(plain), "Identity": plain}
    refused, read = [
        await client.http.post(client.url, content=body, headers=JSON | {"content-encoding": encoding})
        for encoding, body in bodies.items()
    ]
    assert refused.status_code == 415
    [problem] = refused.json()["errors"]
    assert problem["message"] == "Send the body without compression, and so without the header Content-Encoding."
    assert read.json()["data"]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("application/json", "application/json"),
        (GRAPHQL_RESPONSE, GRAPHQL_RESPONSE),
        (f"{GRAPHQL_RESPONSE}, application/json;q=0.9", GRAPHQL_RESPONSE),
        (f"{GRAPHQL_RESPONSE};q=0.5, application/json", "application/json"),
        (f"text/html, {GRAPHQL_RESPONSE}; charset=utf-8", GRAPHQL_RESPONSE),
        ("text/html, */*;q=0.1", "application/json"),
        ("text/plain", None),
        ("application/json;q=0", None),
        ("application/json;q=x", None),
        ("application/json;q=0, */*", GRAPHQL_RESPONSE),
        (f"application/json;q=0, {GRAPHQL_RESPONSE};q=0, */*", None),
        ("application/*;q=0, */*", None),
    ],
)
async def test_the_result_has_the_preferred_media_type(client: Client, accept: str, media_type: str | None) -> None:
    for status, query in ((200, "{ __typename }"), (400, "{")):
        response = await client.http.post(client.url, json={"query": query}, headers={"accept": accept})
        found = response.headers["content-type"].partition(";")[0]
        if media_type is None:
            assert response.status_code == 406
            assert response.json()["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"
        else:
            assert found == media_type
            assert response.status_code == (status if media_type == GRAPHQL_RESPONSE else 200)
        assert response.headers["cache-control"] == "no-store"


async def test_get_is_for_queries(client: Client) -> None:
    async def get(query: str) -> httpx.Response:
        return await client.http.get(client.url, params={"query": query})

    assert (await get("{ __typename }")).json() == {"data": {"__typename": "Query"}}
    mutation = await get('mutation { deleteProject(input: {id: "x"}) { __typename } }')
    assert (mutation.status_code, mutation.headers["allow"]) == (405, "GET, POST")
    for method in ("PUT", "DELETE", "PATCH"):
        assert (await client.http.request(method, client.url)).status_code == 405
    assert (await client.http.get(client.url)).status_code == 400
    for params in ({"query": ["{a}", "{b}"]}, {"query": "{__typename}", "variables": "{"}, {"variables": "[]"}):
        wrong = await client.http.get(client.url, params=params)
        assert (wrong.status_code, wrong.json()["errors"][0]["extensions"]["code"]) == (400, "BAD_USER_INPUT")
