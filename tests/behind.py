"""Read and change a database of either kind behind the back of the server that uses it."""

import asyncio
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from sqlalchemy import make_url

from app.database.sqlite import driver
from tests import postgres
from tests.looking import pause


def execute(url: str, *statements: str) -> None:
    """Run statements. On PostgreSQL foreign keys are not checked, as by default in SQLite."""
    if is_postgresql(url):
        postgres.run_statements("SET session_replication_role = replica", *statements, url=url)
        return
    with closing(_connect(url)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def fetch(url: str, statement: str) -> Sequence[Sequence[Any]]:
    """The rows that a statement returns."""
    if is_postgresql(url):
        return postgres.fetch_rows(url, statement)
    with closing(_connect(url)) as connection:
        return connection.execute(statement).fetchall()


async def wait_for_value(url: str, statement: str) -> Any:
    """The value that a statement returns, as soon as it is neither NULL nor 0."""
    async with asyncio.timeout(60):
        while True:
            if value := fetch(url, statement)[0][0]:
                return value
            await pause()


def is_postgresql(url: str) -> bool:
    """Whether a database is one of PostgreSQL."""
    return make_url(url).get_backend_name() == "postgresql"


def _connect(url: str) -> Any:
    connection = driver.choose_driver().module.connect(str(make_url(url).database))
    driver.load_vector_extension(connection)
    return connection
