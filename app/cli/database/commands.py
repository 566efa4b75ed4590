"""The commands for the database file: `footnote migrate`, `backup`, `restore` and `check`."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.running import run

cli = typer.Typer()


@cli.command("migrate")
def migrate_command() -> None:
    """Bring the database up to this version. `serve` does it by itself; use this to do it at a time of your choice."""
    from app.cli.database import migrate

    run(migrate.migrate)


@cli.command("backup")
def backup_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file; an existing one is never replaced.")],
) -> None:
    """Copy the database into one file, whole and checked, while a server goes on serving.

    Documents, originals, vectors, answers and accounts are all in it. `restore` puts it back.
    """
    from app.cli.database import backup

    run(lambda: backup.back_up(file))


@cli.command("restore")
def restore_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `backup` made.")],
) -> None:
    """Put a backup in the place of the database. Stop the server first: while anything uses the database it refuses.

    What the database holds now is kept in a file beside it. A backup of an older version is migrated at the next start.
    """
    from app.cli.database import backup

    run(lambda: backup.restore(file))


@cli.command("check")
def check_command(
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended, then check again.")] = False,
) -> None:
    """Prove that rows, full text, vectors, originals and the logs of answers agree. Changes nothing without --repair.

    Documents whose chunks are damaged are made anew from their originals. Exit code 1 when something is wrong.
    """
    from app.cli.database import check

    run(lambda: check.check(repair=repair))
