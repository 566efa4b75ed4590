"""Files, functions and folders are short, and each file says what it is for."""

import ast
from collections import Counter
from pathlib import Path

from tests.architecture.modules import TESTS, for_every_module, modules, tree


@for_every_module
def test_every_file_says_what_it_is_for_and_is_short(path: Path) -> None:
    docstring = ast.get_docstring(tree(path))
    assert docstring, "a file begins with what it is for"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300, "one concept, one file, about 300 lines"


@for_every_module
def test_functions_are_short(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            assert lines <= 40, f"{node.name} has {lines} lines; one can read about 40 at a time"


def test_a_folder_is_one_concept() -> None:
    measuring = [path for folder in ("bench", "evaluation") for path in (TESTS / folder).rglob("*.py")]
    files = Counter(path.parent for path in [*modules(), *measuring, *TESTS.rglob("test_*.py")])
    assert not {folder: count for folder, count in files.items() if count > 15}
