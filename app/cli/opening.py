"""Open the services for a command."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from app import services
from app.database import engine
from app.providers.resilience import guarded_models
from app.settings import read_settings


@asynccontextmanager
async def open_footnote(role: services.Role = "ask", *, new: bool = False) -> AsyncGenerator[services.Services]:
    """The services over the database of this folder (or DATABASE_URL); a running server may use it at the same time.

    `new`: there need not be one yet. Raises StartError.
    """
    settings = read_settings()
    if not new:
        engine.must_exist(settings.database_url or engine.DEFAULT_URL)
    ours, places = logging.getLogger("app"), guarded_models.log
    levels = ours.level, places.level
    if role == "ask":  # notices tell what is degraded; only the log names the server that does not answer
        ours.setLevel(logging.ERROR)
        places.setLevel(logging.WARNING)
    try:
        async with services.open_services(settings, role) as footnote:
            yield footnote
    finally:
        ours.setLevel(levels[0])
        places.setLevel(levels[1])
