"""Fifty projects of five users, alike in nearly every word, and a check for whose words a text contains.

All projects hold the same documents under the same titles. Two words tell them apart: `mark` stands in every paragraph
of a project and may be asked for; a seal stands there too, is of one edition of one document, and no question about
answers holds it: a seal of another project, or of an edition that is gone, is a leak wherever it is read.
"""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from app.accounts.members import Role
from app.settings import Settings
from tests.graphql.access.people import REMEMBER, Person, World, plain
from tests.graphql.client import ADD_TEXT, Client, Json, subscribe
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running
from tests.serving import serve

PROJECTS, TITLES = 50, ("Returns", "Storage")
PEOPLE = ("ann", "ben", "cleo", "dan", "eve")
SEAL = re.compile(r"qz(\d+)x\d+z")
_VOCABULARY = (
    "goods parcel customer warehouse invoice courier refund shelf label receipt deposit harbour crate pallet ledger "
    "stamp weight signature counter repair season window glass copper linen timber barrel rope lantern wagon"
)
WORDS = _VOCABULARY.split()
_SENTENCES = (
    "The {a} is returned with its {b} within {n} days.",
    "Every {a} that leaves the {b} is counted {n} times.",
    "Nobody opens a {a} before the {b} has been paid.",
    "A {a} of more than {n} kilograms needs a second {b}.",
)
_READY = """subscription($id: ID!) { ingestionEvents(documentId: $id) { __typename
  ... on IngestionCompleted { document { chunks { totalCount } } } ... on IngestionFailed { failure { message } } } }"""
_DELETE = """mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) {
  ... on DeleteDocumentPayload { deletedDocumentId } ... on Error { message } } }"""


@dataclass(frozen=True)
class Moment:
    """What a project contained at the start of an operation."""

    held: frozenset[str]
    changes: int


