"""Several processes on one database, stopped and killed: nothing is lost, and nobody waits in vain."""

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from app.database.sqlite import driver
from tests import newest
from tests.answers import Start, openai
from tests.commands import printed_here, run_here
from tests.forks.commands import FootnoteProcess, start_footnote
from tests.graphql.client import CREATE_SESSION, EVENTS, SEND, Client, received, subscribe
from tests.graphql.client import start as start_operation
from tests.looking import pause
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, running
from tests.serving import serve_in_process

MESSAGE = "query($id: ID!) { message(id: $id) { status content failure { code } } }"
STATUSES = """query($id: ID!) { chatSession(id: $id) { messages(first: 100) { nodes { role status } } } }"""
WORDS = "word " * 200
MULTIPART = 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json'

Serve = Callable[..., "Server"]


class Server:
    """`footnote serve` as a process of its own, on a port of its own."""

    def __init__(self, process: FootnoteProcess, url: str) -> None:
        self.process = process
        self.url = url

    def says(self, word: str) -> str | None:
        """The next output line containing this word; None if it ends without one."""
        assert self.process.stdout is not None
        return next((line for line in self.process.stdout if word in line), None)

    def stop(self, how: signal.Signals) -> int:
        """Its exit code."""
        self.process.send_signal(how)
        return self.process.wait(60)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment for this test's database, which already exists."""
    newest.put(tmp_path / "footnote.db")
    return {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/footnote.db"}


@pytest.fixture
def serve(environment: dict[str, str]) -> Generator[Serve]:
    """Start servers on this test's database."""
    with ExitStack() as stack:

        def started(**values: str) -> Server:
            return stack.enter_context(serving({**environment, **values}))

        yield started


@contextmanager
def serving(environment: dict[str, str]) -> Generator[Server]:
    with serve_in_process(environment, stderr=subprocess.DEVNULL) as (process, url):
        yield Server(process, url)


@pytest.fixture
async def http() -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=120) as client:
        yield client


def stalling() -> OpenAIServer:
    """A model that says a few words and then stalls."""
    return OpenAIServer(lambda _: ["Half ", "an ", "answer."], faults=[Break("stall", after=2)] * 9)


def with_model(model: OpenAIServer) -> dict[str, str]:
    return {"OPENAI_BASE_URL": model.url, "CHAT_MODEL": "openai/chat"}


async def half_an_answer(client: Client, socket: ClientConnection) -> str:
    """The id of an answer whose first words have arrived."""
    session = await client.session(await client.project("Half"), enableRag=False)
    answer: str = (await client.mutate(SEND, sessionId=session, content="Go on."))["answer"]["id"]
    async for event in subscribe(socket, EVENTS, id=answer):
        if event["__typename"] == "AnswerDelta":
            return answer
    raise AssertionError("no words came")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_running_answers_with_their_text(
    serve: Serve, start: Start, http: httpx.AsyncClient, how: signal.Signals
) -> None:
    with running(stalling()) as model:
        server = serve(**with_model(model))
        client = Client(http, server.url)
        async with client.socket() as socket:
            answer = await half_an_answer(client, socket)
            server.process.send_signal(how)
            said = await asyncio.to_thread(server.says, "Stopping")
            assert said == "Stopping; 1 running answer has 5 s to finish.\n"
            assert server.process.poll() is None, "it is said while they run"
            assert await asyncio.to_thread(server.process.wait, 120) == 0
    client = start()
    message = (await client.run(MESSAGE, id=answer))["message"]
    assert message == {"status": "INTERRUPTED", "content": "Half an ", "failure": {"code": "INTERRUPTED"}}
    assert (await client.follow(EVENTS, id=answer))[-1]["__typename"] == "AnswerFailed"


async def test_the_next_server_ends_the_answers_of_a_killed_one(
    serve: Serve, start: Start, http: httpx.AsyncClient
) -> None:
    with running(stalling()) as model:
        server = serve(**with_model(model))
        client = Client(http, server.url)
        async with client.socket() as socket:
            answer = await half_an_answer(client, socket)
            assert await asyncio.to_thread(server.stop, signal.SIGKILL) == -signal.SIGKILL
    client = start()
    happened = await client.follow(EVENTS, id=answer)
    assert [event["sequence"] for event in happened] == list(range(1, len(happened) + 1))
    assert happened[-1]["failure"]["code"] == "INTERRUPTED"
    assert happened[-1]["message"]["content"] == "Half an "


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


