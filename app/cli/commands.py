"""The command `footnote` with all its subcommands.

Each subcommand imports what it needs when it runs, so that `--help` and parser processes start at once.
"""

from typing import Annotated

import typer

from app import __version__
from app.cli import interrupts
from app.cli.database import commands as database
from app.cli.documents import commands as documents
from app.cli.evaluation import commands as evaluation
from app.cli.groups import make_commands
from app.cli.people import commands as people
from app.cli.questions import commands as questions
from app.cli.running import ExitCode, out
from app.cli.server import commands as server

_EXITS = (
    f"Exit codes: {ExitCode.OK:d} success · {ExitCode.FAILED:d} something failed · "
    f"{ExitCode.USAGE:d} invalid arguments or settings · {ExitCode.NO_ANSWER:d} the documents do "
    f"not contain an answer · {', '.join(f'{code} stopped by {name}' for code, name in interrupts.EXITS.items())}. "
    "Settings are read from the environment and from a `.env` file."
)

cli = make_commands(
    help="Chat that answers from your documents and shows its footnotes.",
    epilog=_EXITS,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        out.print(f"footnote {__version__}")
        raise typer.Exit


@cli.callback()
def footnote(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Chat that answers from your documents and shows its footnotes."""


for group in (
    server.cli,
    documents.cli,
    questions.cli,
    evaluation.cli,
    people.cli,
    database.cli,
    server.lists_cli,
):
    cli.add_typer(group)