@dataclass
class Shop:
    """A project. Only `keeper` changes its documents, so its content is known at every moment."""

    number: int
    id: str
    members: dict[str, Role]
    keeper: str
    documents: dict[int, str] = field(default_factory=dict[int, str])
    seals: dict[int, str] = field(default_factory=dict[int, str])
    chunks: dict[int, int] = field(default_factory=dict[int, int])
    ever: set[str] = field(default_factory=set[str])
    changing: bool = False
    _held: set[str] = field(default_factory=set[str])
    _added: list[str] = field(default_factory=list[str])
    _ends: int = 0

    @property
    def name(self) -> str:
        """Each user has a project of each name."""
        return f"Handbook {self.number // len(PEOPLE)}"

    @property
    def mark(self) -> str:
        """The word unique to this project that questions may use."""
        syllables = ("bo", "da", "fi", "gu", "ke", "lo", "ma", "nu")
        return "".join(syllables[self.number // 8**place % 8] for place in (1, 0)) + "brak"

    def new_seal(self) -> str:
        """Create a seal that may appear from now on."""
        self._added.append(f"qz{self.number}x{len(self._added)}z")
        self._held.add(self._added[-1])
        return self._added[-1]

    def end(self, seal: str | None) -> None:
        """No operation that starts from now on may see this seal."""
        self._held.discard(seal or "")
        self._ends += 1

    def now(self) -> Moment:
        """A snapshot to compare with later reads."""
        return Moment(frozenset(self._held), len(self._added))

    def foreign(self, text: str, began: Moment) -> set[str]:
        """Seals in a text requested at `began` that did not belong to this project then or later."""
        return {found[0] for found in SEAL.finditer(text)} - began.held - set(self._added[began.changes :])

    def quiet_since(self, began: Moment) -> bool:
        """Whether nothing has changed since, and nothing is changing."""
        return not self.changing and self.now() == began

    def text(self, slot: int, seal: str) -> str:
        """The document shared by every project, except for two words."""
        chance = random.Random(slot)  # noqa: S311
        paragraphs = [f"# {TITLES[slot]}"]
        for section in range(3):
            paragraphs.append(f"## Part {section}")
            for _ in range(3):
                written = [
                    sentence.format(a=chance.choice(WORDS), b=chance.choice(WORDS), n=chance.randint(2, 90))
                    for sentence in _SENTENCES
                ]
                paragraphs.append(" ".join([*written, f"So says {self.mark} in {seal}."]))
        return "\n\n".join(paragraphs) + "\n"


@dataclass
class Crowd:
    """The server with its projects, and the stand-in model behind its OpenAI API."""

    world: World
    model: OpenAIServer
    shops: list[Shop] = field(default_factory=list[Shop])

    def seen_by(self, name: str) -> list[Shop]:
        """The projects a person can see, oldest first."""
        return [shop for shop in self.shops if name in shop.members]

    async def put(self, person: Client, shop: Shop, slot: int) -> None:
        """Add a document, or a new edition of an existing one."""
        seal = shop.new_seal()
        shop.changing = True
        values = {"projectId": shop.id, "title": TITLES[slot], "source": f"{slot}.md", "metadata": {"shelf": slot}}
        added = await person.mutate(ADD_TEXT, text=shop.text(slot, seal), **values)
        shop.documents[slot] = added["document"]["id"]
        shop.ever.add(shop.documents[slot])
        async with person.socket() as socket:
            events = [event async for event in subscribe(socket, _READY, id=shop.documents[slot])]
        assert events[-1]["__typename"] == "IngestionCompleted", events
        shop.end(shop.seals.get(slot))
        shop.seals[slot], shop.chunks[slot] = seal, events[-1]["document"]["chunks"]["totalCount"]
        shop.changing = False

    async def take(self, person: Client, shop: Shop, slot: int) -> None:
        """Delete a document."""
        shop.changing = True
        id = shop.documents.pop(slot)
        assert await person.mutate(_DELETE, id=id) == {"deletedDocumentId": id}
        del shop.chunks[slot]
        shop.end(shop.seals.pop(slot))
        shop.changing = False

    async def change(self, person: Client, name: str, chance: random.Random) -> None:
        """Add, replace or delete one of a person's documents; each project keeps at least one."""
        shop = chance.choice([shop for shop in self.shops if shop.keeper == name])
        slot = chance.randrange(len(TITLES))
        if slot in shop.documents and len(shop.documents) > 1 and chance.random() < 0.5:
            await self.take(person, shop, slot)
        else:
            await self.put(person, shop, slot)


def obedient(body: Body) -> list[str]:
    """The answer of a model that repeats and cites what it reads."""
    system: str = body["messages"][0]["content"]
    read = re.findall(r"\n\n(.*?)\n<<<\w{10} end of passage", system, re.DOTALL)
    return [f"{text} [{number}]\n\n" for number, text in enumerate(read[:3], 1)] or ["Nothing was read."]


def _members(number: int) -> dict[str, Role]:
    """One owner, sometimes an editor and a viewer: nobody sees every project, and everybody sees several."""
    owner, row = number % len(PEOPLE), number // len(PEOPLE)
    found = {PEOPLE[owner]: Role.OWNER}
    if row % 2 == 0:
        found[PEOPLE[(owner + 1) % len(PEOPLE)]] = Role.EDITOR
    if row % 3 == 0:
        found[PEOPLE[(owner + 2) % len(PEOPLE)]] = Role.VIEWER
    return found


@asynccontextmanager
async def everybody(world: World) -> AsyncGenerator[dict[str, Person]]:
    """The users of the crowd at the front door."""
    async with AsyncExitStack() as stack:
        yield {name: await stack.enter_async_context(world.person(name)) for name in PEOPLE}


async def _fill(crowd: Crowd) -> None:
    world = crowd.world
    async with world.accounts() as (accounts, _):
        for name in PEOPLE:
            await world.newcomer(accounts, name)
        async with everybody(world) as people:
            for number in range(PROJECTS):
                members = _members(number)
                owner = PEOPLE[number % len(PEOPLE)]
                keeper = next((name for name, role in members.items() if role == Role.EDITOR), owner)
                shop = Shop(number, "", members, keeper)
                shop.id = await people[owner].project(shop.name)
                crowd.shops.append(shop)
            # Only now, for nobody makes a project with a name that they see.
            for shop in crowd.shops:
                owner = world.users[PEOPLE[shop.number % len(PEOPLE)]]
                for name, role in shop.members.items():
                    if role != Role.OWNER:
                        await accounts.members.set_member(plain(shop.id), world.users[name], role, owner)
            await asyncio.gather(*(_stock(crowd, name, person) for name, person in people.items()))


async def _stock(crowd: Crowd, name: str, person: Person) -> None:
    """Add all of a person's documents, and a memory in each project."""
    for shop in crowd.shops:
        if shop.keeper == name:
            for slot in range(len(TITLES)):
                await crowd.put(person, shop, slot)
            likes = f"Likes every {WORDS[0]} of {shop.mark}, {shop.new_seal()}"
            told: Json = await person.mutate(REMEMBER, projectId=shop.id, content=likes, importance=0.9)
            assert told["memory"]["id"]


@contextmanager
def crowded(folder: Path) -> Generator[Crowd]:
    """The crowd on its own server, which requires sign-in."""
    database = folder / "footnote.db"
    values = {"database_url": f"sqlite:///{database}", "require_sign_in": True, "log_level": "WARNING"}
    unlimited = {"max_requests_per_minute": None, "max_uploads_per_hour": None}
    model = OpenAIServer(obedient)
    with running(model):
        settings = Settings.model_validate({**values, **unlimited, "openai_base_url": model.url})
        with serve(settings) as url:
            crowd = Crowd(World(url, database), model)
            asyncio.run(_fill(crowd))
            yield crowd
