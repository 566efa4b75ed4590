"""Random searches by every user of a crowd while documents change, collecting every leak."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.graphql.access.crowd import PEOPLE, SEAL, TITLES, WORDS, Crowd, Moment, Shop, everybody
from tests.graphql.access.people import Person
from tests.graphql.client import Json

MODES = ("HYBRID", "VECTOR", "LEXICAL")
# As many root fields as an operation may have.
_TOGETHER = 9
# How often somebody searches, in operations, before they change a document.
_SEARCHES_TO_A_CHANGE = 4
_FOUND = "edges { score node { id text document { id } } } notices { code }"


@dataclass(frozen=True)
class Wanted:
    """One search. `every`: all chunks of the project match; `none`: no chunk does."""

    shop: Shop
    values: dict[str, Any]
    first: int
    every: bool
    none: bool


@dataclass
class Seen:
    """Counts, and every leak as a line; `documents` are the ones found per project."""

    counts: Counter[str] = field(default_factory=Counter[str])
    leaks: list[str] = field(default_factory=list[str])
    documents: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])

    @property
    def searches(self) -> int:
        """The number of searches, including refused ones."""
        return self.counts["searches"]


async def searched(crowd: Crowd, seed: int, searches: int) -> Seen:
    """Run this many searches by all users, who change documents in between."""
    seen = Seen()
    async with everybody(crowd.world) as people:
        each = -(-searches // len(PEOPLE))
        await asyncio.gather(
            *(_search_on(crowd, seen, name, person, f"{seed} {name}", each) for name, person in people.items())
        )
    for number, document in seen.documents:
        if document not in crowd.shops[number].ever:
            seen.leaks.append(f"project {number} gave the document {document}")
    return seen


async def _search_on(crowd: Crowd, seen: Seen, name: str, person: Person, seed: str, searches: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    done, operations = 0, 0
    while done < searches:
        operations += 1
        count = min(_TOGETHER, searches - done)
        if operations % _SEARCHES_TO_A_CHANGE == 0:
            await crowd.change(person, name, chance)
            seen.counts["changes"] += 1
            await _be_refused(crowd, seen, name, person, chance)
            done += 1
            continue
        await _search(seen, person, [_wanted(crowd, name, chance) for _ in range(count)])
        done += count


def _wanted(crowd: Crowd, name: str, chance: random.Random) -> Wanted:
    shop = chance.choice(crowd.seen_by(name))
    other = chance.choice([each for each in crowd.shops if each is not shop])
    words = chance.sample(WORDS, chance.randint(1, 6))
    # Slots are many seals at one time or none, for their keeper is at work.
    seals = [*other.seals.values()] or [other.mark]
    kind, query = chance.choice(
        [
            ("words", words),
            ("own mark", [shop.mark]),
            ("own mark", [*words, shop.mark]),
            ("foreign", [other.mark, chance.choice(seals)]),
            ("words", [*words, other.mark]),
            ("words", [chance.choice(TITLES), other.name]),
            ("words", other.text(chance.randrange(len(TITLES)), chance.choice(seals)).split()[:150]),
        ]
    )
    chance.shuffle(query)
    values: dict[str, Any] = {"projectId": shop.id, "query": " ".join(query), "mode": chance.choice(MODES)}
    if chance.random() < 0.3:
        values["threshold"] = round(chance.random() ** 3, 3)
    if chance.random() < 0.15 and shop.keeper == name:
        values["documentIds"] = chance.sample([*shop.documents.values()], chance.randint(1, len(shop.documents)))
    if chance.random() < 0.25:
        shelf = {"metadata": {"shelf": chance.randrange(len(TITLES))}}
        title = {"titleContains": chance.choice(TITLES), "status": ["READY", "PROCESSING"]}
        values |= chance.choice([shelf, {"documentFilter": shelf}, {"documentFilter": title}])
    whole = values.keys() == {"projectId", "query", "mode"}
    every = whole and (values["mode"] == "VECTOR" or kind == "own mark")
    none = values["mode"] == "LEXICAL" and kind == "foreign"
    return Wanted(shop, values, chance.choice((1, 5, 10, 30)), every, none)


async def _search(seen: Seen, person: Person, wanted: Sequence[Wanted]) -> None:
    """Run all of these in one operation."""
    given = ", ".join(f"$i{n}: SearchInput!, $f{n}: Int!" for n in range(len(wanted)))
    fields = " ".join(f"s{n}: search(input: $i{n}, first: $f{n}) {{ {_FOUND} }}" for n in range(len(wanted)))
    variables: Json = {f"i{n}": each.values for n, each in enumerate(wanted)}
    variables |= {f"f{n}": each.first for n, each in enumerate(wanted)}
    began = [each.shop.now() for each in wanted]
    result = (await person.post(f"query({given}) {{ {fields} }}", **variables)).json()
    assert "errors" not in result, result["errors"]
    data = result["data"]
    for number, (each, moment) in enumerate(zip(wanted, began, strict=True)):
        _judge(seen, each, moment, data[f"s{number}"])


def _judge(seen: Seen, wanted: Wanted, began: Moment, found: Json) -> None:
    shop, edges = wanted.shop, found["edges"]
    seen.counts.update({"searches": 1, wanted.values["mode"]: 1, "chunks": len(edges)})
    where = f"project {shop.number}, {wanted.values}, first {wanted.first}"
    # Others change documents meanwhile: that some are still being read is told, and that none is left to search.
    told = {notice["code"] for notice in found["notices"]}
    filtered = wanted.values.keys() & {"documentIds", "documentFilter", "metadata"}
    known = {"DOCUMENTS_PENDING", "NO_MATCHING_DOCUMENTS"} if filtered and not edges else {"DOCUMENTS_PENDING"}
    assert told <= known, (where, found["notices"])
    for edge in edges:
        text = edge["node"]["text"]
        assert SEAL.search(text) and shop.mark, "each chunk has a seal"
        seen.documents.add((shop.number, edge["node"]["document"]["id"]))
        if foreign := shop.foreign(text, began):
            seen.leaks.append(f"{where}: {sorted(foreign)} in {text[:80]!r}")
    # Rows of others that were found and left out at the end would have taken the places of the project's own.
    if wanted.none and edges:
        seen.leaks.append(f"{where}: {len(edges)} chunks for words of others")
    if wanted.every and shop.quiet_since(began):
        seen.counts["exact"] += 1
        expected = min(wanted.first, sum(shop.chunks.values()))
        if len(edges) != expected:
            seen.leaks.append(f"{where}: {len(edges)} chunks, {expected} expected")


async def _be_refused(crowd: Crowd, seen: Seen, name: str, person: Person, chance: random.Random) -> None:
    """Search another user's project, or one's own with another's documents: both must be NOT_FOUND."""
    shop = chance.choice(crowd.seen_by(name))
    other = chance.choice([each for each in crowd.shops if each is not shop])
    values: dict[str, Any] = {"query": f"{shop.mark} {other.mark}", "mode": chance.choice(MODES)}
    if name in other.members or chance.random() < 0.5:
        values |= {"projectId": shop.id, "documentIds": [*sorted(shop.ever)[:1], chance.choice(sorted(other.ever))]}
    else:
        values["projectId"] = other.id
    response = await person.post(f"query($i: SearchInput!) {{ search(input: $i) {{ {_FOUND} }} }}", i=values)
    result = response.json()
    seen.counts.update({"searches": 1, "refused": 1})
    codes = [error["extensions"]["code"] for error in result.get("errors", [])]
    if codes != ["NOT_FOUND"] or result["data"] is not None or SEAL.search(response.text):
        seen.leaks.append(f"{name} with {values} was told {response.text[:200]}")
