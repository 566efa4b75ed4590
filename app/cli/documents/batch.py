"""Wait for the documents that a command has queued, and count the results."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from app import errors, services
from app.cli.patience import outlast_outages, wait_for_progress
from app.cli.printing import format_count
from app.cli.progress import ProgressBar
from app.database import models
from app.notifier.subscription import TopicSubscription
from app.statuses import DocumentStatus

# How long to wait for an embedding model that does not respond.
_PATIENCE_SECONDS = 60.0
# How long measuring a project may take. It takes less than a second, unless the embedding model is slow.
_MEASURING_SECONDS = 30.0


@dataclass
class Batch:
    """Documents of one project. `waiting` maps the ids of unfinished documents to their names."""

    footnote: services.Services
    project: models.Project
    waiting: dict[str, str] = field(default_factory=dict[str, str])
    ready: int = 0
    chunks: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    # Why documents wait for their embedding model, and since when there has been no progress.
    reason: str | None = None
    since: float = 0

    @property
    def is_stuck(self) -> bool:
        """Whether the model has not responded for so long that waiting is pointless."""
        return self.reason is not None and time.monotonic() - self.since > _PATIENCE_SECONDS

    async def wait_for_change(self, changes: TopicSubscription) -> None:
        """Wait for progress, for a second at most, then collect finished documents and note why the others wait.

        Raises Unavailable once the database could not be written to for a minute.
        """
        before = len(self.waiting)
        await wait_for_progress(self.footnote.operator(), changes)
        await outlast_outages(self.collect_finished)
        reason = self.footnote.operator().pause_reason(self.project.id)
        if self.reason is None or len(self.waiting) < before:
            self.since = time.monotonic()
        self.reason = reason

    async def collect_finished(self) -> None:
        """Move finished documents out of `waiting` and count them."""
        for document in await self.footnote.operator().documents.finished_documents(list(self.waiting)):
            name = self.waiting.pop(document.id)
            if document.status == DocumentStatus.READY:
                self.ready += 1
                self.chunks += document.chunks_total or 0
            else:
                self.failures.append((name, f"{document.failure_message} ({document.failure_code})"))

    async def wait_for_all(self, changes: TopicSubscription, bar: ProgressBar, total: int) -> None:
        """Wait until all documents are finished, or the embedding model does not respond."""
        await outlast_outages(self.collect_finished)
        while self.waiting and not self.is_stuck:
            shown = f"waiting: {self.reason}" if self.reason else format_count(self.chunks, "chunk")
            bar.show_progress(total - len(self.waiting), shown)
            await self.wait_for_change(changes)

    async def measure_project(self) -> None:
        """Measure the project's weight and threshold: a server does this later, but no other command does."""
        if not self.waiting:
            with suppress(TimeoutError, errors.Unavailable):
                async with asyncio.timeout(_MEASURING_SECONDS):
                    await self.footnote.operator().measure_project(self.project.id)

    def subscribe(self) -> TopicSubscription:
        """A subscription to the project's documents."""
        return self.footnote.operator().documents.subscribe_to_project(self.project.id)


async def split_by_project(
    footnote: services.Services, documents: Sequence[models.Document]
) -> list[tuple[Batch, list[models.Document]]]:
    """An empty batch for each project that has some of these documents, with these documents."""
    by_project: defaultdict[str, list[models.Document]] = defaultdict(list)
    for document in documents:
        by_project[document.project_id].append(document)
    projects = await footnote.operator().projects.by_ids(list(by_project))
    return [(Batch(footnote, project), by_project[project.id]) for project in projects if project is not None]
