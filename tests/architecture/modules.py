"""The modules of the product, and what each imports."""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

APP = Path(__file__).parents[2] / "app"
TESTS = Path(__file__).parents[1]


def modules() -> list[Path]:
    return [path for path in sorted(APP.rglob("*.py")) if "static" not in path.parts]


def top_package(path: Path) -> str:
    parts = path.relative_to(APP).parts
    return parts[0].removesuffix(".py")


def name(path: Path) -> str:
    dotted = ".".join(path.relative_to(APP.parent).with_suffix("").parts)
    return dotted.removesuffix(".__init__")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imported(node: ast.AST) -> Iterator[str]:
    """Dotted names that an import statement may mean; `from app import x` means `app.x`."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        base = node.module or ""
        yield base
        yield from (f"{base}.{alias.name}" for alias in node.names)


def imports(path: Path) -> set[str]:
    return {found for node in ast.walk(tree(path)) for found in imported(node)}


def for_every_module(rule: Callable[[Path], None]) -> Callable[[], None]:
    """One test of all modules; it names each that breaks the rule."""

    def test() -> None:
        broken: list[str] = []
        for path in modules():
            try:
                rule(path)
            except AssertionError as error:
                broken.append(f"{name(path)}: {error}")
        assert not broken, "\n".join(broken)

    return test
