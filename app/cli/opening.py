"""Open the services for a command, and find the project it names."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from app import errors, services
from app.database import engine, models
from app.providers.resilience import guarded_models
from app.settings import read_settings


@asynccontextmanager
async def opened(role: services.Role = "ask", *, new: bool = False) -> AsyncGenerator[services.Services]:
    """The services over the database of this folder (or DATABASE_URL); a running server may use it at the same time.

    `new`: there need not be one yet. Raises StartError.
    """
    settings = read_settings()
    if not new:
        engine.must_exist(settings.database_url or engine.DEFAULT_URL)
    ours, places = logging.getLogger("app"), guarded_models.log
    levels = ours.level, places.level
    if role == "ask":  # what goes less well is told as a notice, but never where the model is that does not answer
        ours.setLevel(logging.ERROR)
        places.setLevel(logging.WARNING)
    try:
        async with services.open_services(settings, role) as opened_services:
            yield opened_services
    finally:
        ours.setLevel(levels[0])
        places.setLevel(levels[1])


async def project_named(running: services.Services, name: str) -> models.Project:
    """The project of this name. Raises Invalid, naming those there are."""
    project = await running.projects.find_project(name)
    if project is None:
        from_here = await running.projects.project_names()
        known = (
            f" There are: {', '.join(from_here)}." if from_here else " There is none yet; `footnote ingest` makes one."
        )
        raise errors.Invalid.one(
            "project", "INVALID", f"There is no project “{name}” in {running.database.url.database}.{known}"
        )
    return project
