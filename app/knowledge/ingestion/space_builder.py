"""Build embedding spaces in the background, switch to them, and remove the vectors of replaced ones."""

import asyncio
import logging
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from app import errors, global_ids
from app.database import models
from app.knowledge import relevance
from app.knowledge.ingestion.embedding_pauses import EmbeddingPauses
from app.knowledge.ingestion.relevance_meter import RelevanceMeter
from app.knowledge.ingestion.space_builds import SpaceBuilds
from app.knowledge.spaces import EmbeddingSpaces
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.observation.outages import OutageLog
from app.statuses import EmbeddingSpaceState

log = logging.getLogger(__name__)

# The most spaces that one process builds at once, each of another project.
_AT_ONCE = 2
# How often to look for spaces of dead processes.
_CHECK_SECONDS = 20.0
# How long to wait if the database cannot be written, at first and at most: each attempt embeds a batch again. And the
# pause between two steps that remove vectors.
_RETRY_SECONDS, _LONGEST_RETRY_SECONDS = 1.0, 60.0
_STEP_SECONDS = 0.005
# A build fails after this many failures of its model without progress: about two minutes.
_MAX_FAILURES = 8


class SpaceBuilder:
    """Works on embedding spaces for as long as the process runs."""

    def __init__(
        self, builds: SpaceBuilds, spaces: EmbeddingSpaces, relevance_meter: RelevanceMeter, notifier: Notifier
    ) -> None:
        self.builds = builds
        self._spaces = spaces
        self._relevance = relevance_meter
        self._notifier = notifier
        self._pauses = EmbeddingPauses()
        self.outages = OutageLog(log, "embedding spaces are waiting", "embedding spaces are built again")

    async def run(self) -> None:
        """Work until cancelled. Unfinished work continues in another process, or at the next start."""
        async with asyncio.TaskGroup() as group:
            for _ in range(_AT_ONCE):
                group.create_task(self._run_worker())

    async def _run_worker(self) -> None:
        with self._notifier.subscribe(topics.EMBEDDING_SPACES) as changes:
            wait = _RETRY_SECONDS
            while True:
                try:
                    while (space := await self.builds.claim_space()) is not None:
                        await self._work_on(space)
                    wait = _RETRY_SECONDS
                    self.outages.report_success()
                except (errors.Unavailable, SQLAlchemyError) as error:
                    self.outages.report_failure(error)
                    await asyncio.sleep(wait)
                    wait = min(2 * wait, _LONGEST_RETRY_SECONDS)
                    continue
                with suppress(TimeoutError):
                    async with asyncio.timeout(_CHECK_SECONDS):
                        await changes.wait()

    async def _work_on(self, space: models.EmbeddingSpace) -> None:
        try:
            if space.state == EmbeddingSpaceState.RETIRED:
                await self._remove(space)
            else:
                await self._build(space)
        finally:
            # If the database cannot be written, this process or the next one claims the space again.
            with suppress(errors.Unavailable, SQLAlchemyError):
                await asyncio.shield(self.builds.release_space(space.id))
        self._notifier.notify(topics.EMBEDDING_SPACES)
        self._notifier.notify(topics.embedding_space(space.id))

    async def _remove(self, space: models.EmbeddingSpace) -> None:
        is_done = False
        while not is_done:
            await asyncio.sleep(_STEP_SECONDS)  # lets others write
            is_done = await self.builds.remove_batch(space)

    async def _build(self, space: models.EmbeddingSpace) -> None:
        """Build a space and switch to it, unless it is cancelled or its model fails."""
        failures = 0
        while await self.builds.is_building(space):
            before = space.built_to
            try:
                await self._build_until_switch(space)
                return
            except errors.AnswerError as error:
                failures = failures + 1 if space.built_to == before else 1
                if not error.retryable or failures > _MAX_FAILURES:
                    await self._fail(space, f"The embedding model failed: {error.message}")
                    return
                await self._pause(space, error)
            except (errors.Unavailable, SQLAlchemyError):
                raise
            except Exception:  # one project must never stop the others; the log says what happened
                reference = errors.new_reference()
                log.exception(
                    "an embedding space cannot be built, project_id=%s", global_ids.encode("Project", space.project_id)
                )
                await self._fail(space, f"An internal error occurred (log: {reference}).")
                return

    async def _build_until_switch(self, space: models.EmbeddingSpace) -> None:
        model, measured = await self._spaces.find_model(space), space.measured_chunks
        while True:
            batch = await self.builds.read_batch(space)
            if batch.ids:
                vectors = await model.embed_texts(batch.texts, "document")
                # kill point: reembed.embedded
                if not await self.builds.store_batch(space, batch, vectors):
                    return
                self._pauses.resume_project(space.id)
                self._notifier.notify(topics.embedding_space(space.id))
            elif relevance.is_out_of_date(measured, batch.project_chunks):
                # Before the switch, so that the first search has the right weight and threshold.
                await self._relevance.measure_space(space, batch.project_chunks)
                measured = batch.project_chunks
            elif (result := await self.builds.switch(space)) != "CHUNKS_ADDED":
                if result == "SWITCHED":  # kill point: switch.committed
                    self._notifier.notify(topics.INGESTION_QUEUE)  # documents may have waited for the former model
                    log.info(
                        "embedding model switched, project_id=%s model=%s",
                        global_ids.encode("Project", space.project_id),
                        space.model,
                    )
                return

    async def _pause(self, space: models.EmbeddingSpace, error: errors.AnswerError) -> None:
        """Wait before calling the model again, or until the space has changed."""
        retry_after = error.retry_after if isinstance(error, errors.ModelUnavailable) else None
        seconds = self._pauses.pause_project(space.id, error.message, retry_after)
        log.warning("an embedding space waits %.0f s for its model: %s", seconds, error.message)
        await self.builds.note_problem(space, f"The embedding model failed: {error.message}", failed=False)
        self._notifier.notify(topics.embedding_space(space.id))
        with self._notifier.subscribe(topics.embedding_space(space.id)) as changes, suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await changes.wait()

    async def _fail(self, space: models.EmbeddingSpace, problem: str) -> None:
        log.warning(
            "an embedding space could not be built, project_id=%s: %s",
            global_ids.encode("Project", space.project_id),
            problem,
        )
        self._pauses.resume_project(space.id)
        await self.builds.note_problem(space, problem, failed=True)
