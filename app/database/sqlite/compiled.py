"""Statements that are compiled once in a process, not once for every engine."""

from types import ModuleType

from sqlalchemy import Engine
from sqlalchemy.engine import Dialect
from sqlalchemy.util import LRUCache

_STATEMENTS = 1_000
_shared: dict[tuple[type[Dialect], str], tuple[Dialect, LRUCache[object, object]]] = {}


def share_statements(engine: Engine, module: ModuleType) -> None:
    """Let an engine of the driver `module` use what others of its kind have compiled, and they what it compiles.

    A database has five engines that run much the same statements. What is compiled belongs to a dialect, so they get
    the same one. It knows nothing of a database, only of the driver.
    """
    new = engine.dialect, LRUCache[object, object](_STATEMENTS)
    engine.dialect, compiled = _shared.setdefault((type(engine.dialect), module.__name__), new)
    engine.update_execution_options(compiled_cache=compiled)
