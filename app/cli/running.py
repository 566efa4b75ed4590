"""Run a command to its exit code, and report errors in one line."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from enum import IntEnum
from typing import Any, NoReturn

import typer
from rich.console import Console

from app import errors
from app.cli import interrupts


class Exit(IntEnum):
    """What the exit codes mean; `footnote --help` says it too."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NO_ANSWER = 3


out = Console(highlight=False, soft_wrap=True, emoji=False)
err = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def run(work: Callable[[], Coroutine[Any, Any, Exit]]) -> NoReturn:
    """Run a command to its exit code. Errors of ours are one line, and so is Ctrl-C."""
    from uvicorn.loops.auto import auto_loop_factory

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        # uvloop, where there is one
        with interrupts.raised(), asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
            code = runner.run(work())
    except interrupts.CommandInterrupted as interrupt:
        interrupts.tell(interrupt.kept)
        raise typer.Exit(interrupts.EXIT) from None
    except KeyboardInterrupt:
        interrupts.tell()
        raise typer.Exit(interrupts.EXIT) from None
    except errors.StartError as error:
        complain(error.message)
        raise typer.Exit(Exit.USAGE) from None
    except errors.FootnoteError as error:
        complain(error.message)
        raise typer.Exit(Exit.FAILED) from None
    raise typer.Exit(code)


def complain(message: str) -> None:
    """Say what is wrong, on standard error."""
    err.print(f"footnote: {message}", style="red", markup=False)
