"""What clients were promised, and what they cannot know because no response came; kept outside the server."""

import random
from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]
_MORE_THAN_A_PIECE = 1_100_000


@dataclass
class Version:
    """A document's content; no other contains `word`."""

    word: str
    text: str
    key: str


@dataclass
class Kept:
    """A document by its source. `doubt` is a version or deletion that was requested but never acknowledged."""

    source: str
    id: str | None = None
    versions: list[Version] = field(default_factory=list[Version])
    doubt: Version | None = None
    deleting: bool = False
    deleted: bool = False
    broken: bool = False
    """A file that cannot be read, and larger than one piece."""
    searched: int = 0
    """The version that was last seen READY."""

    @property
    def number(self) -> int:
        """The newest version that was acknowledged."""
        return len(self.versions)


@dataclass
class Side:
    """A project that is created, filled and deleted; without `id` its creation is in doubt."""

    word: str
    id: str | None = None
    deleting: bool = False
    deleted: bool = False


@dataclass
class Asked:
    """A question with its key, or another answer to that `of` a turn; without `answer` its arrival is in doubt.

    A question may be an edited version of that of the turn in `edits`.
    """

    session: str
    key: str
    content: str
    question: str | None = None
    answer: str | None = None
    seen: list[Event] = field(default_factory=list[Event])
    status: str | None = None
    """What a cancellation was told that the answer has become."""
    final: list[Event] | None = None
    """The whole log, once it was seen whole."""
    checked: bool = False
    of: "Asked | None" = None
    edits: "Asked | None" = None

    @property
    def status_at_end(self) -> str | None:
        """What became of the answer, once its log was seen whole."""
        return self.final[-1]["message"]["status"] if self.final else None


@dataclass
class Selected:
    """A message whose branch was selected; unless it is `done`, that is in doubt."""

    session: str
    message: str
    done: bool = False


class Ledger:
    """Everything promised on one database."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311
        self.project = ""
        self.documents: dict[str, Kept] = {}
        self.steps: list[Asked | Selected] = []
        """What was done in chat sessions, in order."""
        self.sides: list[Side] = []
        self.sessions: list[str] = []
        self.again = True
        """Whether there are branches, which an old database knows nothing of."""
        self._count = 0

    def fresh(self, prefix: str) -> str:
        """A word that is in no text yet."""
        self._count += 1
        return f"{prefix}{self._count:04d}x{self.random.randrange(10**8):08d}"

    def version(self, *, broken: bool = False) -> Version:
        """New content, of one chunk or several."""
        word = self.fresh("w")
        if broken:
            return Version(word, f"%PDF-1.7 {word}".ljust(_MORE_THAN_A_PIECE), self.fresh("k"))
        parts = self.random.choice((1, 1, 2, 12))
        body = "\n\n".join(f"## Part {n}\n\n{'The lark sings at dawn over the fields. ' * 25}" for n in range(parts))
        return Version(word, f"# About {word}\n\nThis is {word}.\n\n{body}\n", self.fresh("k"))

    @property
    def asked(self) -> list[Asked]:
        """All questions, and all answers given again."""
        return [step for step in self.steps if isinstance(step, Asked)]

    def turns(self, session: str) -> list[Asked]:
        """The questions of a session that were acknowledged."""
        return [asked for asked in self.asked if asked.session == session and asked.of is None and asked.answer]

    def alive(self) -> list[Kept]:
        """Documents that exist, as far as clients know."""
        return [kept for kept in self.documents.values() if not kept.deleted]
