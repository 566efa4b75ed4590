"""How long the largest permitted operation of each kind blocks all others (`python -m tests.bench stalls`).

Every field of the schema that can be asked for has its case, made of the schema itself; several of them together, large
documents, and the other APIs are written down here. `late`: how long the event loop did not come to its other work;
`busy`: what its thread computed meanwhile. On a busy machine only the second is the operation's.
"""

# graphql-core's wrapping types do not say what they wrap.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

import json
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager

import httpx
from graphql import GraphQLObjectType

from app.graphql.limits import arguments
from tests.bench.measured import Row, at_most, tell
from tests.fuzz.running import known_ids
from tests.graphql.client import Client, Json, received, start
from tests.graphql.schema.places import ROOTS, Place, places
from tests.graphql.schema.walking import SCHEMA

LIMIT_MS = 250
_DOCUMENTS = 30
# What has to be of one form stays as it is: as long as it may be, it would be refused.
_KEEP = ("model", "email", "mediaType", "url", "after", "before", "last", "preferredModel", "token", "idempotencyKey")
_TAKE_AWAY = ("delete", "remove", "revoke", "changePassword", "signIn", "forget")
_TITLES = ("title", "name", "label")

Case = Callable[[Client], Awaitable[object]]


def words(characters: int, seed: int = 0) -> str:
    """Distinct words, this many characters in all."""
    text = " ".join(f"lark{seed}x{number}" for number in range(characters // 9 + 1))
    return text[:characters].strip()


async def measure() -> list[Row]:
    """Run each case twice; longest first."""
    found: list[tuple[float, float, str]] = []
    with tempfile.TemporaryDirectory() as folder, _server(f"sqlite:///{folder}/stalls.db") as url:
        async with httpx.AsyncClient(timeout=600) as http:
            client = Client(http, url)
            known = await _filled(client)
            for name, case in [*_of_schema(known), *_of_documents(known), *_of_others(known)]:
                await http.get(f"{url}/stall")
                for _ in range(2):
                    await case(client)
                figures = (await http.get(f"{url}/stall")).json()
                found.append((figures["busy"], figures["late"], name))
                tell(f"{name:44} busy {figures['busy']:7.1f} late {figures['late']:7.1f}")
    return [
        Row(name, f"busy {busy:.1f} ms, late {late:.1f}", aim=at_most(LIMIT_MS, busy, "ms"))
        for busy, late, name in sorted(found, reverse=True)
    ]


async def _filled(client: Client) -> dict[str, str]:
    """A project with a large document, many small ones, and a session with long turns."""
    known = await known_ids(client)
    project = known["Project"]
    known["Document"] = await client.ready(project, "Large", _prose(400_000))
    for number in range(_DOCUMENTS):
        await client.ready(project, f"Small {number}", _prose(3000, number), metadata={"number": number})
    for number in range(5):
        known["Message"] = await client.answered(
            known["ChatSession"], f"When do the larks of {number} sing? " + words(2000)
        )
    return known


def _prose(characters: int, seed: int = 0) -> str:
    line = "The larks of moor {0}{1} sing at dawn, and the singing of lark {2} is heard for {1} miles.\n"
    lines = (line.format(seed, number, number * 7 % 101) for number in range(characters // 80))
    return "# Larks\n\n" + "\n".join(lines)


def _of_schema(known: dict[str, str]) -> Iterator[tuple[str, Case]]:
    """A case per root field and per field with arguments, with all texts at their length limit."""
    by_field: dict[str, list[Place]] = {}
    for place in places(SCHEMA, known):
        by_field.setdefault(place.name.partition("(")[0], []).append(place)
    for name, of_field in by_field.items():
        yield name, _case(of_field)
    for root in ROOTS:
        kind = SCHEMA.type_map[root]
        assert isinstance(kind, GraphQLObjectType)
        for name in kind.fields.keys() - {each.partition(".")[2] for each in by_field if each.startswith(f"{root}.")}:
            yield f"{root}.{name}", _plain(root, name)


def _case(of_field: list[Place]) -> Case:
    first = of_field[0]
    variables = first.variables
    for place in of_field:
        value = _largest(place)
        if value is not None:
            variables = Place(**{**vars(place), "variables": variables}).variables_with(value)

    async def run(client: Client) -> None:
        if first.operation == "subscription":
            async with client.socket() as socket:
                await start(socket, "1", first.text, **variables)
                await start(socket, "2", "{ health { status } }")
                while (await received(socket)).get("id") != "2":
                    pass
            return
        response = await first.send(client, variables)
        assert response.status_code == 200, response.text[:500]
        assert "QUERY_TOO_EXPENSIVE" not in response.text, response.text[:500]

    return run


def _largest(place: Place) -> Json:
    """The largest value worth sending; None leaves the argument out."""
    name = place.keys[-1]
    if name in _KEEP or place.name.partition(".")[2].startswith(_TAKE_AWAY):
        return None
    if name == "first":
        return 100
    if place.coordinate == "AddTextDocumentInput.text":
        return _prose(1_000_000)
    if place.type_name == "String":
        most = arguments.max_characters(place.coordinate, "String") or 0
        return words(most, len(place.name))
    return None


def _plain(root: str, name: str) -> Case:
    below = {"viewer": "{ user { id } accessTokens { id } }", "models": "{ id }", "health": "{ status }"}

    async def run(client: Client) -> None:
        response = await client.post(f"{root.lower()} {{ {name} {below.get(name, '')} }}")
        assert response.status_code == 200

    return run


_TREE = """query($id: ID!) { project(id: $id) { documents(first: 100) { nodes { id title status createdAt
  chunks(first: 20) { nodes { id text position locator { page heading startOffset endOffset } } } } } } }"""
_MESSAGES = """query($id: ID!) { chatSession(id: $id) { messages(first: 20) { nodes { id content contentWithSources
  citations { index label quote uses { support } } notices { code message }
  budget { segments { kind tokens } candidates { documentTitle score tokens decision } } } } } }"""
_HIGHLIGHTS = """query($input: SearchInput!) { search(input: $input, first: 100) {
  edges { rank score node { id text } highlights { startOffset endOffset } } } }"""


def _of_documents(known: dict[str, str]) -> Iterator[tuple[str, Case]]:
    """Documents at the size limit."""
    project, session, chunk = known["Project"], known["ChatSession"], known["Chunk"]
    wanted = {"projectId": project, "query": "the larks of the moor sing at dawn " + words(9000)}
    search = "query($input: SearchInput!) {" + " ".join(
        f"s{number}: search(input: $input) {{ edges {{ rank }} }}" for number in range(19)
    )
    preview = "query($input: PreviewAnswerInput!) {" + " ".join(
        f"p{number}: previewAnswer(input: $input) {{ route messages {{ content tokens }} }}" for number in range(9)
    )
    text = words(99_000)

    def run(query: str, **variables: Json) -> Case:
        async def case(client: Client) -> None:
            response = await client.post(query, **variables)
            assert "are allowed. Request smaller pages" not in response.text, response.text[:500]

        return case

    yield "a tree of documents and chunks", run(_TREE, id=project)
    yield "20 messages with ledgers", run(_MESSAGES, id=session)
    yield (
        "100 results with highlights",
        run(_HIGHLIGHTS, input={**wanted, "query": "the larks of the moor sing at dawn"}),
    )
    yield "19 searches of 10,000 characters", run(search + "}", input=wanted)
    yield "9 previews of 100,000 characters", run(preview + "}", input={"sessionId": session, "content": text})
    yield "search among documents by metadata", run(_HIGHLIGHTS, input={**wanted, "metadata": {"number": 7}})
    yield "100 nodes", run("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=[chunk] * 100)
    yield "a document of 100,000 characters", run("{ __typename #" + "x" * 99_000 + "\n}")
    yield "a document of 2,000 tokens", run("{ health { " + " ".join(f"f{number}" for number in range(990)) + " } }")
    yield "one field 140 times", run("{ health { " + "version " * 140 + "} }")
    yield (
        "the whole schema",
        run("{ __schema { types { name description fields { name description args { name } } } } }"),
    )
    yield "2 MB of variables", run("query($a: String) { __typename }", a="x" * 1_900_000)
    yield "10,000 values", run("query($a: [Int]) { __typename }", a=list(range(9_990)))
    yield "a wrong document", run("{ " + " ".join(f"nothing{number}(a: 1) " for number in range(300)) + " }")


def _of_others(known: dict[str, str]) -> Iterator[tuple[str, Case]]:
    """The OpenAI API, an upload, a download, and a deletion."""

    def chat(**more: Json) -> Case:
        async def run(client: Client) -> None:
            url = client.url.removesuffix("/graphql") + "/v1/chat/completions"
            await client.http.post(url, json={"model": "embedded/extractive", **more})

        return run

    def user(content: str) -> Json:
        return [{"role": "user", "content": content}]

    question = "When do the larks of the moor sing at dawn?"
    yield "/v1 of a question", chat(messages=user(question), index_name="fuzz")
    yield "/v1 of a long question", chat(messages=user(words(100_000)), index_name="fuzz")
    yield "/v1 of 1 MB", chat(messages=user(words(1_000_000)), index_name="fuzz")
    yield "/v1 of many messages", chat(messages=user(question) * 5_000, index_name="fuzz")
    yield "/v1 passed through", chat(messages=user(words(1_000_000)))
    yield "an upload of 5 MB", _upload(known["Project"], _prose(5_000_000))
    yield "a download", _download(known["Document"])
    yield "a large document read", lambda client: client.ready(known["Project"], "Large too", _prose(800_000))
    yield "a large document deleted", _deleted(known)


def _upload(project: str, text: str) -> Case:
    mutation = """mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) {
      ... on UploadDocumentPayload { document { id } } ... on Error { message } } }"""
    form = {
        "operations": json.dumps({"query": mutation, "variables": {"input": {"projectId": project, "file": None}}}),
        "map": json.dumps({"0": ["variables.input.file"]}),
    }

    async def run(client: Client) -> None:
        files = {"0": ("large.md", text.encode(), "text/markdown")}
        response = await client.http.post(
            client.url, data=form, files=files, headers={"graphql-require-preflight": "1"}
        )
        assert response.json()["data"]["uploadDocument"].get("document"), response.text

    return run


def _download(document: str) -> Case:
    async def run(client: Client) -> None:
        found = await client.run("query($id: ID!) { document(id: $id) { originalUrl } }", id=document)
        await client.http.get(client.url.removesuffix("/graphql") + found["document"]["originalUrl"])

    return run


def _deleted(known: dict[str, str]) -> Case:
    mutation = "mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename } }"
    return lambda client: client.mutate(mutation, id=known["Document"])


@contextmanager
def _server(database_url: str) -> Generator[str]:
    # No module of its own: workers that read documents would import that with all that it imports.
    command = [sys.executable, "-c", f"from tests.bench.server import probed; probed.serve({database_url!r})"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()
