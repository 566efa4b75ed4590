"""Clients that add, replace, retry, delete, ask and listen until the server dies, noting what they got.

What is answered is promised. What was asked and not answered is in doubt: at most one thing per document and chat.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import httpx
from websockets.exceptions import InvalidHandshake, WebSocketException

from tests.graphql.client import EVENTS as ALL_EVENTS
from tests.graphql.client import INGESTION, SEND, Client, subscribe
from tests.torture.ledger import Asked, Kept, Ledger, Selected, Side, Version

ADD = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) {
  __typename ... on AddTextDocumentPayload { unchanged document { id version } } ... on Error { message } } }"""
DELETE = """mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) {
  __typename ... on DeleteDocumentPayload { deletedDocumentId } ... on Error { message } } }"""
DELETE_PROJECT = """mutation($input: DeleteProjectInput!) { deleteProject(input: $input) {
  __typename ... on DeleteProjectPayload { deletedProjectId } ... on Error { message } } }"""
RETRY = """mutation($input: RetryDocumentInput!) { retryDocument(input: $input) {
  __typename ... on RetryDocumentPayload { document { id } } ... on Error { message } } }"""
# What an event says of its own time; a passage's chunk may have been replaced since.
EVENTS = ALL_EVENTS.replace(" chunk { id }", "")
UPLOAD = """mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) {
  __typename ... on UploadDocumentPayload { unchanged document { id version } } ... on Error { message } } }"""
REGENERATE = """mutation($input: RegenerateAnswerInput!) { regenerateAnswer(input: $input) {
  __typename ... on RegenerateAnswerPayload { answer { id replyTo { id } } } ... on Error { message } } }"""
SELECT = """mutation($input: SelectBranchInput!) { selectBranch(input: $input) {
  __typename ... on SelectBranchPayload { chatSession { id } } ... on Error { message } } }"""
CANCEL = """mutation($input: CancelAnswerInput!) { cancelAnswer(input: $input) {
  __typename ... on CancelAnswerPayload { answer { status } } ... on Error { message } } }"""
GONE = (httpx.TransportError, WebSocketException, InvalidHandshake, OSError, EOFError)
"""What a client sees of a server that dies."""

_Work = Callable[[int], Coroutine[Any, Any, None]]
_WRITERS, _ASKERS = 3, 3
_MAX_DOCUMENTS = 12
_CANCELLED, _SIDE, _AGAIN, _EDITED, _SELECTED = 0.2, 0.05, 0.4, 0.2, 0.2
# Only the latest turns of a session get alternatives, so that its path grows.
_LATEST = 4


class Load:
    """Clients of one server."""

    def __init__(self, client: Client, ledger: Ledger, *, may_refuse: bool = False) -> None:
        """`may_refuse`: the server may say that its database is away; then its client is lost, too."""
        self._client = client
        self._ledger = ledger
        self._may_refuse = may_refuse
        self._ending = False
        self.lost = 0
        """How many of the clients have lost the server."""

    async def run(self) -> None:
        """Run until the server dies, or `end`. Raises AssertionError for a wrong response."""
        work: list[_Work] = [*[self._write] * _WRITERS, *[self._ask] * _ASKERS]
        numbers = [*range(_WRITERS), *range(_ASKERS)]
        async with asyncio.TaskGroup() as group:
            for one, number in zip(work, numbers, strict=True):
                group.create_task(self._until_gone(one, number))

    async def _until_gone(self, work: _Work, number: int) -> None:
        with suppress(*GONE):
            while not self._ending:
                try:
                    await work(number)
                except AssertionError as error:
                    if self._may_refuse and "unavailable" in str(error).lower():
                        break
                    raise
        self.lost += 1

    def end(self) -> None:
        """Let each client finish what it does."""
        self._ending = True

    async def _write(self, writer: int) -> None:
        """Do one thing with one of this writer's documents."""
        ledger = self._ledger
        if ledger.random.random() < _SIDE:
            await self._side()
            return
        mine = [kept for kept in ledger.alive() if kept.source.startswith(f"s{writer}-")]
        chance = ledger.random.random()
        if not mine or (chance < 0.4 and len(mine) < _MAX_DOCUMENTS / _WRITERS):
            kept = Kept(ledger.fresh(f"s{writer}-"), broken=ledger.random.random() < 0.2)
            ledger.documents[kept.source] = kept
            await add(self._client, ledger, kept, ledger.version(broken=kept.broken))
            return
        kept = ledger.random.choice(mine)
        if chance < 0.65 and not kept.broken:
            for _ in range(ledger.random.choice((1, 1, 3))):  # the next one comes while the last is being processed
                await add(self._client, ledger, kept, ledger.version())
        elif chance < 0.85 and kept.broken:
            await self._retry(kept)
        else:
            await delete(self._client, kept)

    async def _side(self) -> None:
        """Create, fill and delete a whole project."""
        side = Side(self._ledger.fresh("w"))
        self._ledger.sides.append(side)
        side.id = await self._client.project(f"Project {side.word}")
        text = f"This is {side.word}."
        got = await self._client.mutate(ADD, projectId=side.id, title="T", text=text)
        assert "document" in got, got
        await self._client.follow(INGESTION, document=got["document"]["id"])
        await delete_project(self._client, side)

    async def _retry(self, kept: Kept) -> None:
        """Retry a broken document, which may not have failed yet."""
        got = await self._client.mutate(RETRY, id=kept.id)
        assert got["__typename"] in ("RetryDocumentPayload", "ConflictError"), got

    async def _ask(self, caller: int) -> None:
        """Take a turn, and sometimes edit a question, answer one again, or select a branch."""
        ledger, session = self._ledger, self._ledger.sessions[caller]
        latest = ledger.turns(session)[-_LATEST:] if ledger.again else []
        edits = ledger.random.choice(latest) if latest and ledger.random.random() < _EDITED else None
        content = f"What about {ledger.fresh('q')} and the lark?"
        await self._follow(Asked(session, ledger.fresh("key"), content, edits=edits))
        while latest and ledger.random.random() < _AGAIN:
            of = ledger.random.choice(ledger.turns(session)[-_LATEST:])
            await self._follow(Asked(session, ledger.fresh("key"), of.content, of=of))
        if latest and ledger.random.random() < _SELECTED:
            turn = ledger.random.choice(latest)
            selected = Selected(session, ledger.random.choice((turn.question, turn.answer)) or "")
            ledger.steps.append(selected)
            await select(self._client, selected)

    async def _follow(self, asked: Asked) -> None:
        """Send it, and follow the answer to its end."""
        ledger = self._ledger
        ledger.steps.append(asked)
        await send(self._client, asked)
        until = ledger.random.randint(2, 8) if ledger.random.random() < _CANCELLED else None
        async with self._client.socket() as socket:
            async for event in subscribe(socket, EVENTS, id=asked.answer):
                asked.seen.append(event)
                if len(asked.seen) == until:
                    got = await self._client.mutate(CANCEL, messageId=asked.answer)
                    assert "answer" in got, got
                    asked.status = got["answer"]["status"]


