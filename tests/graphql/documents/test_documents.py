"""Uploading files, and following documents while they are processed."""

import asyncio
import json
import threading
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response

from app.graphql import ids
from app.settings import Settings
from tests.graphql.client import ADD_TEXT, INGESTION, Client, Json, received, start, subscribe
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.serving import serve

UPLOAD = """mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) {
  __typename ... on UploadDocumentPayload { unchanged document { id title mediaType bytes sha256 source url metadata } }
  ... on ValidationError { issues { path code } } ... on NotFoundError { id } } }"""
PREFLIGHT = {"graphql-require-preflight": "1"}


async def upload(client: Client, name: str, data: bytes, media_type: str, **values: Json) -> httpx.Response:
    operations = {"query": UPLOAD, "variables": {"input": {"file": None, **values}}}
    return await client.http.post(
        client.url,
        data={"operations": json.dumps(operations), "map": json.dumps({"0": ["variables.input.file"]})},
        files={"0": (name, data, media_type)},
        headers=PREFLIGHT,
    )


async def test_a_file_is_uploaded_and_found(client: Client) -> None:
    project = await client.project("uploads")
    values = {"projectId": project, "source": "s", "url": "https://example.org", "metadata": {"a": [1, {"b": None}]}}
    response = await upload(client, "notes.md", b"# Larks\n\nLarks sing at dawn.\n", "text/markdown", **values)
    added = response.json()["data"]["uploadDocument"]
    document = added["document"]
    assert (document["title"], document["mediaType"], document["bytes"]) == ("notes.md", "text/markdown", 29.0)
    assert (document["source"], document["url"], document["metadata"]) == ("s", values["url"], values["metadata"])
    assert not added["unchanged"]
    events = await client.follow(INGESTION, document=document["id"])
    assert events[-1]["document"]["title"] == "Larks"
    read = await client.run(
        """query($id: ID!) { document(id: $id) { status chunks { totalCount nodes { position text tokenCount
        locator { page heading startOffset endOffset } document { id } } } } }""",
        id=document["id"],
    )
    [chunk] = read["document"]["chunks"]["nodes"]
    assert chunk["locator"] == {"page": None, "heading": [], "startOffset": 0, "endOffset": len(chunk["text"])}
    assert "Larks sing at dawn." in chunk["text"]
    assert chunk["document"]["id"] == document["id"]


@pytest.mark.parametrize(
    ("sent", "title"),
    [
        ("Gr%C3%B6%C3%9Fe%20%282%29.txt", "Größe (2).txt"),  # as aiohttp sends it, and so `gql`
        ("100%.txt", "100%.txt"),
        ("a%20b c.txt", "a%20b c.txt"),
        ("%ff.txt", "%ff.txt"),
    ],
)
async def test_the_name_of_a_file_is_decoded_where_all_of_it_is_encoded(client: Client, sent: str, title: str) -> None:
    project = await client.project(f"names {title}")
    response = await upload(client, sent, b"Larks sing.", "text/plain", projectId=project)
    assert response.json()["data"]["uploadDocument"]["document"]["title"] == title


@pytest.mark.parametrize(
    ("name", "sent", "kept"),
    [
        ("table.csv", "application/octet-stream", "text/csv"),
        ("page.html", "text/html; charset=utf-8", "text/html"),
        ("thing", "application/octet-stream", "application/octet-stream"),
    ],
)
async def test_the_media_type_comes_from_the_client_or_the_file_name(
    client: Client, name: str, sent: str, kept: str
) -> None:
    project = await client.project(f"types {name}")
    response = await upload(client, name, b"a,b\n1,2\n", sent, projectId=project)
    assert response.json()["data"]["uploadDocument"]["document"]["mediaType"] == kept


async def test_a_refused_file_says_why(client: Client) -> None:
    project = await client.project("not uploaded")
    empty = (await upload(client, "a.txt", b"", "text/plain", projectId=project)).json()["data"]["uploadDocument"]
    assert empty["issues"] == [{"path": ["file"], "code": "REQUIRED"}]
    large = (await upload(client, "a.txt", b"x" * 100_001, "text/plain", projectId=project)).json()
    assert large["data"]["uploadDocument"]["issues"] == [{"path": ["file"], "code": "TOO_LARGE"}]
    nowhere = (await upload(client, "a.txt", b"x", "text/plain", projectId="nowhere")).json()
    assert nowhere["data"]["uploadDocument"] == {"__typename": "NotFoundError", "id": "nowhere"}


@pytest.mark.parametrize("file", ["text", 1, {"filename": "a"}, True])
async def test_only_a_file_is_a_file(client: Client, file: Json) -> None:
    errors = await client.errors(UPLOAD, input={"projectId": "p", "file": file})
    assert [error["extensions"]["code"] for error in errors] == ["BAD_USER_INPUT"]


