"""A progress bar on standard error, which disappears at the end."""

from collections.abc import Generator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from app.cli.running import err


class ProgressBar:
    """A bar that is shown."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress = progress
        self._task = task

    def show_progress(self, done: int, description: str, total: int | None = None) -> None:
        """Update the bar. `total`: how many there are now, if that has changed."""
        self._progress.update(self._task, completed=done, description=description, total=total)


@contextmanager
def progress_bar(total: int, description: str) -> Generator[ProgressBar]:
    """Show a bar for `total` items, if standard error is a terminal."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        yield ProgressBar(progress, progress.add_task(description, total=total))