async def test_a_restore_needs_the_server_to_be_gone_however_it_ended(
    environment: dict[str, str], tmp_path: Path, serve: Serve, http: httpx.AsyncClient
) -> None:
    def footnote(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run_here(tmp_path, *arguments, DATABASE_URL=environment["DATABASE_URL"])

    database, kept = tmp_path / "footnote.db", tmp_path / "kept.db"
    with running(OpenAIServer(lambda _: ["Half ", "an ", "answer."], faults=[Break("stall", after=2)])) as model:
        server = serve(**with_model(model))
        assert (await asyncio.to_thread(footnote, "backup", str(kept))).returncode == 0
        idle = await asyncio.to_thread(footnote, "restore", str(kept))
        client = Client(http, server.url)
        async with client.socket() as socket:
            answer = await half_an_answer(client, socket)
            refused = await asyncio.to_thread(footnote, "restore", str(kept))
            # It goes on serving, and commands go on beside it.
            assert (await client.run(MESSAGE, id=answer))["message"]["status"] == "STREAMING"
            beside = await asyncio.to_thread(footnote, "check")
            assert beside.returncode == 0, beside.stdout
            await asyncio.to_thread(server.stop, signal.SIGKILL)
    says = f"footnote: {database} is in use by a server or by another command; stop that first.\n"
    for told in (idle, refused):
        assert (told.returncode, told.stdout, told.stderr) == (1, "", says)
    restored = await asyncio.to_thread(footnote, "restore", str(kept))
    assert restored.returncode == 0, restored.stderr
    before = Path(f"{database}.before-restore")
    assert (await asyncio.to_thread(footnote, "check")).returncode == 0
    assert names(tmp_path) == ["footnote.db", "footnote.db.before-restore", "kept.db"]
    for file, projects in ((database, 0), (before, 1)):
        with closing(driver.choose_driver().module.connect(str(file))) as connection:
            assert connection.execute("SELECT count(*) FROM projects").fetchone() == (projects,)


async def test_an_answer_of_a_killed_server_keeps_every_use_of_its_citations(
    serve: Serve, start: Start, http: httpx.AsyncClient
) -> None:
    pieces = ["Roses bloom", " in June [1],", " and they", " need water [1],", " much [1].", " And"]
    with running(OpenAIServer(lambda _: pieces, faults=[Break("stall", after=6)])) as model:
        server = serve(**with_model(model))
        client = Client(http, server.url)
        project = await client.project("Garden")
        await client.ready(project, "Roses", "Roses need water twice a week. They bloom in June.")
        question = "When do roses bloom?"
        sent = await client.mutate(SEND, sessionId=await client.session(project), content=question)
        answer = sent["answer"]["id"]
        async with client.socket() as socket:
            async for event in subscribe(socket, EVENTS, id=answer):
                if event["__typename"] == "AnswerDelta" and "much [1]." in event["content"]:
                    break
            else:
                pytest.fail("the stream ended before the piece after which the server is killed")
            assert await asyncio.to_thread(server.stop, signal.SIGKILL) == -signal.SIGKILL
    client = start()
    await client.follow(EVENTS, id=answer)
    uses = "query($id: ID!) { message(id: $id) { content citations { uses { markerSpan { startOffset } } } } }"
    message = (await client.run(uses, id=answer))["message"]
    places = [use["markerSpan"]["startOffset"] for use in message["citations"][0]["uses"]]
    assert places == [found.start() for found in re.finditer(r"\[1\]", message["content"])]
    assert len(places) == 3


async def test_a_second_server_leaves_running_answers_alone_but_can_cancel_them(
    serve: Serve, start: Start, http: httpx.AsyncClient
) -> None:
    with running(stalling()) as model:
        first = Client(http, serve(**with_model(model)).url)
        async with first.socket() as socket:
            answer = await half_an_answer(first, socket)
            second = start(**openai(model))
            assert (await second.run(MESSAGE, id=answer))["message"]["status"] == "STREAMING"
            cancel = """mutation($input: CancelAnswerInput!) { cancelAnswer(input: $input) {
                __typename ... on CancelAnswerPayload { answer { status } } ... on Error { message } } }"""
            cancelled = await second.mutate(cancel, messageId=answer)
            assert cancelled["answer"]["status"] == "CANCELLED"
            # The process that was giving it stops its model, and tells the end to those who listen there.
            assert await asyncio.to_thread(model.left.wait, 120)
        whole = await first.follow(EVENTS, id=answer)
        assert whole[-1]["__typename"] == "AnswerCancelled"
        assert await second.follow(EVENTS, id=answer) == whole
        assert [event["sequence"] for event in whole] == list(range(1, len(whole) + 1))


async def test_a_client_that_disconnects_while_asking_leaves_nothing_pending(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Yes."])) as model:
        client = start(**openai(model))
        project = await client.project("Leaving")
        sessions = [
            (await client.mutate(CREATE_SESSION, projectId=project, enableRag=False))["chatSession"]["id"]
            for _ in range(40)
        ]
        async with client.socket() as socket:
            for number, session in enumerate(sessions):
                await start_operation(socket, str(number), SEND, input={"sessionId": session, "content": "Well?"})
                await socket.send(json.dumps({"type": "complete", "id": str(number)}))
            await start_operation(socket, "last", "{ __typename }")
            while (await received(socket)).get("id") != "last":
                pass
        for session in sessions:
            while any(status in ("PENDING", "STREAMING") for status in await statuses(client, session)):
                await pause()  # each ends, and ends soon, or the test runs into its time limit


async def test_one_key_sent_ten_times_at_once_makes_one_turn(
    serve: Serve, start: Start, http: httpx.AsyncClient
) -> None:
    with running(OpenAIServer(lambda _: ["Once."])) as model:
        clients = [Client(http, serve(**with_model(model)).url), start(**openai(model))]
        session = await clients[0].session(await clients[0].project("Twice"), enableRag=False)

        async def send(number: int) -> tuple[str, str]:
            async with httpx.AsyncClient(timeout=120) as connection:
                client = Client(connection, clients[number % 2].url.removesuffix("/graphql"))
                sent = await client.mutate(SEND, sessionId=session, content="Once?", idempotencyKey="k")
            return sent["question"]["id"], sent["answer"]["id"]

        turns = set(await asyncio.gather(*map(send, range(10))))
        assert len(turns) == 1, turns
        for client in clients:
            assert (await client.follow(EVENTS, id=turns.copy().pop()[1]))[-1]["message"]["content"] == "Once."
        assert await statuses(clients[1], session) == ["COMPLETED", "COMPLETED"]
        assert len(model.chats) == 1


async def statuses(client: Client, session: str) -> list[str]:
    nodes = (await client.run(STATUSES, id=session))["chatSession"]["messages"]["nodes"]
    return [node["status"] for node in nodes]


async def test_lone_surrogates_from_a_model_do_no_harm(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Half \ud800", " and whole 🦊."])) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Odd"), enableRag=False)
        message = (await client.run(MESSAGE, id=await client.answered(session, "Well?")))["message"]
    assert (message["status"], message["content"]) == ("COMPLETED", "Half � and whole 🦊.")


def documents(folder: Path, count: int) -> Path:
    """A folder of `count` longer documents."""
    folder.mkdir()
    for number in range(count):
        text = "".join(f"## Part {i}\n\n{WORDS} number {number}.{i}.\n\n" for i in range(20))
        (folder / f"{number}.md").write_text(f"# Document {number}\n\n{text}")
    return folder


def ingest(environment: dict[str, str], folder: Path) -> FootnoteProcess:
    command = ("ingest", str(folder), "--project", "docs")
    return start_footnote(*command, environment=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


async def test_ingest_resumes_after_a_kill(environment: dict[str, str], tmp_path: Path, start: Start) -> None:
    folder = documents(tmp_path / "docs", 30)
    client = start()
    server_side = "{ projects(first: 1) { nodes { documents(filter: { status: [READY] }) { totalCount } } } }"
    killed = ingest(environment, folder)
    while not (await client.run(server_side))["projects"]["nodes"]:
        assert killed.poll() is None
        await pause()
    killed.kill()
    killed.communicate()
    ingest_again = ("ingest", str(folder), "--project", "docs")
    await asyncio.to_thread(printed_here, tmp_path, *ingest_again, DATABASE_URL=environment["DATABASE_URL"])
    assert (await client.run(server_side))["projects"]["nodes"][0]["documents"]["totalCount"] == 30


async def test_two_simultaneous_ingests_both_finish(environment: dict[str, str], tmp_path: Path) -> None:
    folders = [documents(tmp_path / name, 15) for name in ("one", "two")]
    together = [ingest(environment, folder) for folder in folders]
    outputs = [(await asyncio.to_thread(process.communicate, timeout=300))[0] for process in together]
    # One of them may find that the other has just made the project.
    assert sorted(process.returncode for process in together) in ([0, 0], [0, 1]), outputs
    assert any("15 ingested" in output for output in outputs)


@pytest.mark.parametrize("accept", ["text/event-stream", MULTIPART], ids=["events", "multipart"])
async def test_open_responses_end_properly_when_the_server_stops(
    serve: Serve, http: httpx.AsyncClient, accept: str
) -> None:
    """The body ends properly, unlike a broken connection, but without `complete`, since not everything was sent."""
    with running(stalling()) as model:
        server = serve(**with_model(model))
        client = Client(http, server.url)
        async with client.socket() as socket:
            answer = await half_an_answer(client, socket)
            body = {"query": EVENTS, "variables": {"id": answer}}
            async with http.stream("POST", client.url, json=body, headers={"accept": accept}) as response:
                pieces = response.aiter_text()
                text = ""
                while "AnswerDelta" not in text:
                    text += await anext(pieces)
                stopped = asyncio.create_task(asyncio.to_thread(server.stop, signal.SIGTERM))
                async for piece in pieces:  # raises RemoteProtocolError when the body is cut
                    text += piece
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1001
            assert await stopped == 0
    assert "event: complete" not in text
    assert "--graphql--" not in text


async def test_endless_requests_do_not_keep_a_server_from_stopping(serve: Serve, http: httpx.AsyncClient) -> None:
    server = serve()
    address = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(
        f"POST /graphql HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
        "Content-Length: 1000\r\n\r\n{".encode()
    )
    await writer.drain()
    assert (await http.get(f"{server.url}/health")).status_code == 200
    assert await asyncio.to_thread(server.stop, signal.SIGTERM) == 0
    assert server.says("Stopping") is None, "there was no answer to wait for"
    writer.close()
    del reader
