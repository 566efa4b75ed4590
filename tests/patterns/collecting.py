"""Find every regular expression of the product: compiled ones wherever they are stored, and those inside calls."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import app
from app.phrase_files import Pattern

ANCHORED = ("match", "fullmatch")
_CALLS = ("compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern and its location; `anchored` if it is matched at one position only, never searched for."""

    place: str
    pattern: "re.Pattern[Any]"
    anchored: bool


def modules() -> list[ModuleType]:
    """Every module of the product."""
    names = [found.name for found in pkgutil.walk_packages(app.__path__, "app.") if not found.name.endswith("__main__")]
    return [importlib.import_module(name) for name in names]


def collect() -> list[Found]:
    """Every distinct pattern by its text, flags and use."""
    found: dict[tuple[str, int, bool], Found] = {}
    for module in modules():
        tree = ast.parse(Path(cast("str", module.__file__)).read_text(encoding="utf-8"))
        looked_for = _looked_for(tree)
        for each in [*_kept(module, looked_for), *_written(module, tree)]:
            text = (
                each.pattern.pattern
                if isinstance(each.pattern.pattern, str)
                else each.pattern.pattern.decode("latin-1")
            )
            found.setdefault((text, each.pattern.flags, each.anchored), each)
    return list(found.values())


def _kept(module: ModuleType, anchored: "set[str]") -> Iterator[Found]:
    for name, value in vars(module).items():
        for pattern in patterns(value, module.__name__, set()):
            yield Found(f"{module.__name__}.{name}", pattern, name in anchored)


def patterns(value: object, module: str, seen: set[int]) -> Iterator["re.Pattern[Any]"]:
    """The compiled patterns in a value, its items, or the attributes of our own objects and classes."""
    if id(value) in seen:
        return
    seen.add(id(value))
    value = value.compiled if isinstance(value, Pattern) else value
    if isinstance(value, re.Pattern):
        yield cast("re.Pattern[Any]", value)
    elif isinstance(value, Mapping):
        for pair in cast("Mapping[object, object]", value).items():
            for item in pair:
                yield from patterns(item, module, seen)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in cast("list[object]", value):
            yield from patterns(item, module, seen)
    elif getattr(value, "__module__", None) == module or type(value).__module__ == module:
        held = list(getattr(value, "__dict__", {}).values())
        held += [getattr(value, slot, None) for slot in getattr(type(value), "__slots__", ())]
        for item in held:
            yield from patterns(item, module, seen)


def _looked_for(tree: ast.Module) -> set[str]:
    """Names of a module that are only used as `NAME.match(…)` or `NAME.fullmatch(…)`."""
    used: dict[str, set[str]] = {}
    called = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used.setdefault(node.id, set()).add(called.get(id(node), ""))
    return {name for name, methods in used.items() if methods <= set(ANCHORED)}


def _written(module: ModuleType, tree: ast.Module) -> Iterator[Found]:
    """Patterns in calls to `re` that are known without running the code."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CALLS):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re"):
            continue
        if node.func.attr == "compile":
            continue
        source = ast.unparse(node.args[0])
        if source.startswith("re.escape("):  # a text as it is
            continue
        try:
            pattern = eval(source, vars(module))  # noqa: S307 - our own source
        except NameError as error:
            raise AssertionError(
                f"{module.__name__}:{node.lineno}: what is {source}? Keep patterns in names."
            ) from error
        yield Found(f"{module.__name__}:{node.lineno}", re.compile(pattern), node.func.attr in ANCHORED)