async def test_processing_can_be_followed_from_the_start_or_resumed(client: Client) -> None:
    project = await client.project("progress")
    async with client.socket() as socket:
        await start(socket, "all", INGESTION, project=project)
        # A query on the same socket is answered after the subscription has begun.
        await start(socket, "query", "{ __typename }")
        while await received(socket) != {"type": "complete", "id": "query"}:
            pass
        added = await client.mutate(ADD_TEXT, projectId=project, title="T", text="Some text.")
        document = added["document"]["id"]
        of_project: list[Json] = []
        while not of_project or of_project[-1]["__typename"] != "IngestionCompleted":
            of_project.append((await received(socket))["payload"]["data"]["ingestionEvents"])
        await socket.send(json.dumps({"type": "complete", "id": "all"}))
    assert {event["documentId"] for event in of_project} == {document}
    sequences = [event["sequence"] for event in of_project]
    assert sequences == sorted(set(sequences))
    last = await client.follow(INGESTION, document=document)
    assert last == of_project[-1:]
    assert await client.follow(INGESTION, document=document, after=last[0]["sequence"] - 1) == last
    assert await client.follow(INGESTION, document=document, after=last[0]["sequence"]) == []


async def test_a_document_that_cannot_be_parsed_is_reported_and_retried(client: Client) -> None:
    project = await client.project("broken file")
    response = await upload(client, "a.pdf", b"%PDF-1.7\nnot a pdf at all", "application/pdf", projectId=project)
    document = response.json()["data"]["uploadDocument"]["document"]["id"]
    failed = (await client.follow(INGESTION, document=document))[-1]
    assert failed["__typename"] == "IngestionFailed"
    assert (failed["failure"]["code"], failed["failure"]["retryable"]) == ("BROKEN", False)
    retry = """mutation($input: RetryDocumentInput!) { retryDocument(input: $input) {
      __typename ... on RetryDocumentPayload { document { status failure { code } } } } }"""
    retried = await client.mutate(retry, id=document)
    assert retried["document"] == {"status": "QUEUED", "failure": None}
    again = (await client.follow(INGESTION, document=document, after=failed["sequence"]))[-1]
    assert again["failure"] == failed["failure"]
    assert again["sequence"] > failed["sequence"]


async def test_a_follower_learns_of_what_ended_while_it_was_reading_what_is_in_work(client: Client) -> None:
    project = await client.project("ended")
    document = await client.ready(project, "Lark", "Larks sing at dawn.")
    async with client.socket() as socket:
        async for event in subscribe(socket, INGESTION, project=project):
            assert (event["__typename"], event["documentId"]) == ("IngestionCompleted", document)
            break


async def test_each_follower_of_a_project_learns_once_of_each_document(client: Client) -> None:
    """They read together, and one of them joins later than the others."""
    project, ready = await client.project("followed"), list[tuple[list[Json], set[str]]]()

    async def follow(expected: set[str], begun: asyncio.Event) -> None:
        async with client.socket() as socket:
            await start(socket, "all", INGESTION, project=project)
            await start(socket, "query", "{ __typename }")
            while await received(socket) != {"type": "complete", "id": "query"}:
                pass
            begun.set()
            events: list[Json] = []
            while not events or events[-1].get("document", {}).get("title") != "Last":
                events.append((await received(socket))["payload"]["data"]["ingestionEvents"])
            ready.append((events, expected))

    async def add(*titles: str) -> set[str]:
        added = [await client.mutate(ADD_TEXT, projectId=project, title=title, text=f"On {title}.") for title in titles]
        return {one["document"]["id"] for one in added}

    first, second = set[str](), set[str]()
    async with asyncio.TaskGroup() as group:
        begun = [asyncio.Event() for _ in range(3)]
        for event in begun[:2]:
            group.create_task(follow(first, event))
        await asyncio.gather(*(event.wait() for event in begun[:2]))
        early = await add("Lark", "Owl", "Wren")
        for document in early:
            await client.follow(INGESTION, document=document)
        group.create_task(follow(second, begun[2]))
        await begun[2].wait()
        late = await add("Heron", "Kite")
        for document in late:
            await client.follow(INGESTION, document=document)
        late |= await add("Last")
        first |= early | late
        second |= late
    assert len(ready) == 3
    for events, expected in ready:
        completed = [event["documentId"] for event in events if event["__typename"] == "IngestionCompleted"]
        assert len(completed) == len(set(completed))
        assert expected <= set(completed) <= early | late
        states = [(event["documentId"], event["sequence"]) for event in events]
        assert len(states) == len(set(states))


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({}, "BAD_USER_INPUT"),
        ({"document": ids.encode("Document", "0" * 32), "project": ids.encode("Project", "0" * 32)}, "BAD_USER_INPUT"),
        ({"document": ids.encode("Document", "0" * 32)}, "NOT_FOUND"),
        ({"project": ids.encode("Project", "0" * 32)}, "NOT_FOUND"),
        ({"document": ids.encode("Project", "0" * 32)}, "NOT_FOUND"),
        ({"document": ids.encode("Document", "0" * 32), "after": -1}, "BAD_USER_INPUT"),
    ],
)
async def test_following_an_unknown_document_is_an_error(client: Client, variables: Json, code: str) -> None:
    async with client.socket() as socket:
        await start(socket, "1", INGESTION, **variables)
        message = await received(socket)
        assert message["payload"]["errors"][0]["extensions"]["code"] == code
        assert await received(socket) == {"type": "complete", "id": "1"}


