"""`footnote ingest`: add files to a project, and wait until they can be searched."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app import errors
from app.cli.documents.batch import Batch, ProgressBar, progress_bar
from app.cli.documents.files import find_files, to_unicode
from app.cli.interrupts import CommandInterrupted
from app.cli.opening import open_footnote
from app.cli.printing import format_count
from app.cli.running import ExitCode, out
from app.knowledge import uploads
from app.knowledge.parsing import formats
from app.notifier.subscription import TopicSubscription
from app.statuses import DocumentStatus

# Maximum number of skipped files that are listed.
_NAMED = 20
# Maximum number of documents waiting at once, which are looked up together.
_IN_FLIGHT = 200
# Files that are added at once share a transaction.
_ADDED_AT_ONCE = 16
# How long to wait before trying a full queue again.
_RETRY_SECONDS = 1.0


@dataclass
class _IngestBatch(Batch):
    """The files of one command."""

    unchanged: int = 0

    async def add_all(self, files: Sequence[tuple[Path, str]], changes: TopicSubscription, bar: ProgressBar) -> None:
        """Add every file, with a limited number waiting at once."""
        for start in range(0, len(files), _ADDED_AT_ONCE):
            some = files[start : start + _ADDED_AT_ONCE]
            await asyncio.gather(*(self._add_file(path, source) for path, source in some))
            while len(self.waiting) >= _IN_FLIGHT and not self.is_stuck:
                await self.wait_for_change(changes)
            bar.show_progress(start + len(some) - len(self.waiting), to_unicode(some[-1][0].name)[:40])

    async def _add_file(self, path: Path, source: str) -> None:
        media_type = formats.guess_media_type(path.name)
        new = uploads.NewDocument(media_type=media_type, name=to_unicode(path.name), source=source)
        documents = self.footnote.operator().documents
        try:
            with path.open("rb") as file:
                while True:
                    try:
                        document, unchanged = await documents.add_document(self.project.id, new, file)
                        break
                    except errors.Unavailable as error:
                        if self.is_stuck or error.service != "ingestion":
                            raise
                        await asyncio.sleep(_RETRY_SECONDS)
        except errors.Invalid as error:
            self.failures.append((source, error.message))
        except OSError as error:
            self.failures.append((source, f"The file cannot be read: {error.strerror}."))
        else:
            if unchanged and document.status == DocumentStatus.READY:
                self.unchanged += 1
            else:
                self.waiting[document.id] = source

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


async def ingest(paths: Sequence[Path], name: str) -> ExitCode:
    """Add every file, show the progress, and wait for all of them."""
    files, skipped = find_files(paths)
    if not files:
        places = ", ".join(to_unicode(str(path)) for path in paths)
        known = ", ".join(sorted(formats.SUPPORTED_SUFFIXES))
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
            with progress_bar(len(files)) as bar, batch.subscribe() as changes:
                await batch.add_all(files, changes, bar)
                await batch.wait_for_all(changes, bar, len(files))
        except asyncio.CancelledError:
            await batch.collect_finished()
            raise CommandInterrupted(batch.describe_interruption(len(files))) from None
    batch.print_summary(skipped, time.perf_counter() - start)
    return ExitCode.FAILED if batch.failures or batch.waiting else ExitCode.OK
