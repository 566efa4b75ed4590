"""Ask for confirmation and input on the terminal."""

import sys

import typer

from app.cli import interrupts
from app.cli.running import ExitCode, err, print_error


def confirm(question: str) -> None:
    """Ask whether to continue. Raises Abort for a no, and Exit if there is no terminal to ask on."""
    try:
        with interrupts.raise_interrupts():
            agreed = typer.confirm(question, err=True)
    except typer.Abort:
        if sys.stdin.isatty():  # Ctrl-C or Ctrl-D
            raise
        err.print()
        print_error("There is no terminal to confirm this on; pass --yes.")
        raise typer.Exit(ExitCode.USAGE) from None
    if not agreed:
        raise typer.Abort


def read_line(prompt: str) -> str | None:
    """The next line of standard input; None at the end. The prompt is only shown on terminals.

    Raises KeyboardInterrupt.
    """
    try:
        with interrupts.raise_interrupts():
            if not sys.stdin.isatty():
                return input()
            if sys.stdout.isatty():
                return input(prompt)
            err.print(prompt, end="")
            return input()
    except EOFError:
        return None
