"""Isolation: among fifty projects with overlapping words, no search or answer shows another project's chunk.

ISOLATION_SEED=… repeats a run; `python -m tests.evaluation.isolation` makes 10,000 searches.
"""

import asyncio
import json
import os
import random
from collections.abc import Generator

import pytest

from app.accounts.members import Role
from tests.graphql.access.crowd import PEOPLE, SEAL, WORDS, Crowd, Shop, crowded, everybody
from tests.graphql.access.isolating import searched
from tests.graphql.access.people import Person
from tests.graphql.client import EVENTS, SEND, Json

SEARCHES, QUESTIONS = 500, 4
PREVIEW = """query($input: PreviewAnswerInput!) { previewAnswer(input: $input) { searchQuery messages { role content }
  budget { candidates { decision chunk { id text } } } } }"""
MESSAGE = """query($id: ID!) { message(id: $id) { status outcome content contentWithSources
  citations { quote document { id title } chunk { text } uses { quote chunk { text } } }
  budget { candidates { decision chunk { text document { id } } } } } }"""


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Generator[Crowd]:
    """The crowd, on a server shared by this module."""
    with crowded(tmp_path_factory.mktemp("crowd")) as found:
        yield found


@pytest.fixture(scope="module")
def seed() -> int:
    """A fixed seed, so that runs repeat; ISOLATION_SEED tries others."""
    found = int(os.environ.get("ISOLATION_SEED") or 20)
    print(f"ISOLATION_SEED={found}")
    return found


async def test_no_search_finds_another_projects_chunk(crowd: Crowd, seed: int) -> None:
    seen = await searched(crowd, seed, SEARCHES)
    assert seen.leaks == [], f"ISOLATION_SEED={seed}"
    assert seen.searches >= SEARCHES
    assert seen.counts["chunks"] > SEARCHES
    assert min(seen.counts[what] for what in ("changes", "refused", "exact", "HYBRID", "VECTOR", "LEXICAL")) >= 10


def question(shop: Shop, other: Shop, chance: random.Random) -> str:
    """A question from words common to all projects and the marks of two."""
    return f"When is the {chance.choice(WORDS)} returned with its {chance.choice(WORDS)}, {shop.mark} {other.mark}?"


async def test_no_answer_uses_another_projects_chunks(crowd: Crowd, seed: int) -> None:
    """Through previews, the embedded model and a model that repeats its prompt, while documents change."""
    leaks: list[str] = []
    cited: list[str] = []

    async def ask_on(name: str, person: Person) -> None:
        chance = random.Random(f"{seed} answers {name}")  # noqa: S311
        for _ in range(QUESTIONS):
            await crowd.change(person, name, chance)
            shop = chance.choice(crowd.seen_by(name))
            other = chance.choice([each for each in crowd.shops if each is not shop])
            asked, began = question(shop, other, chance), shop.now()
            session = await person.session(shop.id, ragThreshold=0, ragTopK=chance.choice((1, 5, 50)))
            preview = await person.run(PREVIEW, input={"sessionId": session, "content": asked})
            assert preview["previewAnswer"]["budget"]["candidates"], "something was found"
            told: list[Json] = [preview]
            for model in ("embedded/extractive", "openai/chat"):
                sent = await person.mutate(SEND, sessionId=session, content=asked, model=model)
                told.append(await person.follow(EVENTS, id=sent["answer"]["id"]))
                told.append(await person.run(MESSAGE, id=sent["answer"]["id"]))
                message = told[-1]["message"]
                assert message["status"] == "COMPLETED", message
                cited.extend(citation["quote"] for citation in message["citations"])
            found = shop.foreign(json.dumps(told), began)
            leaks.extend(f"{name} in project {shop.number}, {asked}: {seal}" for seal in found)
            refused = await person.post(
                "mutation($input: SendMessageInput!) { sendMessage(input: $input) { __typename } }",
                input={"sessionId": session, "content": asked, "documentIds": [chance.choice(sorted(other.ever))]},
            )
            assert refused.json() == {"data": {"sendMessage": {"__typename": "NotFoundError"}}}, refused.text

    async with everybody(crowd.world) as people:
        await asyncio.gather(*(ask_on(name, person) for name, person in people.items()))
    assert leaks == [], f"ISOLATION_SEED={seed}"
    assert len(cited) > len(PEOPLE) * QUESTIONS
    # What went out holds the seals of one project only, whichever it was.
    assert crowd.model.chats
    for body in crowd.model.chats:
        assert len({found[1] for found in SEAL.finditer(json.dumps(body))}) == 1, f"ISOLATION_SEED={seed}"


@pytest.mark.parametrize("by", ["id", "name"])
async def test_no_openai_prompt_or_source_is_another_projects(crowd: Crowd, seed: int, by: str) -> None:
    """Projects may share a name; it means one's own, or none."""
    chance = random.Random(f"{seed} api {by}")  # noqa: S311
    async with everybody(crowd.world) as people:
        for number, (name, person) in enumerate(list(people.items()) * 4):
            await crowd.change(person, name, chance)
            seen = crowd.seen_by(name)
            chosen = chance.choice(seen)
            alike = [chosen] if by == "id" else [shop for shop in seen if shop.name == chosen.name]
            own = [shop for shop in alike if shop.members[name] == Role.OWNER]
            meant = own[0] if len(own) == 1 else chosen
            is_ambiguous = len(alike) > 1 and meant not in own
            other = chance.choice([shop for shop in crowd.shops if shop is not meant])
            # A paragraph of every project: the vectors of all of them are near enough to be found.
            asked, began = chance.choice(meant.text(0, "").split("\n\n")[2:4]).partition(" So says")[0], meant.now()
            asked = f"{asked} {other.mark}"
            body = {"model": "openai/chat", "messages": [{"role": "user", "content": asked}], "seed": number}
            address = f"{person.url.removesuffix('/graphql')}/v1/chat/completions"
            before = len(crowd.model.chats)
            index = chosen.id if by == "id" else chosen.name
            response = await person.http.post(address, json={**body, "index_name": index})
            if is_ambiguous:
                assert (response.status_code, response.json()["error"]["code"]) == (400, "index_ambiguous")
                assert crowd.model.chats[before:] == []
                continue
            assert response.headers["x-footnote-route"] == "rag", response.text
            [sent] = crowd.model.chats[before:]
            reply = response.json()
            assert sent["seed"] == number
            for text in (response.text, json.dumps(sent)):
                assert SEAL.search(text)
                assert meant.foreign(text, began) == set(), f"ISOLATION_SEED={seed}"
            assert {node["doc_id"] for node in reply["source_nodes"]} <= meant.ever
            unseen = next(shop for shop in crowd.shops if name not in shop.members)
            in_url = address.replace("/v1/", f"/projects/{unseen.id}/v1/")
            for refused in (
                await person.http.post(address, json={**body, "index_name": unseen.id}),
                await person.http.post(in_url, json=body),
                await person.http.get(in_url.replace("chat/completions", "models")),
            ):
                assert (refused.status_code, refused.json()["error"]["code"]) == (404, "index_not_found")
