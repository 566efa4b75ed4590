"""Ask for confirmation and input on the terminal, and read what is piped in."""

import sys

import typer

from app import safe_text
from app.cli import interrupts
from app.cli.running import ExitCode, err, print_error

# Far more than a question may have; the command reports the real limit.
_MAX_PIPED = 1_000_000


def confirm(question: str) -> None:
    """Ask whether to continue. Raises Abort for a no, and Exit if there is no terminal and no piped answer."""
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
            return safe_text.replace_unstorable(input(prompt if sys.stdin.isatty() and sys.stdout.isatty() else ""))
    except EOFError:
        return None


def read_question(argument: str) -> str:
    """A question from the command line: the argument, or all of standard input if that is `-`."""
    if argument != "-":
        return argument
    allow_any_bytes()
    return safe_text.replace_unstorable(sys.stdin.read(_MAX_PIPED)).strip()


def allow_any_bytes() -> None:
    """Read � for bytes of standard input that are not UTF-8: a pipe may carry anything."""
    if (reconfigure := getattr(sys.stdin, "reconfigure", None)) is not None:
        reconfigure(errors="replace")
