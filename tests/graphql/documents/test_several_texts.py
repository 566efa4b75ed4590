"""Adding several texts in one mutation: each has a result of its own."""

import asyncio

from tests.answers import Start
from tests.graphql.client import CREATE_PROJECT, INGESTION, Client, Json
from tests.signed_in_server import StartSignedIn

ADD_TEXTS = """mutation($input: AddTextDocumentsInput!) { addTextDocuments(input: $input) {
  __typename ... on Error { message } ... on ValidationError { issues { path code } }
  ... on AddTextDocumentsPayload { results { __typename
    ... on AddTextDocumentPayload { unchanged document { id version title } }
    ... on Error { message } ... on ValidationError { issues { path code } }
    ... on ConflictError { conflicting { id } } ... on RateLimitedError { retryAfterMs } } } } }"""


async def add_texts(client: Client, project: str, *documents: Json) -> list[Json]:
    added = await client.mutate(ADD_TEXTS, projectId=project, documents=documents)
    assert added["__typename"] == "AddTextDocumentsPayload", added
    return added["results"]


async def test_each_text_has_its_result_in_order(client: Client) -> None:
    project = await client.project("several")
    lark = {"title": "Lark", "text": "Larks sing at dawn.", "source": "lark.md", "idempotencyKey": "lark"}
    results = await add_texts(
        client,
        project,
        lark,
        {"title": "Blank", "text": ""},
        {**lark, "idempotencyKey": None},
        {**lark, "idempotencyKey": None, "text": "Larks sing at noon."},
        {**lark, "text": "Something else."},
        {"title": "x" * 501, "text": "Too long a title."},
        {"title": "Owl", "text": "Owls hoot at night.", "metadata": [1]},
        {"title": "Owl", "text": "Owls hoot at night.", "url": "no address"},
        {"title": "Owl", "text": "Owls hoot at night."},
    )
    first, blank, same, second, conflict, long, metadata, url, owl = results
    id = first["document"]["id"]
    assert (first["unchanged"], first["document"]["version"]) == (False, 1)
    assert (same["unchanged"], same["document"]["id"]) == (True, id)
    assert (second["unchanged"], second["document"]) == (False, {"id": id, "version": 2, "title": "Lark"})
    assert (conflict["__typename"], conflict["conflicting"]) == ("ConflictError", {"id": id})
    for place, refused, field, code in (
        ("1", blank, "text", "REQUIRED"),
        ("5", long, "title", "TOO_LONG"),
        ("6", metadata, "metadata", "INVALID"),
        ("7", url, "url", "INVALID"),
    ):
        assert refused["issues"] == [{"path": ["documents", place, field], "code": code}]
    for added in (owl, second):
        events = await client.follow(INGESTION, document=added["document"]["id"])
        assert events[-1]["__typename"] == "IngestionCompleted"
    read = await client.run("query($id: ID!) { document(id: $id) { chunks { nodes { text } } } }", id=id)
    assert read["document"]["chunks"]["nodes"] == [{"text": "Larks sing at noon."}]


async def test_a_document_keeps_its_newest_keys(client: Client) -> None:
    """A program that names each upload anew would add a row with each of them, for ever."""
    project = await client.project("keys")
    lark = {"title": "Lark", "text": "Larks sing at dawn.", "source": "lark.md"}

    async def add(text: str, *keys: int) -> list[Json]:
        return await add_texts(client, project, *({**lark, "text": text, "idempotencyKey": f"{key}"} for key in keys))

    [first, *_] = await add(lark["text"], *range(200))
    await add(lark["text"], 200)
    assert [one["unchanged"] for one in await add(lark["text"], *range(1, 201))] == [True] * 200
    kept, newest, forgotten = await add("Larks sing at noon.", 1, 200, 0)
    assert (kept["__typename"], newest["__typename"]) == ("ConflictError", "ConflictError")
    assert forgotten["document"] == {"id": first["document"]["id"], "version": 2, "title": "Lark"}


async def test_the_result_of_each_version_of_one_source_tells_what_it_did(client: Client) -> None:
    project = await client.project("versions")
    texts = [{"title": f"Edition {number}", "text": f"Text {number}.", "source": "one"} for number in (1, 2, 3, 4)]
    results = await add_texts(client, project, *texts)
    assert [(one["document"]["version"], one["document"]["title"]) for one in results] == [
        (number, f"Edition {number}") for number in (1, 2, 3, 4)
    ]
    assert len({one["document"]["id"] for one in results}) == 1


async def test_many_calls_at_once_add_every_text_once(client: Client) -> None:
    project = await client.project("many")
    texts = [{"title": f"{number}", "text": f"Text {number}.", "source": f"{number}"} for number in range(60)]
    every = await asyncio.gather(*(add_texts(client, project, *texts) for _ in range(4)))
    for copies in zip(*every, strict=True):
        assert len({copy["document"]["id"] for copy in copies}) == 1
        assert sorted(copy["unchanged"] for copy in copies) == [False, True, True, True]


async def test_an_error_about_all_texts_is_one_error(client: Client) -> None:
    project = await client.project("all or nothing")
    text = {"title": "T", "text": "Text."}
    assert await add_texts(client, project) == []
    many = await client.mutate(ADD_TEXTS, projectId=project, documents=[text] * 201)
    assert many["issues"] == [{"path": ["documents"], "code": "TOO_LARGE"}]
    nowhere = await client.mutate(ADD_TEXTS, projectId="nowhere", documents=[text])
    assert nowhere["__typename"] == "NotFoundError"


async def test_what_does_not_fit_into_the_queue_is_refused_alone(start: Start) -> None:
    with_queue = start(max_queued_documents_per_project=3)
    project = await with_queue.project("full")
    texts = [{"title": f"{number}", "text": f"Text {number}."} for number in range(5)]
    kinds = [result["__typename"] for result in await add_texts(with_queue, project, *texts)]
    assert kinds == ["AddTextDocumentPayload"] * 3 + ["UnavailableError"] * 2


async def test_uploads_are_counted_by_text(signed: StartSignedIn) -> None:
    server = await signed(max_uploads_per_hour=3)
    project = (await server.client.mutate(CREATE_PROJECT, name="Bounds"))["project"]["id"]
    texts = [{"title": f"{number}", "text": f"Text {number}."} for number in range(5)]
    results = await add_texts(server.client, project, *texts)
    assert [one["__typename"] for one in results] == ["AddTextDocumentPayload"] * 3 + ["RateLimitedError"] * 2
    assert results[-1]["retryAfterMs"] > 0
