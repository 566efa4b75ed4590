"""Deleting a document with its quotes: what stored answers and their journals then hold of it."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from threading import Event

import pytest

from app.services import open_services
from app.settings import Settings
from tests.graphql.access.people import CANCEL, plain
from tests.graphql.client import EVENTS, SEND, Client, Json, subscribe
from tests.graphql.conftest import Scripted
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break
from tests.statements import recorded_work

DELETE = """mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) {
  __typename ... on DeleteDocumentPayload { deletedDocumentId } ... on Error { message } } }"""
CITED = """query($id: ID!) { message(id: $id) { content citations { documentTitle sourceStatus uses { quote } } } }"""
SECRET = "gooseberries"
ROSES = f"Roses need water twice a week, say {SECRET}. The {SECRET} know."


async def quotes(client: Client, answer: str) -> dict[str, tuple[str, list[str]]]:
    """Status and quotes of each cited document."""
    citations: Json = (await client.run(CITED, id=answer))["message"]["citations"]
    return {each["documentTitle"]: (each["sourceStatus"], [use["quote"] for use in each["uses"]]) for each in citations}


async def test_quotes_are_erased_from_answers_and_journals(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(lambda _: ["Plants need water [1], and again [2]. ", "Water is needed [1]."]))
    project = await client.project("Garden")
    roses = await client.ready(project, "Roses", ROSES, source="roses")
    ferns = await client.ready(project, "Ferns", "Ferns need water every day.")
    session = await client.session(project, ragThreshold=0.01)
    answer = await client.answered(session, "How often do plants need water?")
    before = await quotes(client, answer)
    assert SECRET in "".join(before["Roses"][1])
    # Passages of an earlier version name chunks that are gone.
    assert await client.ready(project, "Roses", f"{ROSES} And more.", source="roses") == roses
    events = await client.follow(EVENTS, id=answer)

    await client.mutate(DELETE, id=ferns)
    assert (await quotes(client, answer))["Ferns"] == ("DELETED", before["Ferns"][1]), "quotes are kept by default"
    deleted = await client.mutate(DELETE, id=roses, eraseQuotes=True)
    assert deleted == {"__typename": "DeleteDocumentPayload", "deletedDocumentId": roses}
    after = await quotes(client, answer)
    assert after["Roses"] == ("DELETED", ["" for _ in before["Roses"][1]])
    assert after["Ferns"] == ("DELETED", before["Ferns"][1])
    replayed = await client.follow(EVENTS, id=answer)
    assert [each["__typename"] for each in replayed] == [each["__typename"] for each in events]
    assert SECRET in json.dumps(events)
    assert SECRET not in json.dumps(replayed)


async def test_passages_are_erased_by_their_document_whatever_it_was_called(scripted: Scripted) -> None:
    """An earlier title names nothing any more; and the same title may be another document's."""
    client = scripted(OpenAIServer(lambda _: ["Plants need water [1], and again [2]. "]))
    project = await client.project("Garden")
    roses = await client.ready(project, "Old roses", ROSES, source="roses")
    namesake = await client.ready(project, "Roses", "Plants and roses need water every day.", source="namesake")
    session = await client.session(project, ragThreshold=0.01)
    answer = await client.answered(session, "How often do plants need water?")
    before = await quotes(client, answer)
    # Both are read again, so that what was found of them names chunks that are gone.
    await client.ready(project, "Roses", f"{ROSES} And more.", source="roses")
    await client.ready(project, "Roses", "Plants and roses need water every other day.", source="namesake")
    assert SECRET in json.dumps(await client.follow(EVENTS, id=answer))

    await client.mutate(DELETE, id=roses, eraseQuotes=True)
    replayed = json.dumps(await client.follow(EVENTS, id=answer))
    assert SECRET not in replayed
    assert "Plants and roses need water every day." in replayed
    assert (await quotes(client, answer))["Roses"][1] == before["Roses"][1]
    await client.mutate(DELETE, id=namesake, eraseQuotes=True)
    assert "every day" not in json.dumps(await client.follow(EVENTS, id=answer))


async def test_answers_without_quotes_are_read_while_others_write(client: Client, database: Path) -> None:
    project = await client.project("Garden")
    roses = await client.ready(project, "Roses", ROSES)
    session = await client.session(project)
    for _ in range(25):
        await client.answered(session, "How often do ferns need water?", enableRag=False)
    with recorded_work(Settings.model_validate({"database_url": f"sqlite:///{database}"})) as work:
        await client.mutate(DELETE, id=roses, eraseQuotes=True)
    locked = [statement for statement, is_writing in work.sent if is_writing and "FROM compact_logs" in statement]
    assert len(locked) == 1, "only the deletion itself looks for answers that have ended meanwhile"
    assert not [statement for statement in work.statements if "citations" in statement and "ORDER BY" in statement]


@pytest.mark.parametrize("ending", ["completed", "cancelled", "cancelled elsewhere"])
async def test_an_answer_that_is_being_generated_keeps_no_quotes_either(
    scripted: Scripted, tmp_path: Path, ending: str
) -> None:
    held = Event()
    server = OpenAIServer(lambda _: ["Plants need water [1]. "] if held.wait(60) else [])
    if ending != "completed":
        held.set()
        server.faults = iter([Break("stall", 1)])
    client = scripted(server)
    project = await client.project("Garden")
    roses = await client.ready(project, "Roses", ROSES)
    session = await client.session(project, ragThreshold=0.01)
    answer = (await client.mutate(SEND, sessionId=session, content="How often do plants need water?"))["answer"]["id"]
    awaited = "RetrievalCompleted" if ending == "completed" else "CitationAdded"
    async with client.socket() as socket, aclosing(subscribe(socket, EVENTS, id=answer)) as events:
        seen = [each async for each in until(events, awaited)]
    assert SECRET in json.dumps(seen)
    assert (await client.mutate(DELETE, id=roses, eraseQuotes=True))["deletedDocumentId"] == roses
    if ending == "completed":
        held.set()
    elif ending == "cancelled":
        await client.mutate(CANCEL, messageId=answer)
    else:
        settings = Settings.model_validate({"database_url": f"sqlite:///{tmp_path / 'footnote.db'}"})
        async with open_services(settings, "ask") as elsewhere:
            await elsewhere.operator().chats.cancel_answer(plain(answer))
    await client.follow(EVENTS, id=answer)  # until it has ended
    replayed = await client.follow(EVENTS, id=answer)
    assert replayed[-1]["__typename"] == ("AnswerCompleted" if ending == "completed" else "AnswerCancelled")
    assert SECRET not in json.dumps(replayed)
    assert await quotes(client, answer) == {"Roses": ("DELETED", [""])}


async def until(events: AsyncGenerator[Json], kind: str) -> AsyncGenerator[Json]:
    """The events up to the first of this kind."""
    async for event in events:
        yield event
        if event["__typename"] == kind:
            return
