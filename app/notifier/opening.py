"""The notifier of a database."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from app.notifier.machine import MachineNotifier
from app.notifier.protocol import ProcessNotifier
from app.notifier.server import Connect, ServerNotifier


@asynccontextmanager
async def open_notifier(
    meeting_point: Path | tuple[Connect, tuple[type[Exception], ...]],
) -> AsyncGenerator[ProcessNotifier]:
    """A notifier for the processes that meet at a database's file, or at its server (see ServerNotifier)."""
    if isinstance(meeting_point, Path):
        with MachineNotifier.opened(meeting_point) as beside_file:
            yield beside_file
    else:
        async with ServerNotifier.opened(*meeting_point) as on_server:
            yield on_server
