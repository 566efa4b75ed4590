"""Ask whoever sits at the terminal."""

import sys

import typer

from app.cli import interrupts
from app.cli.running import Exit, complain, err


def confirm(question: str) -> None:
    """Ask whether to go on. Raises Abort for a no, and Exit where nobody can be asked."""
    try:
        with interrupts.raised():
            agreed = typer.confirm(question, err=True)
    except typer.Abort:
        if sys.stdin.isatty():  # Ctrl-C or Ctrl-D
            raise
        err.print()
        complain("Nobody is there to confirm this; pass --yes.")
        raise typer.Exit(Exit.USAGE) from None
    if not agreed:
        raise typer.Abort


def read_line(prompt: str) -> str | None:
    """The next line of standard input; None at its end. Raises KeyboardInterrupt. The prompt is for terminals only."""
    try:
        with interrupts.raised():
            if not sys.stdin.isatty():
                return input()
            if sys.stdout.isatty():
                return input(prompt)
            err.print(prompt, end="")
            return input()
    except EOFError:
        return None
