"""An embedding model that goes away and comes back: documents wait, no work is repeated, none is half visible."""

import asyncio
import threading
from collections.abc import Callable, Generator

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import Response

from app.knowledge.ingestion.embedding_pauses import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    LONGEST_RETRY_AFTER,
    MAX_FAILURES,
    EmbeddingPauses,
)
from tests.conftest import MakeSettings
from tests.graphql.client import ADD_TEXT, INGESTION, Client, Json
from tests.graphql.documents.test_several_texts import add_texts
from tests.ingestion.embedding import SEARCH, embedding, paragraphs
from tests.servers.openai import OpenAIServer
from tests.servers.running import Fault, Refusal, running
from tests.serving import serve
from tests.statements import recorded_work

Start = Callable[..., Client]
STATE = "query($id: ID!) { document(id: $id) { status failure { code message } chunks(first: 1) { totalCount } } }"
HEALTH = "{ health { status components { name status detail } } }"
DELETE = "mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename } }"
FULL = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) {
  __typename ... on UnavailableError { service retryAfterMs message } } }"""
DOWN = Refusal(503, headers={"retry-after": "0"})


class Switched(OpenAIServer):
    """A model that can be switched off after its first requests; `refused` is set on the first refusal."""

    def __init__(self, before: int) -> None:
        super().__init__(faults=self._faults(before))
        self.down = True
        self.refused = threading.Event()

    def _faults(self, before: int) -> Generator[Fault]:
        for _ in range(before):
            yield None
        while self.down:
            self.refused.set()
            yield DOWN
        while True:
            yield None

    @property
    def texts(self) -> list[str]:
        """Every text that it was sent, in order."""
        return [text for body in self.embeddings for text in body["input"]]


async def work(client: Client) -> Json:
    """The server's report on its background work."""
    components = (await client.run(HEALTH))["health"]["components"]
    return next(part for part in components if part["name"] == "work")


async def waiting(client: Client, document: str) -> Json:
    """A document's state once it is queued again after its model failed."""
    async with asyncio.timeout(120):
        while True:
            state = (await client.run(STATE, id=document))["document"]
            work = (await client.run(HEALTH))["health"]["components"]
            if state["status"] == "QUEUED" and any(
                part["name"] == "work" and part["status"] == "DEGRADED" for part in work
            ):
                return state
            await asyncio.sleep(0.02)


async def test_a_document_resumes_where_its_model_went_away(start: Start) -> None:
    # One request tells the dimensions; the first 256 texts are four, for each takes 32,000 tokens at most.
    with running(Switched(5)) as model:
        client = start(**embedding(model))
        project = await client.project("away")
        text = paragraphs(300, "alpha")
        added = (await client.mutate(ADD_TEXT, projectId=project, title="Long", text=text, source="long"))["document"]
        state = await waiting(client, added["id"])
        assert (state["failure"], state["chunks"]["totalCount"]) == (None, 0)
        found = (await client.run(SEARCH, project=project, query="alpha7"))["search"]
        assert found["nodes"] == []
        detail = next(
            part["detail"] for part in (await client.run(HEALTH))["health"]["components"] if part["name"] == "work"
        )
        assert detail.startswith("Documents waiting for their embedding model: 1. ")
        kept = model.texts[1:257]
        before = len(model.embeddings)
        model.down = False
        told = await client.follow(INGESTION, document=added["id"])
        assert told[-1]["__typename"] == "IngestionCompleted"
        after = [text for body in model.embeddings[before:] for text in body["input"]]
        chunks = (await client.run(STATE, id=added["id"]))["document"]["chunks"]["totalCount"]
        assert chunks > 256
        assert len(set(kept)) == 256
        assert not set(kept) & set(after)
        found = (await client.run(SEARCH, project=project, query="alpha7"))["search"]
        assert "alpha7 " in found["nodes"][0]["text"]


async def test_a_new_version_does_not_reuse_a_waiting_versions_vectors(start: Start) -> None:
    with running(Switched(5)) as model:
        client = start(**embedding(model))
        project = await client.project("replaced")
        values = {"projectId": project, "title": "Long", "source": "long"}
        added = (await client.mutate(ADD_TEXT, **values, text=paragraphs(270, "alpha")))["document"]
        await waiting(client, added["id"])
        await client.mutate(ADD_TEXT, **values, text=paragraphs(3, "beta"))
        model.down = False
        before = len(model.embeddings)
        await client.follow(INGESTION, document=added["id"])
        chunks = (await client.run(STATE, id=added["id"]))["document"]["chunks"]["totalCount"]
        after = {text for body in model.embeddings[before:] for text in body["input"]}
        assert len([text for text in after if "beta" in text]) == chunks


class Choking(OpenAIServer):
    """A model that fails for texts with one word in them."""

    async def _embed(self, request: Request) -> Response:
        if b"poison" in await request.body():
            await self.record(request)
            return Response("{}", 500, {"retry-after": "0"}, "application/json")
        return await super()._embed(request)


async def test_a_document_its_model_fails_on_affects_no_other(start: Start) -> None:
    with running(Choking()) as model:
        client = start(**embedding(model))
        project = await client.project("poison")
        texts = ["Good words.", "This is poison.", "More good words.", "Still good."]
        added = [
            (await client.mutate(ADD_TEXT, projectId=project, title=text, text=text))["document"]["id"]
            for text in texts
        ]
        for document in (added[0], added[2], added[3]):
            assert (await client.follow(INGESTION, document=document))[-1]["__typename"] == "IngestionCompleted"
        assert (await waiting(client, added[1]))["chunks"]["totalCount"] == 0


