"""`footnote reembed`: switch a project to another embedding model, and wait until it is searched with it."""

import asyncio

from app import errors, services
from app.cli.interrupts import CommandInterrupted
from app.cli.lookup import find_project
from app.cli.opening import open_footnote
from app.cli.patience import outlast_outages, wait_for_progress
from app.cli.printing import format_count
from app.cli.progress import progress_bar
from app.cli.running import ExitCode, out
from app.database import models
from app.statuses import EmbeddingSpaceState


async def reembed(name: str, model: str | None, *, cancel: bool) -> ExitCode:
    """Switch to `model`, or to the server's EMBEDDING_MODEL, and show the progress; or cancel such a switch."""
    async with open_footnote("ask" if cancel else "ingest") as footnote:
        project = await find_project(footnote, name)
        projects = footnote.operator().projects
        if cancel:
            space = await projects.cancel_embedding_switch(project.id)
            [(done, _)] = await projects.count_space_chunks([space.id])
            kept = f"; {format_count(done, 'vector')} kept for a day, in case you switch to it again" if done else ""
            out.print(f"{project.name}: no longer being embedded with {space.model}{kept}")
            return ExitCode.OK
        wanted = model or footnote.settings.embedding_model
        [before] = await projects.spaces_by_project([project.id])
        space = await outlast_outages(lambda: projects.switch_embedding_model(project.id, wanted))
        if space.state == EmbeddingSpaceState.ACTIVE:
            already = "already " if space.id in {each.id for each in before} else ""
            out.print(f"{project.name}: {already}embedded with {space.model}")
            return ExitCode.OK
        [(done, total)] = await projects.count_space_chunks([space.id])
        if done:
            out.print(f"{project.name}: {done:,} of {total:,} chunks are embedded already")
        try:
            chunks = await _wait_for_switch(footnote, space)
        except asyncio.CancelledError:
            raise CommandInterrupted(
                f"{project.name} is still searched with its former model. To continue, run `footnote serve` or this "
                "command again; to stop, add --cancel."
            ) from None
    out.print(f"{project.name}: {format_count(chunks, 'chunk')} embedded with {space.model}")
    return ExitCode.OK


async def _wait_for_switch(footnote: services.Services, space: models.EmbeddingSpace) -> int:
    """Show the progress; returns the number of chunks. Raises Conflict if the space cannot be built."""
    operator = footnote.operator()
    with operator.documents.subscribe_to_space(space) as changes, progress_bar(1, "embedding") as bar:
        while True:
            [found] = await outlast_outages(lambda: operator.projects.spaces_by_ids([space.id]))
            [(done, total)] = await outlast_outages(lambda: operator.projects.count_space_chunks([space.id]))
            if found is None or found.state == EmbeddingSpaceState.RETIRED:
                raise errors.Conflict("The switch to this model was cancelled.")
            if found.state == EmbeddingSpaceState.FAILED:
                raise errors.Conflict(f"{found.problem} The former model is still used; run this again to continue.")
            if found.state == EmbeddingSpaceState.ACTIVE:
                return done
            bar.show_progress(done, found.problem or "embedding", total)
            await wait_for_progress(operator, changes)
