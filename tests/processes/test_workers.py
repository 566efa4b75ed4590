"""`footnote serve --workers` and `footnote work`: several processes are one server, whichever of them one reaches."""

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.requests import Request

from tests.answers import TEXT, openai
from tests.forks.commands import FootnoteProcess, run_footnote, start_footnote
from tests.graphql.access.people import CANCEL
from tests.graphql.client import ADD_TEXT, EVENTS, INGESTION, SEND, Client
from tests.looking import pause
from tests.observation.test_metrics import scrape
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, Break, Fault, Thought, running

MESSAGE = "query($id: ID!) { message(id: $id) { status content failure { code } } }"
STATUS = "query($id: ID!) { document(id: $id) { status } }"
HALF = ["Half ", "an ", "answer."]


class GatedServer(OpenAIServer):
    """Says the last word of its answers when `gate` is set."""

    def __init__(self) -> None:
        super().__init__(lambda _: HALF)
        self.gate = Event()

    def stop(self) -> None:
        self.gate.set()

    async def _events(
        self, request: Request, body: Body, pieces: list[str | Thought], fault: Fault
    ) -> AsyncGenerator[bytes]:
        async for frame in super()._events(request, body, pieces, fault):
            if b"answer." in frame:
                await asyncio.to_thread(self.gate.wait)
            yield frame


@dataclass
class Footnote:
    """A command that runs, its first output, and the file of its log."""

    process: FootnoteProcess
    log: Path
    url: str = ""
    times_reached: int = 0

    async def until_logged(self, pattern: str) -> re.Match[str]:
        """Wait until the log has this."""
        while not (found := re.search(pattern, self.log.read_text())):  # noqa: ASYNC110 - a file has no event
            await asyncio.sleep(0.02)
        return found

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Its exit code."""
        self.process.send_signal(how)
        return self.process.wait(60)


@pytest.fixture
def environment(database_url: str) -> dict[str, str]:
    """The environment for this test's database, which already exists."""
    return {**os.environ, "DATABASE_URL": database_url, "LOG_FORMAT": "JSON", "ACCESS_LOG": "true"}


@contextmanager
def footnote(tmp_path: Path, environment: dict[str, str], *arguments: str) -> Generator[Footnote]:
    """Run a command until the end of the block; its first output has come."""
    log = tmp_path / f"{arguments[0]}.log"
    with (
        log.open("w") as errors,
        start_footnote(
            *arguments,
            environment=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        ) as process,
    ):
        try:
            assert process.stdout
            started = Footnote(process, log)
            for line in process.stdout:
                started.url = next((word for word in line.split() if word.startswith("http")), started.url)
                if "Ctrl-C" in line:
                    break
            yield started
        finally:
            process.terminate()
            process.wait(60)


@contextmanager
def workers(tmp_path: Path, environment: dict[str, str], count: int = 2) -> Generator[Footnote]:
    with footnote(tmp_path, environment, "serve", "--port", "0", "--workers", str(count)) as server:
        address = urlsplit(server.url)
        server.url = f"{address.scheme}://{address.netloc}"
        yield server


@dataclass
class Reached:
    """A client whose only connection is to the worker with this process id."""

    client: Client
    worker: int

    async def events(self, answer: str, after: int = 0) -> AsyncGenerator[dict[str, Any]]:
        """An answer's events, over this connection."""
        body = {"query": EVENTS, "variables": {"id": answer, "after": after}}
        accept = {"accept": "text/event-stream"}
        async with self.client.http.stream("POST", self.client.url, json=body, headers=accept) as response:
            async for line in response.aiter_lines():
                if line.startswith("data: {"):
                    yield json.loads(line.removeprefix("data: "))["data"]["answerEvents"]


@asynccontextmanager
async def reached(server: Footnote, *not_these: int) -> AsyncGenerator[Reached]:
    """Connect to a worker; not to those given, which stand still meanwhile."""
    with ExitStack() as stack:
        for worker in not_these:
            os.kill(worker, signal.SIGSTOP)
            stack.callback(os.kill, worker, signal.SIGCONT)
        limits = httpx.Limits(max_connections=1, keepalive_expiry=None)
        async with httpx.AsyncClient(timeout=60, limits=limits) as http:
            response = await http.get(f"{server.url}/livez")
            server.times_reached += 1
            asked = response.headers["x-request-id"]
            found = await server.until_logged(rf'"process": (\d+),.*"request_id": "{asked}"')
            stack.close()
            yield Reached(Client(http, server.url), int(found[1]))


@asynccontextmanager
async def reached_new(server: Footnote, *former: int) -> AsyncGenerator[Reached]:
    """Connect to a new worker. Until a former one has read that it retires, it takes connections."""
    while True:
        async with reached(server) as found:
            if found.worker not in former:
                yield found
                return


@asynccontextmanager
async def two_reached(server: Footnote) -> AsyncGenerator[tuple[Reached, Reached]]:
    async with reached(server) as one, reached(server, one.worker) as other:
        assert one.worker != other.worker
        yield one, other


async def ask(client: Client, project: str = "Half") -> str:
    session = await client.session(await client.project(project), enableRag=False)
    return (await client.mutate(SEND, sessionId=session, content="Go on."))["answer"]["id"]


async def until(events: AsyncGenerator[dict[str, Any]], text: str) -> int:
    """Read until a text has come; the number of that event."""
    async for event in events:
        if text in event.get("text", ""):
            return event["sequence"]
    raise AssertionError("it never came")


def stalling() -> AbstractContextManager[OpenAIServer]:
    return running(OpenAIServer(lambda _: HALF, faults=[Break("stall", after=2)]))


