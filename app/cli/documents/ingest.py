"""`footnote ingest`: add files to a project, and wait until they can be searched."""

import asyncio
import mimetypes
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app import errors
from app.cli.documents.batch import Bar, Batch, progress_bar
from app.cli.documents.files import find_files
from app.cli.interrupts import CommandInterrupted
from app.cli.opening import open_footnote
from app.cli.printing import counted
from app.cli.running import Exit, out
from app.knowledge import uploads
from app.knowledge.parsing import sniff
from app.signals import Watcher

# So many skipped files are named.
_NAMED = 20
# Documents that wait at once; all of them are looked up together.
_IN_FLIGHT = 200
# How long to wait before a full queue is tried again.
_RETRY_SECONDS = 1.0


@dataclass
class _Ingest(Batch):
    """The files of one command."""

    unchanged: int = 0

    async def add_all(self, files: Sequence[tuple[Path, str]], changes: Watcher, bar: Bar) -> None:
        """Add every file; only so many of them wait at once."""
        for path, source in files:
            await self._add(path, source)
            while len(self.waiting) >= _IN_FLIGHT and not self.stuck:
                await self.wait_for_change(changes)
            bar.show(len(files) - len(self.waiting), path.name[:40])

    async def _add(self, path: Path, source: str) -> None:
        media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        new = uploads.NewDocument(media_type=media_type, name=path.name, source=source)
        documents = self.footnote.operator().documents
        try:
            with path.open("rb") as file:
                while True:
                    try:
                        document, unchanged = await documents.add(self.project.id, new, file)
                        break
                    except errors.Unavailable as error:
                        if self.stuck or error.service != "ingestion":
                            raise
                        await asyncio.sleep(_RETRY_SECONDS)
        except errors.Invalid as error:
            self.failures.append((source, error.message))
        except OSError as error:
            self.failures.append((source, f"It cannot be read: {error.strerror}."))
        else:
            if unchanged and document.status == "READY":
                self.unchanged += 1
            else:
                self.waiting[document.id] = source

    def kept(self, total: int) -> str:
        """What an interrupt leaves behind."""
        added = self.ready + self.unchanged
        left = total - added - len(self.failures) - len(self.waiting)
        parts = [f"{added:,} of {counted(total, 'document')} can be searched in {self.project.name}"]
        parts += [f"{len(self.waiting):,} queued"] if self.waiting else []
        parts += [f"{len(self.failures):,} failed"] if self.failures else []
        parts += [f"{left:,} not added yet"] if left else []
        return ", ".join(parts) + ". Run the same command again to go on."

    def print_summary(self, skipped: Sequence[Path], seconds: float) -> None:
        """What has become of all files."""
        parts = [f"{self.ready} ingested ({counted(self.chunks, 'chunk')})"]
        parts += [f"{self.unchanged} unchanged"] if self.unchanged else []
        parts += [f"{len(self.failures)} failed"] if self.failures else []
        parts += [f"{len(self.waiting)} waiting"] if self.waiting else []
        parts += [f"{len(skipped)} skipped (not a format Footnote reads)"] if skipped else []
        out.print(f"{self.project.name}: {', '.join(parts)} in {seconds:.1f} s", markup=False)
        for path in skipped[:_NAMED]:
            out.print(f"  skipped: {path}", markup=False)
        if len(skipped) > _NAMED:
            out.print(f"  skipped: {len(skipped) - _NAMED:,} more", markup=False)
        for source, reason in self.failures:
            out.print(f"  {source}: {reason}", markup=False)
        if self.waiting:
            out.print(f"  Waiting for the embedding model: {self.reason}", markup=False)
            out.print("  `footnote serve` goes on with them when it is back, and so does this command.", markup=False)


async def ingest(paths: Sequence[Path], name: str) -> Exit:
    """Add every file, show how far it is, and wait for all."""
    files, skipped = find_files(paths)
    if not files:
        places = ", ".join(map(str, paths))
        known = ", ".join(sorted(sniff.SUPPORTED_SUFFIXES))
        raise errors.Invalid.one(
            "paths", "INVALID", f"There is no document in {places} that Footnote reads; from folders it takes {known}."
        )
    start = time.perf_counter()
    async with open_footnote("ingest", new=True) as footnote:
        projects = footnote.operator().projects
        project = await projects.by_name(name) or await projects.create(name, None, local_providers_only=False)
        batch = _Ingest(footnote, project)
        try:
            with progress_bar(len(files)) as bar, batch.watched() as changes:
                await batch.add_all(files, changes, bar)
                await batch.wait_for_all(changes, bar, len(files))
        except asyncio.CancelledError:
            await batch.collect()
            raise CommandInterrupted(batch.kept(len(files))) from None
    batch.print_summary(skipped, time.perf_counter() - start)
    return Exit.FAILED if batch.failures or batch.waiting else Exit.OK
