"""Kill processes while they compact the logs of old answers.

A log that a client has seen whole is the same ever after, whatever form it has.
"""

import signal
import time
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.database import models, opening
from tests.torture import checks
from tests.torture.chain import Chain, Kill

_PROCESS = "tests.torture.short_logs"
_AGED = timedelta(hours=1)


async def compact(chain: Chain, kills: Sequence[Kill]) -> None:
    """Run each kill in its own process on the same files, then one without a kill, then a server."""
    await chain.rest()
    database = opening.open_database(chain.storage.url)
    await database.run_write(_age)
    await database.close()
    before = await _logs(chain)
    for kill in kills:
        began = time.monotonic()
        process = chain.start(kill, _PROCESS)
        code = await process.dead()
        if code == 0:
            chain.missed(kill.point)
        else:
            assert code == -signal.SIGKILL, process.log()
            chain.hit(kill.point)
        chain.told(kill, began)
        now = await _logs(chain)
        assert sum(now) == sum(before), f"logs were {before}, now they are {now}"
        await checks.at_rest(chain.storage, chain.ledger)
    await chain.start(None, _PROCESS).dead()
    now = await _logs(chain)
    assert now == (0, sum(before)), f"of {sum(before)} logs are left: {now}"
    await chain.rest()


def _age(db: Session) -> None:
    """All answers ended an hour earlier."""
    for message in db.scalars(select(models.Message).where(models.Message.completed_at.is_not(None))):
        assert message.completed_at is not None
        message.completed_at -= _AGED


async def _logs(chain: Chain) -> tuple[int, int]:
    """The numbers of full and of compacted logs."""
    long = select(func.count(models.AnswerEvent.message_id.distinct()))
    short = select(func.count()).select_from(models.CompactLog)
    async with chain.storage.open_remains() as database:
        return await database.run_read(lambda db: (db.scalar(long) or 0, db.scalar(short) or 0))