UPDATE = """mutation($input: UpdateDocumentInput!) { updateDocument(input: $input) {
  __typename ... on UpdateDocumentPayload { document { title url metadata status version } }
  ... on ValidationError { issues { path code } } ... on NotFoundError { id } } }"""
TITLES = """query($project: ID!, $query: String!) {
  search(input: { projectId: $project, query: $query, mode: LEXICAL }) { nodes { document { title } } } }"""


async def test_a_documents_metadata_can_be_changed(client: Client) -> None:
    project = await client.project("changes")
    values: Json = {"source": "s", "url": "https://example.org/1", "metadata": {"a": 1}}
    document = await client.ready(project, "Birds", "# Larks\n\nThey sing at dawn.\n", **values)

    async def changed(**changes: Json) -> Json:
        return (await client.mutate(UPDATE, id=document, **changes))["document"]

    kept = {"title": "Birds", "url": "https://example.org/1", "metadata": {"a": 1}, "status": "READY", "version": 1}
    assert await changed() == kept
    kept |= {"url": "https://example.org/2", "metadata": {"b": [None], "蜂": "蜂" * 9_900}}
    assert await changed(url=kept["url"], metadata=kept["metadata"]) == kept
    kept |= {"url": None, "metadata": {}}
    assert await changed(url=None, metadata=None) == kept

    async def found(query: str) -> list[str]:
        nodes = (await client.run(TITLES, project=project, query=query))["search"]["nodes"]
        return [node["document"]["title"] for node in nodes]

    assert (await found("birds"), await found("ornithology")) == (["Birds"], [])
    assert (await changed(title="Ornithology"))["title"] == "Ornithology"
    await client.follow(INGESTION, document=document)
    assert (await found("birds"), await found("ornithology")) == ([], ["Ornithology"])
    await changed(title=None)
    await client.follow(INGESTION, document=document)
    assert (await found("ornithology"), await found("dawn")) == ([], ["Larks"])


@pytest.mark.parametrize(
    ("changes", "issue"),
    [
        ({"title": " "}, {"path": ["title"], "code": "REQUIRED"}),
        ({"title": "x" * 501}, {"path": ["title"], "code": "TOO_LONG"}),
        ({"url": "x" * 2001}, {"path": ["url"], "code": "TOO_LONG"}),
        ({"metadata": [1]}, {"path": ["metadata"], "code": "INVALID"}),
        ({"metadata": {"a": "x" * 10_000}}, {"path": ["metadata"], "code": "TOO_LARGE"}),
    ],
)
async def test_a_refused_change_says_why(client: Client, changes: Json, issue: Json) -> None:
    project = await client.project(f"no change {issue}")
    document = await client.ready(project, "Birds", "They sing at dawn.")
    assert (await client.mutate(UPDATE, id=document, **changes))["issues"] == [issue]
    gone = await client.mutate(UPDATE, id=project, title="x")
    assert gone == {"__typename": "NotFoundError", "id": project}


class Gated(OpenAIServer):
    """An embedding model that holds back texts with these words until released."""

    def __init__(self, *words: str) -> None:
        super().__init__()
        self.came = {word: threading.Event() for word in words}
        self.may_go = {word: threading.Event() for word in words}

    def stop(self) -> None:
        for event in self.may_go.values():
            event.set()

    async def _embed(self, request: Request) -> Response:
        text = (await request.body()).decode()
        for word in self.came:
            if word in text:
                self.came[word].set()
                await asyncio.to_thread(self.may_go[word].wait)
        return await super()._embed(request)


async def test_a_title_changed_during_processing_is_the_one_searched(tmp_path: Path) -> None:
    """The first run ends while the second is going on; its result under the old title is dropped."""
    model = Gated("Before", "Afterwards")
    values = {"database_url": f"sqlite:///{tmp_path}/footnote.db", "embedding_model": "openai/vectors"}
    with running(model), serve(Settings.model_validate({**values, "openai_base_url": model.url})) as url:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, url)
            project = await client.project("races")
            added = await client.mutate(ADD_TEXT, projectId=project, title="Before", text="Some words.")
            document = added["document"]["id"]
            assert await asyncio.to_thread(model.came["Before"].wait, 120)
            assert (await client.mutate(UPDATE, id=document, title="Afterwards"))["document"]["status"] == "QUEUED"
            assert await asyncio.to_thread(model.came["Afterwards"].wait, 120)
            model.may_go["Before"].set()
            other = await client.ready(project, "Another", "Other words.")  # read by the worker that is free again
            model.may_go["Afterwards"].set()
            happened = await client.follow(INGESTION, document=document)
            assert happened[-1]["document"] == {"id": document, "status": "READY", "title": "Afterwards"}
            for query, titles in (("before", []), ("afterwards", ["Afterwards"]), ("another", ["Another"])):
                found = (await client.run(TITLES, project=project, query=query))["search"]["nodes"]
                assert [node["document"]["title"] for node in found] == titles
            assert other != document
