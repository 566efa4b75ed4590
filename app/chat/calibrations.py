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

# A few prompts are enough to know a tokenizer. Older ones count less, because the model behind a name can change.
_MIN_SAMPLES = 5
_MAX_SAMPLES = 50
# In shorter prompts, the server's chat template outweighs its tokenizer.
_MIN_TOKENS = 200
# A ratio outside this range is not the tokenizer's: the server left out cached tokens, or cut off the prompt.
_MIN_RATIO, _MAX_RATIO = 0.4, 3.0
# Added to the mean, in addition to two standard deviations.
_MARGIN_PERCENT = 3
# Kept in memory: about 5 MB. The others have to be learned again, from a few prompts.
_MAX_CALIBRATIONS = 10_000


@dataclass(slots=True)
class Calibration:
    """Number of prompts seen, and the mean and variance of reported tokens divided by estimated tokens."""

    samples: int = 0
    mean: float = 0.0
    variance: float = 0.0
    dirty: bool = False

    def add(self, ratio: float) -> None:
        """Add the ratio of one prompt."""
        self.samples = min(self.samples + 1, _MAX_SAMPLES)
        deviation = ratio - self.mean
        self.mean += deviation / self.samples
        self.variance += (deviation * (ratio - self.mean) - self.variance) / self.samples
        self.dirty = True

    @property
    def percent(self) -> int:
        """Percentage of the plain estimate that almost no prompt exceeds."""
        return math.ceil(100 * (self.mean + 2 * math.sqrt(max(0.0, self.variance)))) + _MARGIN_PERCENT


class Calibrations:
    """Counters by user, model and script, in memory. `save` writes what has changed; `load` reads it at the start.

    Beyond `max_calibrations`, those that have learned nothing for the longest time are dropped.
    """

    def __init__(self, database: Database, max_calibrations: int = _MAX_CALIBRATIONS) -> None:
        self._database = database
        self._max_calibrations = max_calibrations
        self._calibrations: dict[tuple[str, str, str], Calibration] = {}
        self._plain = tokens.TokenCounter(100)

    def counter_for(self, user_id: str, model: str, script: tokens.Script) -> tokens.TokenCounter:
        """A calibrated counter once enough prompts have been seen; until then, the plain one with its margin."""
        calibration = self._calibrations.get((user_id, model, script))
        if calibration is None or calibration.samples < _MIN_SAMPLES:
            return tokens.TokenCounter()
        return tokens.TokenCounter(calibration.percent, TokenCounting.CALIBRATED)

    def learn(self, user_id: str, model: str, messages: Sequence[PromptMessage], reported: int) -> None:
        """Learn that a provider counted `reported` tokens in `messages`. Implausible counts are ignored."""
        plain = self._plain.count_messages(messages)
        if plain < _MIN_TOKENS or not _MIN_RATIO <= reported / plain <= _MAX_RATIO:
            return
        script = tokens.detect_script(message.content for message in messages)
        key = user_id, model, script
        # Moved to the end.
        calibration = self._calibrations[key] = self._calibrations.pop(key, None) or Calibration()
        calibration.add(reported / plain)
        if len(self._calibrations) > self._max_calibrations:
            del self._calibrations[next(iter(self._calibrations))]

    async def load(self) -> None:
        """Load stored calibrations, those with the most samples first, as many as are kept in memory."""
        stored = models.TokenCalibration
        most = (
            select(stored.user_id, stored.model, stored.script, stored.samples, stored.mean, stored.variance)
            .order_by(stored.samples.desc(), stored.user_id, stored.model, stored.script)
            .limit(self._max_calibrations)
        )
        for row in reversed(await self._database.run_read(lambda db: db.execute(most).all())):
            self._calibrations[row.user_id, row.model, row.script] = Calibration(row.samples, row.mean, row.variance)

    async def save(self) -> None:
        """Write what has changed, if anything. Raises Unavailable."""
        changed = {key: calibration for key, calibration in self._calibrations.items() if calibration.dirty}
        if not changed:
            return
        rows = [
            models.TokenCalibration(
                user_id=user_id,
                model=model,
                script=script,
                samples=calibration.samples,
                mean=calibration.mean,
                variance=calibration.variance,
            )
            for (user_id, model, script), calibration in changed.items()
        ]

        def write(db: Session) -> None:
            users = set(db.scalars(select(models.User.id).where(models.User.id.in_({row.user_id for row in rows}))))
            for row in rows:
                if row.user_id in users:  # and has not been erased meanwhile
                    db.merge(row)

        for calibration in changed.values():  # before the write: anything learned during it is written the next time
            calibration.dirty = False
        try:
            await self._database.run_write(write, Lock.CALIBRATIONS)
        except BaseException:
            for calibration in changed.values():
                calibration.dirty = True
            raise
