"""The commands for the database: `footnote check`, `backup`, `restore`, `copy` and `migrate`."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.groups import make_commands
from app.cli.running import run_command

cli = make_commands()


@cli.command("check")
def check_command(
    repair: Annotated[bool, typer.Option("--repair", help="Repair what can be repaired, then check again.")] = False,
) -> None:
    """Check that rows, full text, vectors, originals, answer logs and chat branches agree.

    Nothing is changed without --repair. With it, documents with damaged chunks are ingested again from their
    originals. The exit code is 1 if anything is wrong.
    """
    from app.cli.database import check

    run_command(lambda: check.check(repair=repair))


@cli.command("backup")
def backup_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist yet.")],
) -> None:
    """Copy the database to one file and check the copy. The server can keep running.

    The file contains everything: documents, originals, vectors, answers and accounts. To put it back, use
    `footnote restore`.
    """
    from app.cli.database import database

    run_command(lambda: database.back_up(file))


@cli.command("restore")
def restore_command(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A file that `footnote backup` wrote."),
    ],
) -> None:
    """Replace the database with a backup. Stop the server first; otherwise, it is refused.

    The old database is kept in a file next to it. A backup from an older version is migrated when a server next
    starts; one from a newer version is refused.
    """
    from app.cli.database import database

    run_command(lambda: database.restore(file))


@cli.command("copy")
def copy_command(
    to: Annotated[
        str,
        typer.Option(metavar="URL", help="The new database, in the same form as DATABASE_URL."),
    ],
) -> None:
    """Copy everything to a new database, of the same kind or another. Stop the servers first; otherwise, it is refused.

    This copies everything in the database that DATABASE_URL names: documents, originals, vectors, answers and accounts.
    The new database must be empty. All rows and vectors and ten searches are compared before the copy is committed; if
    anything differs, nothing is copied. The old database is only read.
    """
    from app.cli.database import copy

    run_command(lambda: copy.copy(to))


@cli.command("migrate")
def migrate_command() -> None:
    """Migrate the database to this version. `footnote serve` also does this when it starts.

    If there is something to migrate, stop the servers first. A file is backed up before.
    """
    from app.cli.database import database

    run_command(database.migrate)
