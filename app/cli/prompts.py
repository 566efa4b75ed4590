"""Ask for confirmation and input on the terminal, and read what is piped in."""

import sys
from collections.abc import Generator
from contextlib import contextmanager

import typer

from app import safe_text
from app.cli import interrupts
from app.cli.running import ExitCode, err, print_error

# Far more than a question may have; the command reports the real limit.
_MAX_PIPED = 1_000_000


def confirm(question: str) -> None:
    """Ask whether to continue. Raises Abort for a no, and Exit if there is no terminal and no piped answer."""
    allow_any_bytes()
    with _ended_by_interrupts():
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


def read_password(prompt: str, *, from_stdin: bool) -> str | None:
    """A password: a line of standard input, or typed twice on a terminal, unseen; None if none is given.

    It is never an argument, because other users could see that. Raises Exit if it is not text.
    """
    if not from_stdin and not sys.stdin.isatty():
        return None
    allow_any_bytes()
    try:
        with _ended_by_interrupts():
            password = sys.stdin.readline().rstrip("\r\n") if from_stdin else _type_password(prompt)
        is_text = safe_text.replace_unstorable(password) == password
    except UnicodeDecodeError:  # typed on a terminal, which getpass decodes by itself
        is_text, password = False, ""
    if not is_text:
        print_error("The password is not UTF-8, or contains U+0000: nobody could sign in with it.")
        raise typer.Exit(ExitCode.USAGE)
    return password if from_stdin else password or None


def _type_password(prompt: str) -> str:
    return typer.prompt(prompt, default="", show_default=False, hide_input=True, confirmation_prompt=True)


@contextmanager
def _ended_by_interrupts() -> Generator[None]:
    """Let Ctrl-C end the command, but not before the terminal shows again what is typed. Raises Exit."""
    try:
        with interrupts.raise_interrupts():
            yield
    except (KeyboardInterrupt, typer.Abort) as error:  # Typer turns both Ctrl-C and Ctrl-D into Abort
        if isinstance(error, typer.Abort) and not isinstance(error.__context__, KeyboardInterrupt):
            raise
        interrupts.report_interrupt("nothing was done.")
        raise typer.Exit(interrupts.find_exit_code()) from None


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
    """Read lone surrogates for bytes of standard input that are not UTF-8: a pipe may carry anything."""
    if (reconfigure := getattr(sys.stdin, "reconfigure", None)) is not None:
        reconfigure(errors="surrogateescape")
