"""`footnote ingest`: paths in; their documents searchable in a project, and a summary of what failed and why, out."""

import asyncio
import mimetypes
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from app import errors, services
from app.cli.opening import opened
from app.cli.running import Exit, err, out
from app.database import models
from app.knowledge import library, uploads
from app.knowledge.parsing import sniff
from app.signals import Watcher

# So many files that were skipped are named.
_NAMED = 20
# Documents that may wait at once; all of them are asked for together.
_IN_FLIGHT = 200
# How long to wait before a full queue is tried again, and for an embedding model that is away.
_RETRY_SECONDS = 1.0
_PATIENCE_SECONDS = 60.0


@dataclass
class _Run:
    """What has become of the files so far."""

    waiting: dict[str, str] = field(default_factory=dict[str, str])
    done: Counter[str] = field(default_factory=Counter[str])
    chunks: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    # Why documents wait for their embedding model, and since when nothing has moved.
    reason: str | None = None
    since: float = 0

    @property
    def stuck(self) -> bool:
        """Whether the model has been away for so long that waiting makes no sense."""
        return self.reason is not None and time.monotonic() - self.since > _PATIENCE_SECONDS


async def ingest(paths: Sequence[Path], name: str) -> Exit:
    """Add every file, show how far it is, and wait for all."""
    files, skipped = _files(paths)
    if not files:
        places = ", ".join(map(str, paths))
        known = ", ".join(sorted(sniff.SUPPORTED_SUFFIXES))
        raise errors.Invalid.one(
            "paths", "INVALID", f"There is no document in {places} that Footnote reads; from folders it takes {known}."
        )
    start = time.perf_counter()
    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=err,
        transient=True,
    )
    async with opened("ingest", new=True) as running:
        project = await running.projects.find_project(name) or await running.projects.create_project(
            name, owner_id=running.owner.id
        )
        state = _Run()
        with progress, running.signal.watch(library.change_topic(project.id)) as changes:
            task = progress.add_task("ingesting", total=len(files))
            for path, source in files:
                await _add(running, project, path, source, state)
                while len(state.waiting) >= _IN_FLIGHT and not state.stuck:
                    await _look(running, project, changes, state)
                progress.update(task, completed=len(files) - len(state.waiting), description=path.name[:40])
            while await _collect(running, state) and not state.stuck:
                told = f"waiting: {state.reason}" if state.reason else _chunks(state.chunks)
                progress.update(task, completed=len(files) - len(state.waiting), description=told)
                await _look(running, project, changes, state)
    _summary(project, state, skipped, time.perf_counter() - start)
    return Exit.FAILED if state.failures or state.waiting else Exit.OK


async def _look(running: services.Services, project: models.Project, changes: Watcher, state: _Run) -> None:
    """Wait until a document goes on, and see what has ended and what keeps the others."""
    ended = len(state.waiting)
    await changes.wait()
    await _collect(running, state)
    reason = running.ingestion.queue.pauses.pause_reason(project.id)
    if state.reason is None or len(state.waiting) < ended:
        state.since = time.monotonic()
    state.reason = reason


async def _add(running: services.Services, project: models.Project, path: Path, source: str, state: _Run) -> None:
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    new = uploads.NewDocument(media_type=media_type, name=path.name, source=source)
    try:
        with path.open("rb") as file:
            while True:
                try:
                    document, unchanged = await running.library.add_document(project.id, new, file)
                    break
                except errors.Unavailable as error:
                    if state.stuck or error.service != "ingestion":
                        raise
                    await asyncio.sleep(_RETRY_SECONDS)
    except errors.Invalid as error:
        state.failures.append((source, error.message))
    except OSError as error:
        state.failures.append((source, f"It cannot be read: {error.strerror}."))
    else:
        if unchanged and document.status == "READY":
            state.done["unchanged"] += 1
        else:
            state.waiting[document.id] = source


async def _collect(running: services.Services, state: _Run) -> bool:
    """Take out of `waiting` what has ended; whether anything is left."""
    for document in await running.library.finished_documents(list(state.waiting)):
        source = state.waiting.pop(document.id)
        if document.status == "READY":
            state.done["new"] += 1
            state.chunks += document.chunks_total or 0
        else:
            state.failures.append((source, f"{document.failure_message} ({document.failure_code})"))
    return bool(state.waiting)


def _files(paths: Sequence[Path]) -> tuple[list[tuple[Path, str]], list[Path]]:
    """Files to ingest, each with the source that names it from run to run: its path from the folder that was given.

    And those that are skipped: what is found in a folder is taken by its name, what is named itself whatever its name.
    """
    taken: list[tuple[Path, str]] = []
    skipped: list[Path] = []
    for path, root in _walk(paths):
        if root is None:
            taken.append((path, f"{path.resolve().parent.name}/{path.name}"))
        elif path.suffix.lower() in sniff.SUPPORTED_SUFFIXES:
            taken.append((path, f"{root.resolve().name}/{path.relative_to(root).as_posix()}"))
        else:
            skipped.append(path)
    return taken, skipped


def _walk(paths: Sequence[Path]) -> Iterator[tuple[Path, Path | None]]:
    """Every visible file, with the folder it was found in."""
    for path in paths:
        if path.is_file():
            yield path, None
            continue
        for found in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in found.relative_to(path).parts)
            if found.is_file() and not hidden:
                yield found, path


def _chunks(count: int) -> str:
    return "1 chunk" if count == 1 else f"{count:,} chunks"


def _summary(project: models.Project, state: _Run, skipped: Sequence[Path], seconds: float) -> None:
    parts = [f"{state.done['new']} ingested ({_chunks(state.chunks)})"]
    parts += [f"{state.done['unchanged']} unchanged"] if state.done["unchanged"] else []
    parts += [f"{len(state.failures)} failed"] if state.failures else []
    parts += [f"{len(state.waiting)} wait"] if state.waiting else []
    parts += [f"{len(skipped)} skipped (not a format Footnote reads)"] if skipped else []
    out.print(f"{project.name}: {', '.join(parts)} in {seconds:.1f} s", markup=False)
    for path in skipped[:_NAMED]:
        out.print(f"  skipped: {path}", markup=False)
    if len(skipped) > _NAMED:
        out.print(f"  skipped: {len(skipped) - _NAMED:,} more", markup=False)
    for source, reason in state.failures:
        out.print(f"  {source}: {reason}", markup=False)
    if state.waiting:
        out.print(f"  Waiting for the embedding model: {state.reason}", markup=False)
        out.print("  `footnote serve` goes on with them when it is back, and so does this command.", markup=False)
