"""`footnote copy`: move an installation to another database."""

import asyncio

from app.cli.database.copying import copy_installation
from app.cli.database.database import opened_database, own_database, print_lines
from app.cli.interrupts import CommandInterrupted
from app.cli.progress import progress_bar
from app.cli.running import ExitCode


async def copy(url: str) -> ExitCode:
    """Copy the database in DATABASE_URL to `url`. Ctrl-C may come too late. Raises StartError."""
    done: list[str] = []
    try:
        async with own_database(must_exist=True) as source, opened_database(url, "--to") as target:
            with progress_bar(0, f"copying {source.name}") as bar:
                report = await copy_installation(
                    source, target, lambda what, done, total: bar.show_progress(done, what, total)
                )
            done.append(
                f"{target.name}: {report.rows:,} rows and {report.chunks:,} chunks copied and compared; "
                f"{report.searches} of {report.searches} searches find the same."
            )
    except asyncio.CancelledError:
        if not done:
            raise CommandInterrupted("nothing was copied.") from None
    print_lines(done)
    return ExitCode.OK
