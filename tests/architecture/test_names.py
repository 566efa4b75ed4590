"""Names say what a thing is, docstrings are plain English, and no module has a singleton."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.modules import APP, TESTS, for_every_module, modules, tree

# What goes in and what comes out, instead of what a thing is for.
FORMULA = re.compile(r"\bin[;,:].*\bout\b(?! of\b)|[;,] out[.;,:]", re.DOTALL)


def test_docstrings_are_plain_english() -> None:
    """No docstring begins with the formula, neither in the product nor in its tests."""
    broken: list[str] = []
    for path in [*modules(), *sorted(TESTS.rglob("*.py"))]:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                beginning = (ast.get_docstring(node) or "").split("\n\n")[0]
                if FORMULA.search(beginning):
                    broken.append(f"{path.relative_to(APP.parent)}: {beginning}")
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize(
    "docstring",
    [
        "Answers in; quotes out.",
        "Answers in, quotes out.",
        "Answers in, in any pieces; final text and\nnotices out.",
        "Projects of growing size in; how long a search takes, out.",
        "Answers with their passages; how well support tells them apart, out.",
    ],
)
def test_the_formula_is_found(docstring: str) -> None:
    assert FORMULA.search(docstring)


def test_no_two_classes_share_a_name() -> None:
    names = Counter(node.name for path in modules() for node in ast.walk(tree(path)) if isinstance(node, ast.ClassDef))
    assert not [name for name, count in names.items() if count > 1]


@cache
def stateful_classes() -> frozenset[str]:
    """Classes of ours whose objects change: not frozen, not an enum, not an exception, not a protocol."""
    found: set[str] = set()
    for path in modules():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                text = ast.unparse(node).split("\n    ")[0]
                if not re.search(r"frozen=True|Enum|Error|Exception|Protocol|TypedDict", text):
                    found.add(node.name)
    return frozenset(found)


@for_every_module
def test_no_module_level_singletons(path: Path) -> None:
    stateful = stateful_classes()
    for node in tree(path).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            made = ast.unparse(node.value.func).split(".")[-1]
            assert made not in stateful, f"line {node.lineno} makes a {made} for the whole process"


def test_no_module_has_a_catch_all_name() -> None:
    banned = {"utils", "helpers", "common", "manager", "misc"}
    assert not [path for path in modules() if banned & {part.removesuffix(".py") for part in path.parts}]
