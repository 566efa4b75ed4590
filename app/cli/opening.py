"""Open the services for a command."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from app import services
from app.database import opening
from app.providers.resilience import guarded_models
from app.settings import read_settings


@asynccontextmanager
async def open_footnote(role: services.ProcessRole = "ask", *, new: bool = False) -> AsyncGenerator[services.Services]:
    """Open the services on the database in this folder (or DATABASE_URL). A running server can use it at the same time.

    `new` allows creating the database. Raises StartError.
    """
    settings = read_settings()
    if not new:
        opening.require_database(settings.database_url)
    app_log, guard_log = logging.getLogger("app"), guarded_models.log
    levels = app_log.level, guard_log.level
    if role == "ask":  # notices say what is degraded, but only the log names the server that is not responding
        app_log.setLevel(logging.ERROR)
        guard_log.setLevel(logging.WARNING)
    try:
        async with services.open_services(settings, role) as footnote:
            yield footnote
    finally:
        app_log.setLevel(levels[0])
        guard_log.setLevel(levels[1])
