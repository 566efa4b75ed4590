"""Token counters, calibrated by the usage that providers report."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.providers import tokens
from app.providers.base import PromptMessage
from app.statuses import TokenCounting

# A few prompts are enough to know a tokenizer. Older ones count less, because a model can change under its name.
_ENOUGH = 5
_MAX_SAMPLES = 50
# In shorter prompts, the server's chat template outweighs its tokenizer.
_MIN_TOKENS = 200
# A ratio outside this range is not the tokenizer's: the server left out cached tokens, or cut off the prompt.
_MIN_RATIO, _MAX_RATIO = 0.4, 3.0
# Added to the mean, besides two standard deviations.
_MARGIN_PERCENT = 3
# Kept in memory: about 5 MB. Users of the others begin anew, with a few prompts.
_MAX_KNOWN = 10_000


@dataclass(slots=True)
class Calibration:
    """Number of prompts seen, and the mean and variance of reported tokens divided by estimated tokens."""

    samples: int = 0
    mean: float = 0.0
    variance: float = 0.0
    dirty: bool = False

    def add(self, share: float) -> None:
        """Add the ratio of one prompt."""
        self.samples = min(self.samples + 1, _MAX_SAMPLES)
        off = share - self.mean
        self.mean += off / self.samples
        self.variance += (off * (share - self.mean) - self.variance) / self.samples
        self.dirty = True

    @property
    def percent(self) -> int:
        """Percentage of the plain estimate that almost no prompt exceeds."""
        return math.ceil(100 * (self.mean + 2 * math.sqrt(max(0.0, self.variance)))) + _MARGIN_PERCENT


class Calibrations:
    """Counters by user, model and script, in memory. `save` writes what has changed; `load` reads it at the start.

    Of more than `max_known`, those that have learned nothing for the longest time are forgotten.
    """

    def __init__(self, database: Database, max_known: int = _MAX_KNOWN) -> None:
        self._database = database
        self._max_known = max_known
        self._known: dict[tuple[str, str, str], Calibration] = {}
        self._plain = tokens.TokenCounter(100)

    def counter_for(self, user_id: str, model: str, script: tokens.Script) -> tokens.TokenCounter:
        """A calibrated counter once enough prompts are known; until then, the plain one with its margin."""
        known = self._known.get((user_id, model, script))
        if known is None or known.samples < _ENOUGH:
            return tokens.TokenCounter()
        return tokens.TokenCounter(known.percent, TokenCounting.CALIBRATED)

    def learn(self, user_id: str, model: str, messages: Sequence[PromptMessage], reported: int) -> None:
        """Learn that a provider counted `reported` tokens in `messages`. Implausible counts are ignored."""
        plain = self._plain.count_messages(messages)
        if plain < _MIN_TOKENS or not _MIN_RATIO <= reported / plain <= _MAX_RATIO:
            return
        script = tokens.detect_script(message.content for message in messages)
        key = user_id, model, script
        known = self._known[key] = self._known.pop(key, None) or Calibration()  # put at the end
        known.add(reported / plain)
        if len(self._known) > self._max_known:
            del self._known[next(iter(self._known))]

    async def load(self) -> None:
        """Load stored calibrations, those with the most samples first, as many as are kept in memory."""
        stored = models.TokenCalibration
        most = (
            select(stored.user_id, stored.model, stored.script, stored.samples, stored.mean, stored.variance)
            .order_by(stored.samples.desc(), stored.user_id, stored.model, stored.script)
            .limit(self._max_known)
        )
        for row in reversed(await self._database.run_read(lambda db: db.execute(most).all())):
            self._known[row.user_id, row.model, row.script] = Calibration(row.samples, row.mean, row.variance)

    async def save(self) -> None:
        """Write what has changed, if anything. Raises Unavailable."""
        fresh = {key: known for key, known in self._known.items() if known.dirty}
        if not fresh:
            return
        rows = [
            models.TokenCalibration(
                user_id=user_id,
                model=model,
                script=script,
                samples=known.samples,
                mean=known.mean,
                variance=known.variance,
            )
            for (user_id, model, script), known in fresh.items()
        ]

        def write(db: Session) -> None:
            users = set(db.scalars(select(models.User.id).where(models.User.id.in_({row.user_id for row in rows}))))
            for row in rows:
                if row.user_id in users:  # and not erased meanwhile
                    db.merge(row)

        for known in fresh.values():  # before: what is learned during the write has to be written the next time
            known.dirty = False
        try:
            await self._database.run_write(write, Lock.CALIBRATIONS)
        except BaseException:
            for known in fresh.values():
                known.dirty = True
            raise
