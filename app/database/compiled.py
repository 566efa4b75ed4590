"""Compile each statement once per process, not once per engine."""

from collections.abc import Hashable

from sqlalchemy import Engine, event
from sqlalchemy.engine import Dialect
from sqlalchemy.util import LRUCache

_STATEMENTS = 1_000
_shared: dict[tuple[type[Dialect], Hashable], tuple[Dialect, LRUCache[object, object]]] = {}


def share_statements(engine: Engine, key: Hashable) -> None:
    """Let engines with the same key share their compiled statements.

    A database has several engines that run much the same statements. A compiled statement belongs to a dialect, so the
    engines share their dialect, too. A dialect depends on its driver and the version of its server, so the key must
    name both. The dialect learns them when it first connects, so the first connection of the first engine compiles for
    itself; all later ones share.
    """
    cache_key = type(engine.dialect), key

    def share(*_: object) -> None:
        own = engine.dialect, LRUCache[object, object](_STATEMENTS)
        engine.dialect, compiled = _shared.setdefault(cache_key, own)
        engine.update_execution_options(compiled_cache=compiled)

    if cache_key in _shared:
        share()
    else:
        event.listen(engine, "connect", share, once=True)
