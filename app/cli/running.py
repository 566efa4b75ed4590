"""What every command shares: settings read, services opened, and errors told in one line with their exit code."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from enum import IntEnum
from typing import Any, NoReturn

import typer
from rich.console import Console
from uvicorn.loops.auto import auto_loop_factory

from app import errors, services
from app.database import engine, models
from app.providers import guarding
from app.settings import read_settings


class Exit(IntEnum):
    """What the exit codes mean; `footnote --help` says it too."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NO_ANSWER = 3


out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def run(work: Callable[[], Coroutine[Any, Any, Exit]]) -> NoReturn:
    """Run a command to its exit code. Errors of ours are one line; Ctrl-C is 130, as shells have it."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:  # uvloop, where there is one
            code = runner.run(work())
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except errors.StartError as error:
        complain(error.message)
        raise typer.Exit(Exit.USAGE) from None
    except errors.FootnoteError as error:
        complain(error.message)
        raise typer.Exit(Exit.FAILED) from None
    raise typer.Exit(code)


def complain(message: str) -> None:
    """Tell what went wrong, on standard error."""
    err.print(f"footnote: {message}", style="red", markup=False)


@asynccontextmanager
async def opened(role: services.Role = "ask", *, new: bool = False) -> AsyncGenerator[services.Services]:
    """The services over the database of this folder (or DATABASE_URL); a running server may use it at the same time.

    `new`: there need not be one yet. Raises StartError.
    """
    settings = read_settings()
    if not new:
        engine.must_exist(settings.database_url or engine.DEFAULT_URL)
    ours, places = logging.getLogger("app"), guarding.log
    levels = ours.level, places.level
    if role == "ask":  # what goes less well is told as a notice, but never where the model is that does not answer
        ours.setLevel(logging.ERROR)
        places.setLevel(logging.WARNING)
    try:
        async with services.open_services(settings, role) as opened_services:
            yield opened_services
    finally:
        ours.setLevel(levels[0])
        places.setLevel(levels[1])


async def project_named(running: services.Services, name: str) -> models.Project:
    """The project of this name. Raises Invalid, naming those there are."""
    project = await running.projects.by_name(name)
    if project is None:
        from_here = await running.projects.names()
        known = (
            f" There are: {', '.join(from_here)}." if from_here else " There is none yet; `footnote ingest` makes one."
        )
        raise errors.Invalid.one(
            "project", "INVALID", f"There is no project “{name}” in {running.database.url.database}.{known}"
        )
    return project
