"""Check a restarted server against the ledger of what clients were promised.

`restarted` asks through the front door, as clients would. `at_rest` looks at the database as a kill left it, before any
server has touched it: not even then is anything half there.
"""

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

import sqlalchemy
from sqlalchemy import text
from sqlalchemy.orm import Session

from app.chat.answer_log.integrity import LogIntegrityChecker
from app.chat.answer_log.log import AnswerLog
from app.chat.branches.integrity import BranchIntegrityChecker
from app.database import models
from app.database.protocol import Database
from app.events.outbox import Outbox
from app.knowledge.index.opening import open_index
from app.knowledge.index.protocol import TextIndex
from app.knowledge.integrity import IntegrityChecker
from app.notifier.local import LocalNotifier
from app.observation.log_observer import LogObserver
from tests.graphql.client import Client
from tests.torture.ledger import Asked, Event, Kept, Ledger, Selected, Side
from tests.torture.load import EVENTS, add, delete, delete_project, select, send
from tests.torture.storage import Storage
from tests.tree import Tree

# How long after a start an answer may be without an end, or a document without its turn.
BOUND_SECONDS = 60.0
_TOGETHER = 15
_SAMPLE = 12
_WHOLE = "COMPLETED"
_LASTS = ("AnswerCompleted", "AnswerCancelled", "AnswerFailed")

_DOCUMENTS = """query($id: ID!) { project(id: $id) { documents(first: 100) { totalCount
  nodes { id source version status } } } }"""
_PROJECT = "query($id: ID!) { project(id: $id) { id } }"
_MESSAGES = """query($id: ID!) { chatSession(id: $id) { messages(first: 100) { totalCount
  nodes { id status isCurrent alternatives { id } } } } }"""


async def restarted(client: Client, ledger: Ledger, *, every_log: bool = False) -> None:
    """Everything promised exists exactly once; doubtful writes happened entirely or not at all, and can be repeated."""
    async with asyncio.timeout(4 * BOUND_SECONDS):
        await _turns(client, ledger, every_log=every_log)
        await _documents(client, ledger)
        for side in ledger.sides:
            await _side(client, side)


async def _side(client: Client, side: Side) -> None:
    """A project exists until its deletion, and is gone afterwards."""
    if side.id is not None:
        there = (await client.run(_PROJECT, id=side.id))["project"]
        assert (there is None) == side.deleted or side.deleting, f"{side} is {there}"
        if not side.deleted:
            await delete_project(client, side)


async def _turns(client: Client, ledger: Ledger, *, every_log: bool) -> None:
    """Check existing logs first, because resending a lost question starts new ones."""
    unchecked = [asked for asked in ledger.asked if not asked.checked]
    old = [asked for asked in ledger.asked if asked.checked]
    for asked in [*unchecked, *(old if every_log else ledger.random.sample(old, min(2, len(old))))]:
        if asked.answer is not None:
            await _log(client, ledger, asked)
    for asked in unchecked:
        lost = asked.answer is None
        await send(client, asked)
        if lost:
            await _log(client, ledger, asked)
        asked.checked = True
    doubtful = [step for step in ledger.steps if isinstance(step, Selected) and not step.done]
    for selected in doubtful:
        await select(client, selected)
    for session in {step.session for step in [*unchecked, *doubtful]}:
        await _session(client, session, [step for step in ledger.steps if step.session == session])


async def _log(client: Client, ledger: Ledger, asked: Asked) -> None:
    """An answer's log is complete, has an end, matches its text, and starts with what clients saw."""
    log: list[Event] = []
    try:
        async with asyncio.timeout(BOUND_SECONDS):
            log = await client.follow(EVENTS, id=asked.answer)
    except TimeoutError as error:
        raise AssertionError(f"the answer to {asked.key} has no end") from error
    kinds = [event["__typename"] for event in log]
    assert [event["sequence"] for event in log] == list(range(1, len(log) + 1)), (
        f"gaps or repeats in the log for {asked.key}: {log}"
    )
    assert kinds and kinds[-1] in _LASTS and not set(kinds[:-1]) & set(_LASTS), (
        f"ends of the log for {asked.key}: {kinds}"
    )
    for seen, replayed in zip_longest(asked.seen, log[: len(asked.seen)]):
        assert seen == replayed, f"seen was {seen}, now it is {replayed}"
    message = log[-1]["message"]
    content = ""
    for event in log:
        if event["__typename"] == "AnswerReplaced":
            content = event["content"]
        elif event["__typename"] == "AnswerDelta":
            content += event["text"]
            assert event["content"] == content
    assert message["content"] == content, f"the log tells {content!r}, the message {message['content']!r}"
    assert message["status"] not in ("PENDING", "STREAMING")
    assert asked.status in (None, message["status"]), f"told {asked.status}, now it is {message['status']}"
    assert asked.final in (None, log), f"a finished log has changed: {asked.final} is now {log}"
    asked.final = log
    after = ledger.random.randrange(len(log) + 1)
    assert await client.follow(EVENTS, id=asked.answer, after=after) == log[after:]


