"""Kill processes while they compact the logs of old answers.

A log that a client has seen whole is the same ever after, whatever form it has.
"""

import signal
import time
from collections.abc import Sequence
from contextlib import closing

from app.database.sqlite import driver
from tests.torture import checks
from tests.torture.chain import Chain, Kill

_PROCESS = "tests.torture.short_logs"
_OLD = "UPDATE messages SET completed_at = strftime('%Y-%m-%d %H:%M:%S.000000', completed_at, '-1 hour')"
_LONG = "SELECT count(DISTINCT message_id) FROM answer_events"
_SHORT = "SELECT count(*) FROM compact_logs"


async def compact(chain: Chain, kills: Sequence[Kill]) -> None:
    """Run each kill in its own process on the same files, then one without a kill, then a server."""
    await chain.rest()
    with closing(driver.choose_driver().module.connect(str(chain.file))) as connection:
        connection.execute(_OLD)
        connection.commit()
    before = _logs(chain)
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
        assert sum(_logs(chain)) == sum(before), f"logs were {before}, now they are {_logs(chain)}"
        await checks.at_rest(chain.file, chain.ledger)
    await chain.start(None, _PROCESS).dead()
    assert _logs(chain) == (0, sum(before)), f"of {sum(before)} logs are left: {_logs(chain)}"
    await chain.rest()


def _logs(chain: Chain) -> tuple[int, int]:
    """The numbers of full and of compacted logs."""
    with closing(driver.choose_driver().module.connect(str(chain.file))) as connection:
        [[long], [short]] = [connection.execute(query).fetchone() for query in (_LONG, _SHORT)]
    return long, short
