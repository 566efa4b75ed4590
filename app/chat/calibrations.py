"""Token counters, calibrated by the usage that providers report."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app.database import models
from app.database.engine import Database
from app.providers import tokens
from app.providers.base import PromptMessage

# A few prompts are enough to know a tokenizer; older ones count less, for models are replaced under their names.
_ENOUGH = 5
_MEMORY = 50
# Shorter prompts say more about the server's template than about its tokenizer.
_LEAST_TOKENS = 200
# A share outside of this is no tokenizer: a server that leaves out what it had in its cache, or cuts.
_LEAST, _MOST = 0.4, 3.0
# On top of the mean: two standard deviations, and this.
_MARGIN_PERCENT = 3


@dataclass(slots=True)
class Known:
    """How many prompts were seen, the mean share of what was reported in the plain estimate, and its variance."""

    samples: int = 0
    mean: float = 0.0
    variance: float = 0.0
    dirty: bool = False

    def add(self, share: float) -> None:
        """One more prompt."""
        self.samples = min(self.samples + 1, _MEMORY)
        off = share - self.mean
        self.mean += off / self.samples
        self.variance += (off * (share - self.mean) - self.variance) / self.samples
        self.dirty = True

    @property
    def percent(self) -> int:
        """Of the plain estimate: what nearly no prompt exceeds."""
        return math.ceil(100 * (self.mean + 2 * math.sqrt(max(0.0, self.variance)))) + _MARGIN_PERCENT


class Calibrations:
    """Counters by model and script. In memory; `save` writes what has changed, `load` reads it at the start."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[tuple[str, str], Known] = {}
        self._plain = tokens.EstimatedCounter(100)

    def counter_for(self, model: str, kind: tokens.Script) -> tokens.EstimatedCounter:
        """A calibrated counter once enough is known, the plain one with its margin before."""
        known = self._known.get((model, kind))
        if known is None or known.samples < _ENOUGH:
            return tokens.EstimatedCounter()
        return tokens.EstimatedCounter(known.percent, "CALIBRATED")

    def learn(self, model: str, messages: Sequence[PromptMessage], reported: int) -> None:
        """A server has read `messages` as so many tokens; what cannot be true teaches nothing."""
        plain = self._plain.count_messages(messages)
        if plain < _LEAST_TOKENS or not _LEAST <= reported / plain <= _MOST:
            return
        kind = tokens.detect_script(message.content for message in messages)
        self._known.setdefault((model, kind), Known()).add(reported / plain)

    async def load(self) -> None:
        """Take up what was known."""
        async with self._database.read() as db:
            for row in await db.scalars(select(models.TokenCalibration)):
                self._known[row.model, row.script] = Known(row.samples, row.mean, row.variance)

    async def save(self) -> None:
        """Write what is new; nothing to do when nothing is. Raises Unavailable."""
        fresh = {key: known for key, known in self._known.items() if known.dirty}
        if not fresh:
            return
        async with self._database.begin() as db:
            for (model, kind), known in fresh.items():
                await db.merge(
                    models.TokenCalibration(
                        model=model, script=kind, samples=known.samples, mean=known.mean, variance=known.variance
                    )
                )
        for known in fresh.values():
            known.dirty = False
