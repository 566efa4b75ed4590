"""The notifier of a database."""

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
    """A notifier for the processes that use the database in this file, or on this server (see ServerNotifier)."""
    if isinstance(location, Path):
        with MachineNotifier.opened(location) as beside_file:
            yield beside_file
    else:
        async with ServerNotifier.opened(*location) as on_server:
            yield on_server
