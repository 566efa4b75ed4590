"""The commands for documents: `footnote ingest`."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.running import run

cli = typer.Typer()


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
    from app.cli.documents import ingest

    run(lambda: ingest.ingest(paths, project))
