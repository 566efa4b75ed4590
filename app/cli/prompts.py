"""Ask for confirmation and input on the terminal."""

import sys

import typer

from app import language
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

    What cannot be stored becomes �, such as bytes that are not UTF-8. Raises KeyboardInterrupt.
    """
    try:
        with interrupts.raise_interrupts():
            if sys.stdin.isatty() and not sys.stdout.isatty():
                err.print(prompt, end="")
            return language.replace_unstorable(input(prompt if sys.stdin.isatty() and sys.stdout.isatty() else ""))
    except EOFError:
        return None