async def add(client: Client, ledger: Ledger, kept: Kept, version: Version) -> None:
    """Add a document's next version; repeating it with its key changes nothing."""
    kept.doubt = version
    values = {
        "projectId": ledger.project,
        "source": kept.source,
        "title": f"Title of {kept.source}",
        "idempotencyKey": version.key,
    }
    if kept.broken:
        got = await _upload(client, version, values)
    else:
        got = await client.mutate(ADD, text=version.text, **values)
    assert "document" in got, got
    document = got["document"]
    assert kept.id in (None, document["id"]), f"{kept.source} became another document: {got}"
    assert document["version"] == kept.number + 1, f"version {kept.number + 1} of {kept.source} is {got}"
    kept.id, kept.doubt = document["id"], None
    kept.versions.append(version)


async def _upload(client: Client, version: Version, values: dict[str, str]) -> dict[str, Any]:
    """Upload a file."""
    operations = {"query": UPLOAD, "variables": {"input": {"file": None, **values}}}
    response = await client.http.post(
        client.url,
        data={"operations": json.dumps(operations), "map": json.dumps({"0": ["variables.input.file"]})},
        files={"0": ("broken.pdf", version.text.encode(), "application/pdf")},
        headers={"X-Requested-With": "torture"},
    )
    assert response.status_code == 200, response.text
    return response.json()["data"]["uploadDocument"]


async def delete(client: Client, kept: Kept) -> None:
    """Delete a document; NOT_FOUND is acceptable only if an earlier response was lost."""
    again, kept.deleting = kept.deleting, True
    got = await client.mutate(DELETE, id=kept.id)
    allowed = ("DeleteDocumentPayload", "NotFoundError") if again else ("DeleteDocumentPayload",)
    assert got["__typename"] in allowed, got
    kept.deleted, kept.deleting = True, False


async def delete_project(client: Client, side: Side) -> None:
    """Delete a project, as with a document."""
    again, side.deleting = side.deleting, True
    got = await client.mutate(DELETE_PROJECT, id=side.id)
    allowed = ("DeleteProjectPayload", "NotFoundError") if again else ("DeleteProjectPayload",)
    assert got["__typename"] in allowed, got
    side.deleted, side.deleting = True, False


async def send(client: Client, asked: Asked) -> None:
    """Ask or edit a question, or answer it again; repeating it with its key is the same turn."""
    if asked.of is not None:
        got = await client.mutate(REGENERATE, messageId=asked.of.answer, idempotencyKey=asked.key)
        assert got["__typename"] == "RegenerateAnswerPayload", got
        _told(asked, got["answer"]["replyTo"]["id"], got["answer"]["id"])
        return
    values = {"editedMessageId": asked.edits.question} if asked.edits else {}
    got = await client.mutate(SEND, sessionId=asked.session, content=asked.content, idempotencyKey=asked.key, **values)
    assert got["__typename"] == "SendMessagePayload", got
    _told(asked, got["question"]["id"], got["answer"]["id"])


async def select(client: Client, selected: Selected) -> None:
    """Select a branch; repeating it changes nothing."""
    got = await client.mutate(SELECT, messageId=selected.message)
    assert got["__typename"] == "SelectBranchPayload", got
    selected.done = True


def _told(asked: Asked, *found: str) -> None:
    """The question and answer in the sender's response."""
    assert asked.answer is None or found == (asked.question, asked.answer), (
        f"a turn was made twice: {asked} and {found}"
    )
    asked.question, asked.answer = found
