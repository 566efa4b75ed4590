"""Documents that a command has queued: wait for them, and keep count of what becomes of them."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from app import services
from app.cli.printing import counted
from app.cli.running import err
from app.database import models
from app.signals import Watcher

# How long to wait for an embedding model that does not answer.
_PATIENCE_SECONDS = 60.0


@dataclass
class Batch:
    """Documents of one project. `waiting` names each that is not ready yet by its id."""

    footnote: services.Services
    project: models.Project
    waiting: dict[str, str] = field(default_factory=dict[str, str])
    ready: int = 0
    chunks: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    # Why documents wait for their embedding model, and since when nothing has moved.
    reason: str | None = None
    since: float = 0

    @property
    def stuck(self) -> bool:
        """Whether the model has not answered for so long that waiting makes no sense."""
        return self.reason is not None and time.monotonic() - self.since > _PATIENCE_SECONDS

    async def wait_for_change(self, changes: Watcher) -> None:
        """Wait until a document gets on; see which have ended, and what keeps the others waiting."""
        before = len(self.waiting)
        await changes.wait()
        await self.collect()
        reason = self.footnote.operator().held_up(self.project.id)
        if self.reason is None or len(self.waiting) < before:
            self.since = time.monotonic()
        self.reason = reason

    async def collect(self) -> None:
        """Take those that have ended out of `waiting`."""
        for document in await self.footnote.operator().documents.ended(list(self.waiting)):
            name = self.waiting.pop(document.id)
            if document.status == "READY":
                self.ready += 1
                self.chunks += document.chunks_total or 0
            else:
                self.failures.append((name, f"{document.failure_message} ({document.failure_code})"))

    async def wait_for_all(self, changes: Watcher, bar: "Bar", total: int) -> None:
        """Wait until all have ended, or the embedding model does not answer."""
        await self.collect()
        while self.waiting and not self.stuck:
            shown = f"waiting: {self.reason}" if self.reason else counted(self.chunks, "chunk")
            bar.show(total - len(self.waiting), shown)
            await self.wait_for_change(changes)

    @contextmanager
    def watched(self) -> Generator[Watcher]:
        """A watcher of the project's documents."""
        with self.footnote.operator().documents.watch_changes(self.project.id) as changes:
            yield changes


class Bar:
    """A progress bar on standard error, gone when it is done."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress = progress
        self._task = task

    def show(self, done: int, description: str) -> None:
        """Say how far it is."""
        self._progress.update(self._task, completed=done, description=description)


@contextmanager
def progress_bar(total: int) -> Generator[Bar]:
    """A bar for so many documents."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True) as progress:
        yield Bar(progress, progress.add_task("ingesting", total=total))
