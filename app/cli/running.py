"""Run a command, report errors in one line, and exit with a code."""

import asyncio
import gc
import logging
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from app import errors
from app.cli import interrupts
from app.cli.file_limit import require_free_files


class ExitCode(IntEnum):
    """The exit codes of all commands, as explained in `footnote --help`."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NO_ANSWER = 3


CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""All control characters but tabs and line ends: in the texts of others they could steer a terminal, or, those of
writing from right to left, show a name in another order than it has."""


class PlainTextConsole(Console):
    """Prints text as it is, except control characters: titles, names and texts are written by others."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments to print, each without control characters."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(segment.text.translate(CONTROLS), segment.style)

    def status(self, status: RenderableType, **options: Any) -> Any:
        """A spinner with a text, which Rich would read as markup."""
        return super().status(Text(status) if isinstance(status, str) else status, **options)


def _open_console(*, stderr: bool = False) -> Console:
    return PlainTextConsole(stderr=stderr, markup=False, highlight=False, soft_wrap=True, emoji=False)


out = _open_console()
err = _open_console(stderr=True)


def run_command(work: Callable[[], Coroutine[Any, Any, ExitCode]], *, is_server: bool = False) -> NoReturn:
    """Run a command and exit with its code. Our own errors and Ctrl-C are reported in one line.

    A server logs which names in `.env` are not settings; for other commands, they are printed here.
    """
    from uvicorn.loops.auto import auto_loop_factory

    interruption = interrupts.Interruption()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        _check_folder()
        require_free_files()
        if not is_server:
            _report_unknown_names()
        # uvloop, if it is installed
        with interruption.handled(), asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
            code = runner.run(_load_and_work(work, interruption))
    except (KeyboardInterrupt, asyncio.CancelledError) as error:
        if isinstance(error, asyncio.CancelledError) and not interruption.has_come:
            raise
        interrupts.report_interrupt(interruption.kept)
        raise typer.Exit(interrupts.find_exit_code()) from None
    except (errors.Invalid, errors.StartError) as error:
        print_error(error.message)
        raise typer.Exit(ExitCode.USAGE) from None
    except errors.FootnoteError as error:
        print_error(error.message)
        raise typer.Exit(ExitCode.FAILED) from None
    raise typer.Exit(code)


def _check_folder() -> None:
    """Raises StartError if the current folder was deleted: relative paths do not work then."""
    try:
        Path.cwd()
    except FileNotFoundError:
        raise errors.StartError("The current folder was deleted; change to another one.") from None


def _report_unknown_names() -> None:
    """Print which names in `.env` are not settings. If it cannot be read, whatever reads the settings reports that."""
    from app.settings import explain_unknown_names

    with suppress(OSError, UnicodeDecodeError):
        for problem in explain_unknown_names():
            err.print(f"footnote: {problem}", style="yellow")


async def _load_and_work(
    work: Callable[[], Coroutine[Any, Any, ExitCode]], interruption: interrupts.Interruption
) -> ExitCode:
    interruption.cancel_this_task()
    # Commands import what they need before they wait for the first time.
    asyncio.get_running_loop().call_soon(_collect_garbage_again)
    try:
        return await work()
    except interrupts.CommandInterrupted as interrupt:
        interruption.kept = interrupt.kept
        raise asyncio.CancelledError from None  # which the loop does not report


def _collect_garbage_again() -> None:
    gc.freeze()  # modules live to the end
    gc.enable()


def print_error(message: str) -> None:
    """Print an error message on standard error."""
    err.print(f"footnote: {message}", style="red")
