"""Open the notifier that fits a database: one for a file, one for a server."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from app.notifier.machine import MachineNotifier
from app.notifier.protocol import ProcessNotifier
from app.notifier.server import Connect, ServerNotifier


@asynccontextmanager
async def open_notifier(
    location: Path | tuple[Connect, tuple[type[Exception], ...]],
) -> AsyncGenerator[ProcessNotifier]:
    """Open a notifier for all processes that use the database in this file or on this server (see ServerNotifier)."""
    if isinstance(location, Path):
        with MachineNotifier.opened(location) as machine_notifier:
            yield machine_notifier
    else:
        async with ServerNotifier.opened(*location) as server_notifier:
            yield server_notifier
