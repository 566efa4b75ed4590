"""`footnote ingest`: add files to a project, and wait until they can be searched."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from app import errors
from app.cli.documents.batch import Batch
from app.cli.documents.files import find_files, to_unicode
from app.cli.interrupts import CommandInterrupted
from app.cli.opening import open_footnote
from app.cli.printing import format_count
from app.cli.progress import ProgressBar, progress_bar
from app.cli.running import ExitCode, out
from app.knowledge import uploads
from app.knowledge.parsing import formats
from app.notifier.subscription import TopicSubscription
from app.statuses import DocumentStatus

# Maximum number of skipped files that are listed.
_NAMED = 20
# Maximum number of documents waiting at once, which are looked up together.
_IN_FLIGHT = 200
# Files that are added at once share a transaction, which must not take long.
_ADDED_AT_ONCE = 16
_BYTES_AT_ONCE = 4_000_000
# How long to wait before trying a full queue again.
_RETRY_SECONDS = 1.0


@dataclass
class _IngestBatch(Batch):
    """The files of one command."""

    unchanged: int = 0

    async def add_all(self, files: Sequence[tuple[Path, str]], changes: TopicSubscription, bar: ProgressBar) -> None:
        """Add every file, with a limited number waiting at once."""
        done = 0
        for some in _split_batches(files):
            await self._add_files(some)
            while len(self.waiting) >= _IN_FLIGHT and not self.is_stuck:
                await self.wait_for_change(changes)
            done += len(some)
            bar.show_progress(done - len(self.waiting), to_unicode(some[-1][0].name)[:40])

    async def _add_files(self, files: Sequence[tuple[Path, str]]) -> None:
        """Add files in order, all at once; each has its own result."""
        with ExitStack() as stack:
            left: list[tuple[str, uploads.NewDocument, BinaryIO]] = []
            for path, source in files:
                media_type = formats.guess_media_type(path.name)
                new = uploads.NewDocument(media_type=media_type, name=to_unicode(path.name), source=source)
                try:
                    left.append((source, new, stack.enter_context(path.open("rb"))))
                except OSError as error:
                    self.failures.append((source, _unreadable(error)))
            while left:
                try:
                    left = await self._add_opened(left)
                except OSError as error:  # it could be opened, and not be read
                    if len(left) == 1:
                        self.failures.append((left[0][0], _unreadable(error)))
                        return
                    for one in left:
                        await self._add_files([each for each in files if each[1] == one[0]])
                    return

    async def _add_opened(
        self, files: Sequence[tuple[str, uploads.NewDocument, BinaryIO]]
    ) -> list[tuple[str, uploads.NewDocument, BinaryIO]]:
        """Add open files; returns those for which the queue has no room yet, after a while."""
        documents = self.footnote.operator().documents
        outcomes = await documents.add_documents(self.project.id, [(new, file) for _, new, file in files])
        left: list[tuple[str, uploads.NewDocument, BinaryIO]] = []
        for (source, new, file), outcome in zip(files, outcomes, strict=True):
            if isinstance(outcome, errors.Unavailable) and outcome.service == "ingestion" and not self.is_stuck:
                file.seek(0)
                left.append((source, new, file))
            elif isinstance(outcome, errors.Invalid):
                self.failures.append((source, outcome.message))
            elif isinstance(outcome, errors.FootnoteError):
                raise outcome
            elif outcome[1] and outcome[0].status == DocumentStatus.READY:
                self.unchanged += 1
            else:
                self.waiting[outcome[0].id] = source
        if left:
            await asyncio.sleep(_RETRY_SECONDS)
        return left

    def describe_interruption(self, total: int) -> str:
        """A sentence about what is done when the command is interrupted."""
        added = self.ready + self.unchanged
        left = total - added - len(self.failures) - len(self.waiting)
        parts = [f"{added:,} of {format_count(total, 'document')} can be searched in {self.project.name}"]
        parts += [f"{len(self.waiting):,} queued"] if self.waiting else []
        parts += [f"{len(self.failures):,} failed"] if self.failures else []
        parts += [f"{left:,} not added yet"] if left else []
        return ", ".join(parts) + ". Run the same command again to continue."

    def print_summary(self, skipped: Sequence[Path], seconds: float) -> None:
        """Print what happened to all files."""
        parts = [f"{self.ready} ingested ({format_count(self.chunks, 'chunk')})"]
        parts += [f"{self.unchanged} unchanged"] if self.unchanged else []
        parts += [f"{len(self.failures)} failed"] if self.failures else []
        parts += [f"{len(self.waiting)} waiting"] if self.waiting else []
        parts += [f"{len(skipped)} skipped (not a format Footnote reads)"] if skipped else []
        out.print(f"{self.project.name}: {', '.join(parts)} in {seconds:.1f} s", markup=False)
        for path in skipped[:_NAMED]:
            out.print(f"  skipped: {to_unicode(str(path))}", markup=False)
        if len(skipped) > _NAMED:
            out.print(f"  skipped: {len(skipped) - _NAMED:,} more", markup=False)
        for source, reason in self.failures:
            out.print(f"  {source}: {reason}", markup=False)
        if self.waiting:
            out.print(f"  Waiting for the embedding model: {self.reason}", markup=False)
            out.print("  `footnote serve` or this command will continue with them when it is back.", markup=False)


def _split_batches(files: Sequence[tuple[Path, str]]) -> Iterator[list[tuple[Path, str]]]:
    """The files that are added at once."""
    batch: list[tuple[Path, str]] = []
    size = 0
    for file in files:
        length = _size_of(file[0])
        if batch and (len(batch) == _ADDED_AT_ONCE or size + length > _BYTES_AT_ONCE):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += length
    if batch:
        yield batch


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # told when it is opened
        return 0


def _unreadable(error: OSError) -> str:
    return f"The file cannot be read: {error.strerror}."


async def ingest(paths: Sequence[Path], name: str) -> ExitCode:
    """Add every file, show the progress, and wait for all of them."""
    files, skipped = find_files(paths)
    if not files:
        places = ", ".join(to_unicode(str(path)) for path in paths)
        known = ", ".join(sorted(formats.find_readable_suffixes()))
        raise errors.Invalid.at(
            "paths",
            "INVALID",
            f"Footnote found no document in {places} that it can read; in folders, it reads {known}.",
        )
    start = time.perf_counter()
    async with open_footnote("ingest", new=True) as footnote:
        projects = footnote.operator().projects
        project = await projects.by_name(name) or await projects.create_project(name, None, local_providers_only=False)
        batch = _IngestBatch(footnote, project)
        try:
            with progress_bar(len(files), "ingesting") as bar, batch.subscribe() as changes:
                await batch.add_all(files, changes, bar)
                await batch.wait_for_all(changes, bar, len(files))
        except asyncio.CancelledError:
            await batch.collect_finished()
            raise CommandInterrupted(batch.describe_interruption(len(files))) from None
    batch.print_summary(skipped, time.perf_counter() - start)
    return ExitCode.FAILED if batch.failures or batch.waiting else ExitCode.OK
