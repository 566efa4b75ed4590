"""`footnote ingest`: add files to a project, and wait until they can be searched."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from app import errors
from app.answer_options.document_filter import DocumentFilter
from app.cli.documents import problems
from app.cli.documents.batch import Batch
from app.cli.documents.files import SkippedFile, SkipReason, extract_path, find_files, open_file, to_unicode
from app.cli.documents.sources import SourcedFile, choose_sources, find_gone_sources
from app.cli.documents.sync import SyncOptions, delete_gone_documents, plan_sync
from app.cli.documents.target import find_own_project, is_database_there
from app.cli.interrupts import CommandInterrupted
from app.cli.opening import open_footnote
from app.cli.patience import outlast_outages
from app.cli.printing import format_count, to_line
from app.cli.progress import ProgressBar, progress_bar
from app.cli.running import ExitCode, out
from app.database import models
from app.knowledge import uploads
from app.knowledge.addition_rows import Outcome
from app.knowledge.parsing import formats
from app.notifier.subscription import TopicSubscription
from app.statuses import DocumentStatus

# Maximum number of files of a kind that are listed.
_NAMED = 20
# Maximum number of documents waiting at once, which are looked up together.
_IN_FLIGHT = 200
# Files that are added at once share a transaction, which must not take long.
_ADDED_AT_ONCE = 16
_BYTES_AT_ONCE = 4_000_000
# How long to wait before trying a full queue again.
_RETRY_SECONDS = 1.0


_OpenFile = tuple[SourcedFile, uploads.NewDocument, BinaryIO]


@dataclass
class _IngestBatch(Batch):
    """The files of one command, and the results.

    `replacements`: files that replaced a document which came from another file, or from an unknown one. `deleted`: the
    sources of documents that were deleted because their files are gone. `lacks_room`: a file was refused because the
    projects of its user hold as much as is allowed. `is_project_deleted`: nothing could be added to a new project.
    """

    unchanged: int = 0
    replacements: list[SourcedFile] = field(default_factory=list[SourcedFile])
    deleted: list[str] = field(default_factory=list[str])
    lacks_room: bool = False
    is_project_deleted: bool = False

    async def ingest_files(self, files: Sequence[SourcedFile], gone: Sequence[str]) -> None:
        """Add every file and wait for all of them, then delete the documents with the sources in `gone`.

        A file under a new name is searched as soon as its former document is deleted. If files wait for the embedding
        model, or there was no room for one, nothing is deleted: the documents may be all that is left of them.
        """
        try:
            with progress_bar(len(files), "ingesting") as bar, self.subscribe() as changes:
                await self.add_all(files, changes, bar)
                await self.wait_for_all(changes, bar, len(files))
            if not self.waiting and not self.lacks_room:
                async for source in delete_gone_documents(self.footnote, self.project, gone):
                    self.deleted.append(source)
        except asyncio.CancelledError:
            with suppress(errors.Unavailable):  # do not wait for an unavailable database after an interruption
                await self.collect_finished()
            raise CommandInterrupted(self.describe_interruption(len(files))) from None
        except errors.Unavailable as error:
            text = f"{error.message} {self.describe_interruption(len(files))}"
            raise errors.Unavailable(text, error.service, error.retry_after_ms) from error

    async def delete_empty_project(self) -> None:
        """Delete the project, which is new, if nothing could be added to it."""
        operator = self.footnote.operator()
        if await operator.documents.count_documents([self.project.id], DocumentFilter()) == [0]:
            await operator.projects.delete_project(self.project.id)
            self.is_project_deleted = True

    async def add_all(self, files: Sequence[SourcedFile], changes: TopicSubscription, bar: ProgressBar) -> None:
        """Add every file, with a limited number waiting at once."""
        done = 0
        for some in _split_batches(files):
            await self._add_files(some)
            while len(self.waiting) >= _IN_FLIGHT and not self.is_stuck:
                await self.wait_for_change(changes)
            done += len(some)
            bar.show_progress(done - len(self.waiting), to_unicode(some[-1].file.path.name)[:40])

    async def _add_files(self, files: Sequence[SourcedFile]) -> None:
        """Add files in order, all at once; each has its own result."""
        with ExitStack() as stack:
            left: list[_OpenFile] = []
            for each in files:
                path = each.file.path
                media_type = formats.guess_media_type(path.name)
                new = uploads.NewDocument(
                    media_type=media_type,
                    name=to_unicode(path.name),
                    source=each.source,
                    file_place=uploads.FilePlace(each.file.place, each.known_places or frozenset()),
                )
                try:
                    left.append((each, new, stack.enter_context(open_file(path))))
                except OSError as error:
                    self.failures.append((each.source, problems.describe_unreadable(error)))
            while left:
                try:
                    left = await self._add_opened(left)
                except (OSError, uploads.ContentChanged) as error:  # it could be opened, but not read
                    if len(left) == 1:
                        self.failures.append((left[0][0].source, problems.describe_unreadable(error)))
                        return
                    for each, _, _ in left:
                        await self._add_files([each])
                    return

    async def _add_opened(self, files: Sequence[_OpenFile]) -> list[_OpenFile]:
        """Add open files; returns those that the queue is still too full for, after a while."""
        outcomes = await outlast_outages(lambda: self._send_files(files))
        left: list[_OpenFile] = []
        for (each, new, file), outcome in zip(files, outcomes, strict=True):
            if isinstance(outcome, errors.Unavailable) and outcome.service == "ingestion" and not self.is_stuck:
                left.append((each, new, file))
            elif isinstance(outcome, errors.Invalid):
                self.failures.append((each.source, problems.describe_refusal(outcome)))
                self.lacks_room |= any(issue.code == "STORAGE_FULL" for issue in outcome.issues)
            elif isinstance(outcome, errors.FootnoteError):
                raise outcome
            else:
                self._count_added(each, *outcome)
        if left:
            await asyncio.sleep(_RETRY_SECONDS)
        return left

    async def _send_files(self, files: Sequence[_OpenFile]) -> Sequence[Outcome]:
        for _, _, file in files:
            file.seek(0)
        documents = self.footnote.operator().documents
        return await documents.add_documents(self.project.id, [(new, file) for _, new, file in files])

    def _count_added(self, file: SourcedFile, document: models.Document, is_unchanged: bool) -> None:
        """Count an unchanged document, and note one to wait for; `is_unchanged` as `add_documents` returns it."""
        if is_unchanged and document.status == DocumentStatus.READY:
            self.unchanged += 1
        else:
            self.waiting[document.id] = file.source
        if not is_unchanged and document.version > 1 and not file.is_known:
            self.replacements.append(file)

    def describe_interruption(self, total: int) -> str:
        """A sentence about what has been done so far, for when the command is interrupted."""
        added = self.ready + self.unchanged
        left = total - added - len(self.failures) - len(self.waiting)
        parts = [f"{added:,} of {format_count(total, 'document')} can be searched in {self.project.name}"]
        parts += [f"{len(self.waiting):,} queued"] if self.waiting else []
        parts += [f"{len(self.failures):,} failed"] if self.failures else []
        parts += [f"{left:,} not added yet"] if left else []
        return ", ".join(parts) + ". Run the same command again to continue."

    def print_summary(self, skipped: Sequence[SkippedFile], gone: Sequence[str], seconds: float) -> None:
        """Print what happened to all files, and which documents have lost theirs."""
        parts = [f"{self.ready} ingested ({format_count(self.chunks, 'chunk')})"]
        parts += [f"{self.unchanged} unchanged"] if self.unchanged else []
        parts += [f"{len(self.failures)} failed"] if self.failures else []
        parts += [f"{len(self.waiting)} waiting"] if self.waiting else []
        parts += [f"{len(self.deleted)} deleted"] if self.deleted else []
        parts += [f"{len(skipped)} skipped"] if skipped else []
        out.print(f"{self.project.name}: {', '.join(parts)} in {seconds:.1f} s")
        for reason in SkipReason:
            names = [to_unicode(str(file.path)) for file in skipped if file.reason is reason]
            _print_names(f"skipped ({reason.value})", names)
        for advice in problems.advise_on_skipped(skipped):
            out.print(f"  {advice}")
        _print_names("deleted", self.deleted)
        _print_names("file is gone", gone)
        if gone:
            out.print("  Documents without their files can still be found; `footnote documents delete` removes them.")
        if self.replacements:
            out.print(f"  {to_line(_describe_replacements(self.replacements))}")
        for source, reason in self.failures:
            out.print(f"  {to_line(source)}: {reason}")
        if self.waiting:
            out.print(f"  Waiting for the embedding model: {self.reason}")
            out.print("  `footnote serve` or this command will continue with them when it is back.")
        if self.is_project_deleted:
            out.print("  No document could be added, so the project was not created.")


def _print_names(what: str, names: Sequence[str]) -> None:
    for name in names[:_NAMED]:
        out.print(f"  {what}: {to_line(name)}")
    if len(names) > _NAMED:
        out.print(f"  {what}: {len(names) - _NAMED:,} more")


def _describe_replacements(replacements: Sequence[SourcedFile]) -> str:
    """A sentence about documents that were replaced and may have come from other files."""
    first = replacements[0]
    message = (
        f"{format_count(len(replacements), 'document')} replaced by a file from another place, such as {first.source}"
    )
    now = first.file.place
    before = next(iter(first.known_places or ()), None)
    if before is not None and extract_path(before) == extract_path(now):
        return f"{message}: it came from {before}, now from {now}. If you need both files, rename the folder of one."
    former = "an unknown place" if before is None else extract_path(before)
    came = f"it came from {former}, now from {extract_path(now)}"
    return f"{message}: {came}. If you need both files, ingest the earlier one again."


def _split_batches(files: Sequence[SourcedFile]) -> Iterator[list[SourcedFile]]:
    """The files that are added at once."""
    batch: list[SourcedFile] = []
    size = 0
    for file in files:
        length = _size_of(file.file.path)
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
    except OSError:  # reported when it is opened
        return 0


async def ingest(paths: Sequence[Path], name: str, sync: SyncOptions | None) -> ExitCode:
    """Add every file, show the progress, and wait for all of them; with `sync`, delete documents whose files are gone.

    If there are no files, and none are gone, nothing is created. A new project without a document is deleted.
    """
    unread: list[OSError] = []
    found, skipped = find_files(paths, unread.append)
    folders = [path for path in paths if path.is_dir()]
    if not found and not is_database_there():
        raise problems.nothing_found(paths, unread, skipped)
    plan = None if sync is None else await plan_sync(name, folders, found)
    if sync is not None and plan is not None:
        if sync.dry_run:
            plan.print(name)
            return ExitCode.OK
        if not sync.yes:
            plan.confirm()
    start = time.perf_counter()
    async with open_footnote("ingest", new=True) as footnote:
        operator = footnote.operator()
        project = await find_own_project(footnote, name)
        known = {} if project is None else await operator.original_places.places_by_source(project.id)
        files = choose_sources(found, known)
        gone = find_gone_sources(folders, files, known)
        if not found and not gone:
            raise problems.nothing_found(paths, unread, skipped)
        is_new = project is None
        if project is None:
            project = await operator.projects.create_project(name, None, local_providers_only=False)
        batch = _IngestBatch(footnote, project)
        batch.failures += [(to_unicode(str(error.filename)), problems.describe_folder(error)) for error in unread]
        try:
            await batch.ingest_files(files, () if plan is None else plan.gone)
        finally:
            if is_new:
                await batch.delete_empty_project()
        batch.print_summary(skipped, [each for each in gone if each not in batch.deleted], time.perf_counter() - start)
        await batch.measure_project()
    is_whole = not (batch.failures or batch.waiting or any(file.is_named for file in skipped))
    return ExitCode.OK if is_whole else ExitCode.FAILED
