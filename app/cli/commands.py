"""The commands with their options and help; each does its work in a module of its own name.

That module is loaded when the command runs, so that `--help` and processes that only read documents start at once.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from app import __version__
from app.cli import people
from app.cli.running import Exit, complain, err, out, run

_EXITS = (
    f"Exit codes: {Exit.OK:d} it worked · {Exit.FAILED:d} something failed · {Exit.USAGE:d} wrong arguments or "
    f"settings · {Exit.NO_ANSWER:d} the documents do not hold an answer. Settings come from the environment or a file "
    ".env; the handbook lists them."
)

cli = typer.Typer(
    help="Chat that answers from your documents and shows its footnotes.",
    epilog=_EXITS,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Project = Annotated[str, typer.Option("--project", "-p", metavar="NAME", help="Name of the project.")]
Model = Annotated[str | None, typer.Option(help="Model that answers, as provider/model [default: CHAT_MODEL].")]
Open = Annotated[
    bool | None,
    typer.Option(
        "--open/--grounded",
        help="Use the documents where they help, or answer from them only [default: the project's, or GROUNDING].",
    ),
]
Mode = Literal["hybrid", "lexical", "vector"]
Question = Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know, in your own words.")]


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


@cli.command("serve")
def serve_command(
    host: Annotated[str | None, typer.Option(help="Address to listen on [default: HOST, or 127.0.0.1].")] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one [default: PORT, or 8000]."),
    ] = None,
) -> None:
    """Serve the GraphQL API and its playground.

    Migrates the database first. Ctrl-C stops it: running answers get five seconds to end, and what they have become is
    kept.
    """
    from app.cli import serve

    run(lambda: serve.serve(host, port))


@cli.command("migrate")
def migrate_command() -> None:
    """Bring the database up to this version. `serve` does it by itself; use this to do it at a time of your choice."""
    from app.cli import migrate

    run(migrate.migrate)


@cli.command("backup")
def backup_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file; an existing one is never replaced.")],
) -> None:
    """Copy the database into one file, whole and checked, while a server goes on serving.

    Documents, originals, vectors, answers and accounts are all in it. `restore` puts it back.
    """
    from app.cli import backup

    run(lambda: backup.back_up(file))


@cli.command("restore")
def restore_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `backup` made.")],
) -> None:
    """Put a backup in the place of the database. Stop the server first: while anything uses the database it refuses.

    What the database holds now is kept in a file beside it. A backup of an older version is migrated at the next start.
    """
    from app.cli import backup

    run(lambda: backup.restore(file))


@cli.command("check")
def check_command(
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended, then check again.")] = False,
) -> None:
    """Prove that rows, full text, vectors, originals and the logs of answers agree. Changes nothing without --repair.

    Documents whose chunks are damaged are made anew from their originals. Exit code 1 when something is wrong.
    """
    from app.cli import check

    run(lambda: check.check(repair=repair))


@cli.command("ingest")
def ingest_command(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH...", exists=True, readable=True, help="Files, or folders with all in them."),
    ],
    project: Annotated[
        str, typer.Option("--project", "-p", metavar="NAME", help="Name of the project; made if there is none.")
    ],
) -> None:
    """Add documents to a project and wait until they can be searched.

    Reads text, Markdown, HTML, source code, tables as CSV, PDF and DOCX. A file that was ingested before is replaced
    when it has changed and left alone when not. In folders, hidden files are left out, and files of other formats are
    skipped and named. Exit code 1 when a file failed; the others are in all the same.
    """
    from app.cli import ingest

    run(lambda: ingest.ingest(paths, project))


@cli.command("ask")
def ask_command(question: Question, project: Project, model: Model = None, open_: Open = None) -> None:
    """Ask a question; the answer streams, then its sources are listed with the words that support it.

    How the model's context window was shared out is drawn on standard error. Exit code 3 when the documents do not hold
    an answer.
    """
    from app.cli import ask

    run(lambda: ask.ask(question, project, model, grounding=_grounding(open_)))


@cli.command("preview")
def preview_command(
    question: Question,
    project: Project,
    model: Model = None,
    open_: Open = None,
    reformulate: Annotated[
        bool, typer.Option("--reformulate", help="Let the model rewrite the question first; else no model is asked.")
    ] = False,
    messages: Annotated[bool, typer.Option("--messages", help="Show what the model would read, too.")] = False,
) -> None:
    """Show what an answer would be made of, without asking: passages, and how the context window is shared out.

    Exit code 3 when nothing relevant is found, so that no model would be asked.
    """
    from app.cli import preview

    run(
        lambda: preview.preview(
            question, project, model, grounding=_grounding(open_), reformulate=reformulate, messages=messages
        )
    )


@cli.command("search")
def search_command(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words or a question.")],
    project: Project,
    top: Annotated[
        int | None,
        typer.Option("--top", "-n", min=1, max=50, help="How many passages to show [default: RAG_TOP_K, or 5]."),
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(
            case_sensitive=False, help="Search words, meaning (vectors), or both [default: SEARCH_MODE, or both]."
        ),
    ] = None,
) -> None:
    """Show the passages that a question would find, best first. No model answers.

    Exit code 3 when nothing passes the threshold.
    """
    from app.cli import search

    run(lambda: search.search(query, project, top, mode))


def _grounding(open_: bool | None) -> Literal["GROUNDED", "OPEN"] | None:
    """None where nobody says: then the project or the server does."""
    return None if open_ is None else "OPEN" if open_ else "GROUNDED"


people.register(cli)


@cli.command("export-schema")
def export_schema_command(
    output: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Where to write [default: standard output].")
    ] = None,
) -> None:
    """Write the GraphQL schema as SDL, for code generators and reviews."""
    from app import graphql

    text = graphql.schema_text()
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        complain(f"{output} cannot be written: {error.strerror}.")
        raise typer.Exit(Exit.FAILED) from error
    err.print(f"{output}: written")