async def test_an_answer_is_followed_and_cancelled_through_another_worker(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    with stalling() as model, workers(tmp_path, {**environment, **variables(model)}) as server:
        async with two_reached(server) as (one, other), reached(server, one.worker) as third:
            answer = await ask(one.client)
            following = other.events(answer)
            await until(following, "an")
            await third.client.mutate(CANCEL, messageId=answer)
            assert await asyncio.to_thread(model.left.wait, 60), "the worker that answers stops its model"
            assert [event["__typename"] async for event in following][-1] == "AnswerCancelled"
            async with asyncio.timeout(60):
                while (await scrape(one.client))["footnote_running_answers"]:
                    await pause()
            seen = [await scrape(each.client) for each in (one, other)]
        for samples in seen:  # both say the same of the whole server
            assert samples["footnote_http_requests_total area=livez method=GET status=200"] == server.times_reached
            assert samples["footnote_answers_total model=openai/chat outcome=CANCELLED route=PASS_THROUGH"] == 1
            assert samples["footnote_queued_documents"] == 0
        assert server.stop() == 0
        assert server.process.stdout and server.process.stdout.read() == "Stopped.\n"


def variables(model: OpenAIServer) -> dict[str, str]:
    return {name.upper(): value for name, value in openai(model).items()}


async def test_a_killed_worker_is_replaced_and_its_answers_end(tmp_path: Path, environment: dict[str, str]) -> None:
    with stalling() as model, workers(tmp_path, {**environment, **variables(model)}) as server:
        async with two_reached(server) as (one, other):
            answer = await ask(one.client)
            following = other.events(answer)
            await until(following, "an")
            os.kill(one.worker, signal.SIGKILL)
            last = [event async for event in following][-1]
            assert (last["__typename"], last["failure"]["code"]) == ("AnswerFailed", "INTERRUPTED")
            assert last["message"]["content"] == "Half an "
            await server.until_logged(rf"worker {one.worker} has ended \(SIGKILL\); another one starts")
            async with reached(server, other.worker) as successor:
                assert successor.worker not in (one.worker, other.worker)
                again = await ask(successor.client, "Whole")
                whole = [event async for event in other.events(again)][-1]
                assert whole["message"]["content"] == "".join(HALF)


@pytest.mark.sqlite
async def test_replacing_all_workers_loses_nothing(tmp_path: Path, environment: dict[str, str]) -> None:
    with running(GatedServer()) as model, workers(tmp_path, {**environment, **variables(model)}) as server:
        async with two_reached(server) as (one, other):
            answer = await ask(one.client)
            following = other.events(answer)
            last = await until(following, "an")
            server.process.send_signal(signal.SIGHUP)
            rest = [event async for event in following]
            assert rest == [], "the stream ends, so that its reader goes on elsewhere"
        await server.until_logged("all workers are new")
        os.kill(one.worker, 0)  # it still answers
        async with reached_new(server, one.worker, other.worker) as successor:
            following = successor.events(answer, after=last)
            model.gate.set()
            ended = [event async for event in following][-1]
            assert (ended["__typename"], ended["message"]["content"]) == ("AnswerCompleted", "".join(HALF))
            samples = await scrape(successor.client)
        assert samples["footnote_http_requests_total area=livez method=GET status=200"] == server.times_reached
        assert server.stop() == 0


@pytest.mark.sqlite
async def test_workers_that_start_when_all_are_to_be_replaced_again_are_replaced_too(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    with workers(tmp_path, environment) as server:
        await children(server, lambda found: len(found) == 2)
        server.process.send_signal(signal.SIGHUP)
        former = await children(server, lambda found: len(found) == 3)
        server.process.send_signal(signal.SIGHUP)
        await server.until_logged("all workers are new")
        left = await children(server, lambda found: len(found) == 2)
        assert left.isdisjoint(former)


async def children(server: Footnote, are: Callable[[set[str]], bool]) -> set[str]:
    """The process ids of the workers, once they are so."""
    while not are(found := read_children(server.process.pid)):  # noqa: ASYNC110 - nobody tells of processes
        await asyncio.sleep(0.02)
    return found


def read_children(pid: int) -> set[str]:
    return set(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


@pytest.mark.sqlite
def test_what_keeps_workers_from_starting_is_told_once(tmp_path: Path, environment: dict[str, str]) -> None:
    for more, told in (({"CHAT_MODEL": "ollama/x"}, "OLLAMA_HOST"), ({"DATABASE_URL": "sqlite:////nowhere/f.db"}, "")):
        ended = run_footnote("serve", "--port", "0", "--workers", "3", environment={**environment, **more}, seconds=60)
        assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended
        assert ended.stderr.startswith("footnote: ") and told in ended.stderr


async def test_documents_are_processed_by_a_process_of_their_own(tmp_path: Path, environment: dict[str, str]) -> None:
    with workers(tmp_path, {**environment, "PROCESS_DOCUMENTS": "false"}, 1) as server:
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, server.url)
            project = await client.project("Shop")
            document = (await client.mutate(ADD_TEXT, projectId=project, title="Returns", text=TEXT))["document"]["id"]
            await client.answered(await client.session(project), "Until when can goods be returned?")
            assert (await client.run(STATUS, id=document))["document"]["status"] == "QUEUED"
            with footnote(tmp_path, environment, "work", "--port", "0") as worker:
                happened = await client.follow(INGESTION, document=document)
                assert happened[-1]["__typename"] == "IngestionCompleted"
                address = worker.url.removesuffix("/metrics")
                assert (await http.get(f"{address}/readyz")).text == "OK\n"
                samples = await scrape(Client(http, address))
                assert samples["footnote_documents_total failure= status=READY"] == 1
                assert (await http.get(f"{address}/graphql")).status_code == 404
                assert worker.stop() == 0
                assert worker.process.stdout and worker.process.stdout.read() == "Stopped.\n"
