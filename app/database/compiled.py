"""Statements that are compiled once in a process, not once for every engine."""

from collections.abc import Hashable

from sqlalchemy import Engine, event
from sqlalchemy.engine import Dialect
from sqlalchemy.util import LRUCache

_STATEMENTS = 1_000
_shared: dict[tuple[type[Dialect], Hashable], tuple[Dialect, LRUCache[object, object]]] = {}


def share_statements(engine: Engine, key: Hashable) -> None:
    """Let an engine use what others with the same key have compiled, and they what it compiles.

    A database has several engines that run much the same statements. What is compiled belongs to a dialect, so they get
    the same one. A dialect knows its driver and the version of its server, and so must the key. It learns them when it
    first connects, so that connection of the first engine compiles for itself; all others share.
    """
    kind = type(engine.dialect), key

    def share(*_: object) -> None:
        new = engine.dialect, LRUCache[object, object](_STATEMENTS)
        engine.dialect, compiled = _shared.setdefault(kind, new)
        engine.update_execution_options(compiled_cache=compiled)

    if kind in _shared:
        share()
    else:
        event.listen(engine, "connect", share, once=True)
