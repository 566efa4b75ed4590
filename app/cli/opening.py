"""Open the services for a command."""

import logging
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

from app import errors, services
from app.cli.running import print_error
from app.database import opening
from app.settings import read_settings


@asynccontextmanager
async def open_footnote(role: services.ProcessRole = "ask", *, new: bool = False) -> AsyncGenerator[services.Services]:
    """Open the services on the database in this folder (or DATABASE_URL). A running server can use it at the same time.

    `new` allows creating the database. Raises StartError.
    """
    settings = read_settings()
    if not new:
        opening.require_database(settings.database_url)
    app_log = logging.getLogger("app")
    level = app_log.level
    if role == "ask":  # notices and errors say what is degraded
        app_log.setLevel(logging.ERROR)
    try:
        async with services.open_services(settings, role) as footnote:
            with _explained_failures(footnote.operator(), is_logged=role != "ask"):
                yield footnote
    finally:
        app_log.setLevel(level)


@contextmanager
def _explained_failures(operator: services.OperatorAccess, *, is_logged: bool) -> Generator[None]:
    """Say which model servers did not answer, with their addresses, unless that `is_logged`."""
    try:
        yield
    except errors.AnswerError as error:
        if not is_logged:
            error.message = operator.explain_failure(error.message)
        raise
    finally:
        if not is_logged:
            for problem in operator.explain_other_failures():
                print_error(problem)