async def _session(client: Client, session: str, steps: Sequence[Asked | Selected]) -> None:
    """What all steps together make it show, each exactly once, and nothing else."""
    found = (await client.run(_MESSAGES, id=session))["chatSession"]["messages"]
    tree = _replayed(steps)
    assert found["totalCount"] == len(tree.path), f"{found['totalCount']} messages are shown, not {len(tree.path)}"
    ids = [node["id"] for node in found["nodes"]]
    assert ids == tree.path[:100], f"shown are {ids} and not {tree.path}"
    for node in found["nodes"]:
        assert node["isCurrent"] and node["status"] not in ("PENDING", "STREAMING"), node
        assert [each["id"] for each in node["alternatives"]] == tree.alternatives(node["id"])


def _replayed(steps: Sequence[Asked | Selected]) -> Tree:
    """The tree that steps make, one after another."""
    tree = Tree()
    whole = {one.answer: one.status_at_end == _WHOLE for one in steps if isinstance(one, Asked) and one.final}
    for step in steps:
        if isinstance(step, Selected):
            tree.show(step.message)
            continue
        assert step.question and step.answer
        if step.of is None:
            place = tree.previous[step.edits.question or ""] if step.edits else next(reversed(tree.path), None)
            tree.ask(step.question, step.answer, place)
            continue
        tree.answer_again(step.question, step.answer, at_once=not whole[tree.current[step.question]])
        if whole[step.answer]:
            tree.complete(step.answer)
    return tree


async def _documents(client: Client, ledger: Ledger) -> None:
    nodes = await _listed(client, ledger)
    by_source: dict[str, dict[str, Any]] = {node["source"]: node for node in nodes}
    assert len(by_source) == len(nodes), f"a document is there twice: {nodes}"
    for kept in ledger.documents.values():
        await _document(client, ledger, kept, by_source.pop(kept.source, None))
    assert not by_source, f"nobody asked for {by_source}"
    deadline = time.monotonic() + BOUND_SECONDS
    while waiting := [node for node in await _listed(client, ledger) if node["status"] in ("QUEUED", "PROCESSING")]:
        assert time.monotonic() < deadline, f"documents still wait: {waiting}"
        await asyncio.sleep(0.05)
    status = {node["source"]: (node["version"], node["status"]) for node in await _listed(client, ledger)}
    want = {kept.source: (kept.number, "FAILED" if kept.broken else "READY") for kept in ledger.alive()}
    assert status == want, f"documents are {status} and should be {want}"
    await _searches(client, ledger)
    for kept in ledger.alive():
        kept.searched = 0 if kept.broken else kept.number


async def _listed(client: Client, ledger: Ledger) -> list[dict[str, Any]]:
    return (await client.run(_DOCUMENTS, id=ledger.project))["project"]["documents"]["nodes"]


async def _document(client: Client, ledger: Ledger, kept: Kept, node: dict[str, Any] | None) -> None:
    """A document as promised; if in doubt, one state or the other."""
    if kept.deleted:
        assert node is None, f"deleted, and there: {node}"
        return
    versions = {kept.number, kept.number + (kept.doubt is not None)}
    there = node["version"] if node else 0
    assert there in versions or (kept.deleting and node is None), f"{kept} is {node}"
    if kept.doubt is not None:
        await add(client, ledger, kept, kept.doubt)
    elif kept.deleting:
        await delete(client, kept)


