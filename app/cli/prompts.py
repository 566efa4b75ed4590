"""Ask for confirmation and input on the terminal."""

import sys

import typer

from app import language
from app.cli import interrupts
from app.cli.running import ExitCode, err, print_error


def confirm(question: str) -> None:
    """Ask whether to continue. Raises Abort for a no, and Exit if there is neither a terminal nor a piped answer."""
    with interrupts.raise_interrupts():
        if sys.stdin.isatty():
            agreed = typer.confirm(question, err=True)
        else:
            answer = sys.stdin.readline()
            if not answer:
                print_error("There is no terminal to confirm this on; pass --yes.")
                raise typer.Exit(ExitCode.USAGE)
            agreed = answer.strip().lower() in ("y", "yes")
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
