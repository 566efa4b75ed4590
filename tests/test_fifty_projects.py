"""Fifty projects whose documents use the same words in; ten thousand searches and answers, none with another's, out."""

import asyncio
import random
import re
from dataclasses import dataclass
from typing import Any

from app import services
from app.knowledge.search import Mode, Query
from app.services import Allowed, Services
from tests.conftest import MakeSettings
from tests.knowledge_room import add

PROJECTS, SEARCHES, AT_ONCE = 50, 10_000, 20
# fmt: off
WORDS = [
    "goods", "returned", "refund", "days", "delivery", "customer", "warranty", "repair", "software", "opened",
    "parcel", "invoice", "price", "discount", "office", "holiday", "travel", "expense", "approval", "manager",
    "hotel", "flight", "train", "receipt", "budget", "server", "network", "password", "backup", "printer",
]
# fmt: on
MODES: list[Mode] = ["HYBRID", "LEXICAL", "VECTOR"]
MARK = re.compile(r"\bqxz[a-z]{2}\b")


@dataclass
class Tenant:
    """A project, whose texts all carry its mark, as its only member may use it."""

    mark: str
    project: str
    documents: list[str]
    allowed: Allowed


async def tenant(footnote: Services, number: int, chance: random.Random) -> Tenant:
    """A project of three documents."""
    mark = f"qxz{chr(97 + number // 26)}{chr(97 + number % 26)}"
    user = await footnote.accounts.users.create(f"{mark}@example.org")
    project = await footnote.projects.create("Handbook", owner_id=user.id)
    documents: list[str] = []
    for title in ("Returns", "Travel", "Computers"):
        sentences = [f"The {' '.join(chance.sample(WORDS, 8))} are for {mark}." for _ in range(6)]
        text = f"# {title} of {mark}\n\n{' '.join(sentences)}\n"
        row = await add(footnote, project.id, text, title=f"{title} of {mark}")
        assert row.status == "READY"
        documents.append(row.id)
    return Tenant(mark, project.id, documents, footnote.allowed(user))


def marks(value: Any) -> set[str]:
    """Of which projects this tells."""
    return set(MARK.findall(str(value)))


async def searched(tenants: list[Tenant], chance: random.Random) -> int:
    """How many passages a random search of somebody finds, all of them their own."""
    mine, other = chance.sample(tenants, 2)
    # The words of all, often with the name of the other's: a search for what one may not see.
    text = " ".join([*chance.sample(WORDS, chance.randint(1, 6)), *chance.choice([[], [other.mark]])])
    of_both = chance.choice([None, None, None, (mine.documents[0], other.documents[0])])
    query = Query(text, mode=chance.choice(MODES), document_ids=of_both, limit=chance.randint(1, 50))
    passages = (await mine.allowed.projects.search(mine.project, query)).passages
    assert marks(passages) <= {mine.mark}, (text, mine.mark)
    assert {passage.document_id for passage in passages} <= set(mine.documents)
    return len(passages)


async def test_no_search_and_no_answer_has_a_word_of_another_project(make_settings: MakeSettings) -> None:
    chance = random.Random(6)  # noqa: S311 - the same test each time
    async with services.open_services(make_settings(require_sign_in=True), "serve") as footnote:
        tenants = [await tenant(footnote, number, chance) for number in range(PROJECTS)]
        found = 0
        for _ in range(SEARCHES // AT_ONCE):
            found += sum(await asyncio.gather(*(searched(tenants, chance) for _ in range(AT_ONCE))))
        assert found > SEARCHES, "searches do find something"
        for mine, other in zip(tenants, [*tenants[1:], tenants[0]], strict=True):
            chats = mine.allowed.chats
            session = await chats.create(mine.project, {})
            question = f"What are the {WORDS[0]} and {WORDS[15]} for {other.mark}?"
            preview = await chats.preview(session.id, question, overrides={}, reformulate=False)
            told = [message for message, _ in preview.messages if message.role == "system"]
            assert marks(told) == {mine.mark}, "what the model reads is of this project"
            _, answer = await chats.send(session.id, question, key=None, overrides={})
            events = [entry async for entry in chats.follow(answer, 0)]
            assert mine.mark in marks(events)
            assert marks(str(events).replace(question, "")) == {mine.mark}, "nothing else is in the answer's log"