class Held(Choking):
    """A model that keeps all texts but the poison waiting at a gate."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()

    def stop(self) -> None:
        self.gate.set()

    async def _embed(self, request: Request) -> Response:
        if b"poison" not in await request.body():
            await asyncio.to_thread(self.gate.wait)
        return await super()._embed(request)


@pytest.mark.parametrize("end", ["deleted", "replaced"])
async def test_a_failure_that_is_over_is_no_reason_why_others_wait(start: Start, end: str) -> None:
    """No document is waiting for the model that once failed on one: that was deleted, or its next version succeeded."""
    with running(Held()) as model:
        client = start(**embedding(model))
        project, other = await client.project("poison"), await client.project("busy")
        values = {"projectId": project, "title": "One", "source": "one"}
        added = (await client.mutate(ADD_TEXT, **values, text="This is poison."))["document"]["id"]
        await waiting(client, added)
        if end == "deleted":
            await client.mutate(DELETE, id=added)
        else:
            await client.mutate(ADD_TEXT, **values, text="This is good.")
            assert (await client.follow(INGESTION, document=added))[-1]["__typename"] == "IngestionCompleted"
        assert (await work(client))["detail"] is None
        model.gate.clear()
        reports = [await work(client)]
        while reports[-1]["detail"] is None:  # until all workers that the project may have are busy
            await client.mutate(ADD_TEXT, projectId=other, title=f"{len(reports)}", text="Good words.")
            reports.append(await work(client))
        assert (reports[-1]["status"], reports[-1]["detail"]) == ("OK", "Documents waiting: 1.")


async def test_permanent_errors_fail_at_once(start: Start) -> None:
    with running(OpenAIServer(key="another")) as model:
        client = start(**embedding(model))
        added = await client.mutate(ADD_TEXT, projectId=await client.project("key"), title="One", text="Some words.")
        last = (await client.follow(INGESTION, document=added["document"]["id"]))[-1]
        assert (last["__typename"], last["failure"]["code"]) == ("IngestionFailed", "EMBEDDER_UNAVAILABLE")
        assert "sk-1" not in last["failure"]["message"]


@pytest.mark.parametrize("error", [DOWN, Refusal(401)], ids=["away", "our key is refused"])
async def test_documents_whose_model_fails_are_written_together(make_settings: MakeSettings, error: Refusal) -> None:
    """Each in a transaction of its own, a batch of 128 would hold up all others that write, again with each pause."""
    with running(OpenAIServer(faults=iter(lambda: error, None))) as model:
        settings = make_settings(**embedding(model))
        with recorded_work(settings) as found, serve(settings) as url:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, url)
                project = await client.project("many")
                before = found.write_transactions
                texts = [{"title": f"{number}", "text": f"Words {number}."} for number in range(60)]
                [*_, last] = await add_texts(client, project, *texts)
                if error is DOWN:
                    await waiting(client, last["document"]["id"])
                else:
                    await client.follow(INGESTION, document=last["document"]["id"])
                assert found.write_transactions - before < 20, found.statements


async def test_a_full_queue_refuses_documents(start: Start) -> None:
    with running(Switched(0)) as model:
        client = start(**embedding(model), max_queued_documents=2)
        project = await client.project("full")
        first = await client.mutate(ADD_TEXT, projectId=project, title="One", text="Some words.")
        await waiting(client, first["document"]["id"])
        await client.mutate(ADD_TEXT, projectId=project, title="Two", text="Other words.")
        refused = await client.mutate(FULL, projectId=project, title="Three", text="Too many.")
        assert (refused["__typename"], refused["service"]) == ("UnavailableError", "ingestion")
        assert refused["retryAfterMs"] > 0
        model.down = False
        await client.follow(INGESTION, document=first["document"]["id"])
        taken = await client.mutate(FULL, projectId=project, title="Three", text="There is room now.")
        assert taken["__typename"] == "AddTextDocumentPayload"


@given(st.lists(st.one_of(st.none(), st.floats(0, 10_000)), min_size=1, max_size=40))
def test_waits_grow_within_limits_and_end(asked: list[float | None]) -> None:
    now = 0.0
    holds = EmbeddingPauses(lambda: now, lambda: 1.0)
    for rounds, retry_after in enumerate(asked):
        seconds = holds.pause_project("project", "down", retry_after, "space")
        own = min(LONGEST_PAUSE, FIRST_PAUSE * 2**rounds)
        assert seconds == max(own, min(retry_after or 0, LONGEST_RETRY_AFTER))
        assert holds.paused_projects() == {"project": "space"}
        now += seconds
        assert holds.paused_projects() == {}
        assert holds.pause_reason("project") == "down"
    holds.resume_project("project")
    assert holds.pause_reason("project") is None
    assert holds.pause_project("project", "down") == FIRST_PAUSE


def test_a_document_is_given_up_after_enough_failures_while_others_succeed() -> None:
    holds = EmbeddingPauses()
    assert [holds.record_failure("bad", 0) for _ in range(MAX_FAILURES)] == [False] * (MAX_FAILURES - 1) + [True]
    assert not holds.record_failure("bad", 0)
    assert not any(holds.record_failure("slow", done) for done in range(1, 50))