async def _searches(client: Client, ledger: Ledger) -> None:
    """A word finds its document only while it belongs to the newest version."""
    wanted: dict[str, str | None] = {}
    for kept in ledger.documents.values():
        for version in kept.versions:
            wanted[version.word] = None
        if not kept.deleted and not kept.broken:
            wanted[kept.versions[-1].word] = kept.id
    gone = [word for word, id in wanted.items() if id is None]
    there = [word for word, id in wanted.items() if id is not None]
    words = there + gone[-_SAMPLE:] + ledger.random.sample(gone, min(_SAMPLE, len(gone)))
    for start in range(0, len(words), _TOGETHER):
        some = words[start : start + _TOGETHER]
        fields = " ".join(
            f'a{n}: search(input: {{ projectId: $project, query: "{word}", mode: LEXICAL }}) '
            "{ nodes { document { id } } }"
            for n, word in enumerate(some)
        )
        found = await client.run(f"query($project: ID!) {{ {fields} }}", project=ledger.project)
        for n, word in enumerate(some):
            documents = [node["document"]["id"] for node in found[f"a{n}"]["nodes"]]
            assert documents == [id for id in [wanted[word]] if id], f"{word} finds {documents}, not {wanted[word]}"


async def at_rest(storage: Storage, ledger: Ledger) -> None:
    """The database as it was left is sound, consistent, and never between two states."""
    async with storage.open_remains() as database:
        await _agree(database)
        await _neither_both_nor_none(database, ledger)
        await _no_leftovers(database, ledger)


async def undamaged(storage: Storage) -> None:
    """The database, of any version, passes its own checks."""
    async with storage.open_remains():
        pass


async def _agree(database: Database) -> None:
    found = await IntegrityChecker(database, open_index(database.dialect), LocalNotifier()).check()
    logs = await LogIntegrityChecker(
        database, AnswerLog(database, LocalNotifier(), Outbox(), LogObserver())
    ).find_broken_logs()
    assert not found.findings, [finding.message for finding in found.findings]
    assert not logs, f"logs that do not tell what the answers say: {logs}"
    broken = await BranchIntegrityChecker(database).find_broken_sessions()
    assert not broken, f"sessions that do not show what is current: {broken}"
    await _each_follows_an_older_one(database)


async def _neither_both_nor_none(database: Database, ledger: Ledger) -> None:
    """A searchable document stays searchable, in its former version or a later one, never both."""
    wanted = [word for kept in ledger.documents.values() for word in _words(kept)]
    wanted += [side.word for side in ledger.sides]
    indexed = await database.run_read(partial(_find_indexed, open_index(database.dialect).texts, wanted))
    for kept in ledger.documents.values():
        words = _words(kept)
        found = [word for word in words if word in indexed]
        least = 1 if kept.searched and not kept.deleted and not kept.deleting else 0
        most = 0 if kept.deleted else 1
        assert least <= len(found) <= most, f"{kept.source} is found by {found} of {words}"
        if least:
            assert words.index(found[0]) >= kept.searched - 1, f"{kept.source} fell back to {found}"
    for side in ledger.sides:
        assert not (side.deleted and side.word in indexed), f"{side} can still be found"


def _words(kept: Kept) -> list[str]:
    """The words of all its versions, also of one that is in doubt."""
    return [version.word for version in [*kept.versions, *([kept.doubt] if kept.doubt else [])]]


def _find_indexed(texts: TextIndex, words: Sequence[str], db: Session) -> set[str]:
    """Those of the words that are found in any project."""
    projects = db.scalars(sqlalchemy.select(models.Project.id)).all()
    return {word for word in words if any(texts.search_texts(db, project, word, 1) for project in projects)}


async def _each_follows_an_older_one(database: Database) -> None:
    """A message's position is higher than that of the one before it, in the same session."""
    wrong = (
        "SELECT message.id FROM messages AS message JOIN messages AS previous ON previous.id = message.previous_id "
        "WHERE previous.position >= message.position OR previous.session_id != message.session_id"
    )
    async with database.read() as db:
        found = (await db.execute(text(wrong))).scalars().all()
        assert not found, f"messages follow younger ones: {found}"


async def _no_leftovers(database: Database, ledger: Ledger) -> None:
    """A READY document keeps only its own version's original, and no vectors outside the index."""
    older = (
        "SELECT count(*) FROM originals JOIN documents ON documents.id = originals.document_id "
        "WHERE documents.status = 'READY' AND originals.version != documents.version"
    )
    paused = (
        "SELECT count(*) FROM paused_vectors JOIN documents ON documents.id = paused_vectors.document_id "
        "WHERE documents.status = 'READY'"
    )
    async with database.read() as db:
        assert (await db.execute(text(older))).scalar_one() == 0, "originals of former versions are left"
        if ledger.again:
            assert (await db.execute(text(paused))).scalar_one() == 0, "vectors of documents that wait no more are left"
