"""The commands for documents: `footnote ingest`, `reembed`, `documents` and `projects`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from app.cli.groups import make_commands
from app.cli.options import Json, OptionalProject, Project, Yes
from app.cli.running import run_command
from app.knowledge.parsing.formats import SUPPORTED_FORMATS

cli = make_commands()
projects_cli = make_commands()
cli.add_typer(projects_cli, name="projects")
documents_cli = make_commands(
    help="List documents, delete them, retry the failed ones, and reread the outdated ones.",
    no_args_is_help=True,
)
cli.add_typer(documents_cli, name="documents")

_NAMES_HELP = "The documents, each by id, title, source or file name."
_INGEST_HELP = f"""Add documents to a project and wait until they can be searched.

Reads {SUPPORTED_FORMATS}. If a file was ingested before, its
document is replaced if the file has changed, and otherwise left alone. Files with the same name in different folders
are different documents. In folders, hidden files are ignored; files in other formats, and those that may hold passwords
or private keys, are skipped and listed. Pictures are skipped where Tesseract is not installed. Documents whose files
are gone are listed and kept, or deleted with --sync. If you stop the command with Ctrl-C, what is done is kept; run it
again to continue. The exit code is 1 if any file failed, or one that you named was skipped; the others are still
ingested.
"""


class Status(StrEnum):
    """Statuses of documents, as options."""

    QUEUED = "queued"
    PROCESSING = "processing"
    READY = "ready"
    FAILED = "failed"


@cli.command("ingest", help=_INGEST_HELP)
def ingest_command(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH", exists=True, readable=True, help="Files and folders, with their contents."),
    ],
    project: Annotated[
        str,
        typer.Option(
            "--project",
            "-p",
            metavar="NAME",
            help="The project, by name or id. If no project has this name, it is created.",
        ),
    ],
    sync: Annotated[
        bool,
        typer.Option(
            "--sync",
            help="Delete documents whose files are gone from the folders; asks first if there are more than 10.",
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only list the documents that --sync would delete.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Run `footnote ingest`."""
    from app.cli.documents import ingest
    from app.cli.documents.sync import SyncOptions

    if dry_run and not sync:
        raise typer.BadParameter("--dry-run lists what --sync would delete; give both.")
    options = SyncOptions(yes=yes, dry_run=dry_run) if sync else None
    run_command(lambda: ingest.ingest(paths, project, options))


@cli.command("reembed")
def reembed_command(
    project: Project,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="PROVIDER/MODEL", help="The embedding model [default: EMBEDDING_MODEL]."),
    ] = None,
    cancel: Annotated[bool, typer.Option("--cancel", help="Cancel the switch and keep the current model.")] = False,
) -> None:
    """Switch a project to another embedding model, and wait for it.

    The project can be searched and changed in the meantime; searches use its former model until all chunks are
    embedded. To continue after an interruption or a failure, run the command again.
    """
    from app.cli.documents import reembed

    run_command(lambda: reembed.reembed(project, model, cancel=cancel))


@projects_cli.callback(invoke_without_command=True, subcommand_metavar="[COMMAND]")
def projects_command(context: typer.Context, as_json: Json = False) -> None:
    """List the projects, with their documents, chunks and status; or delete one.

    Without a subcommand, this lists them.
    """
    if context.invoked_subcommand is not None:
        if as_json:
            raise typer.BadParameter(f"--json belongs to the list; `{context.invoked_subcommand}` prints one line.")
        return
    from app.cli.documents import projects

    run_command(lambda: projects.list_projects(as_json=as_json))


@projects_cli.command("delete")
def delete_project_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The project, by name or id.")], yes: Yes = False
) -> None:
    """Delete a project permanently, with its documents, chat sessions and answers."""
    from app.cli.documents import projects

    run_command(lambda: projects.delete_project(name, yes=yes))


@documents_cli.command("list")
def list_command(
    project: OptionalProject = None,
    status: Annotated[
        list[Status] | None,
        typer.Option(
            "--status",
            "-s",
            metavar="STATUS",
            case_sensitive=False,
            help=f"Only documents with this status: {', '.join(Status)}. Can be given more than once.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List documents with their status, and the reason if they failed."""
    from app.cli.documents import documents

    run_command(lambda: documents.list_documents(project, status or [], as_json=as_json))


@documents_cli.command("delete")
def delete_command(
    names: Annotated[list[str], typer.Argument(metavar="DOCUMENT", help=_NAMES_HELP)],
    project: OptionalProject = None,
    yes: Yes = False,
) -> None:
    """Delete documents permanently, with everything made from them.

    If any of them cannot be found, none are deleted.
    """
    from app.cli.documents import documents

    run_command(lambda: documents.delete_documents(names, project, yes=yes))


@documents_cli.command("retry")
def retry_command(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="DOCUMENT", help=f"{_NAMES_HELP} [default: all that failed]")
    ] = None,
    project: OptionalProject = None,
) -> None:
    """Ingest failed documents again, and wait for them."""
    from app.cli.documents import documents

    run_command(lambda: documents.retry_documents(names or [], project))


@documents_cli.command("reread")
def reread_command(project: OptionalProject = None) -> None:
    """Read documents again, from their originals, if an earlier version of Footnote read them.

    Do this after an upgrade that reads documents better: `footnote serve` never does it by itself. Until a document is
    ready, searches find its earlier chunks. To continue after an interruption, run the command again.
    """
    from app.cli.documents import reread

    run_command(lambda: reread.reread_documents(project))
