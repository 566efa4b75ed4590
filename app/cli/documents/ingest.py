"""`footnote ingest`: add files to a project, and wait until they can be searched."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from app import errors, global_ids, services
from app.cli.documents.batch import Batch
from app.cli.documents.files import find_files, path_of, to_unicode
from app.cli.documents.sources import SourcedFile, choose_sources, find_gone_sources
from app.cli.interrupts import CommandInterrupted
from app.cli.lookup import look_up_project, project_owners
from app.cli.opening import open_footnote
from app.cli.printing import format_count
from app.cli.progress import ProgressBar, progress_bar
from app.cli.running import ExitCode, out
from app.database import models
from app.knowledge import uploads
from app.knowledge.addition_rows import AddedDocument
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
    """The files of one command. `replacements` replaced a document that is not known to have come from them."""

    unchanged: int = 0
    replacements: list[SourcedFile] = field(default_factory=list[SourcedFile])

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
                new = uploads.NewDocument(media_type=media_type, name=to_unicode(path.name), source=each.source)
                try:
                    left.append((each, new, stack.enter_context(path.open("rb"))))
                except OSError as error:
                    self.failures.append((each.source, _unreadable(error)))
            while left:
                try:
                    left = await self._add_opened(left)
                except OSError as error:  # it could be opened, and not be read
                    if len(left) == 1:
                        self.failures.append((left[0][0].source, _unreadable(error)))
                        return
                    for each, _, _ in left:
                        await self._add_files([each])
                    return

    async def _add_opened(self, files: Sequence[_OpenFile]) -> list[_OpenFile]:
        """Add open files; returns those for which the queue has no room yet, after a while."""
        documents = self.footnote.operator().documents
        outcomes = await documents.add_documents(self.project.id, [(new, file) for _, new, file in files])
        left: list[_OpenFile] = []
        added: list[tuple[SourcedFile, AddedDocument]] = []
        for (each, new, file), outcome in zip(files, outcomes, strict=True):
            if isinstance(outcome, errors.Unavailable) and outcome.service == "ingestion" and not self.is_stuck:
                file.seek(0)
                left.append((each, new, file))
            elif isinstance(outcome, errors.Invalid):
                self.failures.append((each.source, outcome.message))
            elif isinstance(outcome, errors.FootnoteError):
                raise outcome
            else:
                added.append((each, outcome))
        await self._count_added(added)
        if left:
            await asyncio.sleep(_RETRY_SECONDS)
        return left

    async def _count_added(self, added: Sequence[tuple[SourcedFile, AddedDocument]]) -> None:
        """Wait for what is new, and record which documents the files are."""
        places, former = dict[str, str](), list[str]()
        for each, (document, is_unchanged) in added:
            if is_unchanged and document.status == DocumentStatus.READY:
                self.unchanged += 1
            else:
                self.waiting[document.id] = each.source
            if each.is_known:
                continue
            is_new = not is_unchanged and document.version == 1
            if not is_new and not is_unchanged:
                self.replacements.append(each)
            # A document that another command has added in the meantime stays that one's.
            if is_new or each.known_places is not None:
                places[each.file.place] = document.id
                former += each.known_places or ()
        if places:
            await self.footnote.operator().original_places.record_places(self.project.id, places, former)

    def describe_interruption(self, total: int) -> str:
        """A sentence about what is done when the command is interrupted."""
        added = self.ready + self.unchanged
        left = total - added - len(self.failures) - len(self.waiting)
        parts = [f"{added:,} of {format_count(total, 'document')} can be searched in {self.project.name}"]
        parts += [f"{len(self.waiting):,} queued"] if self.waiting else []
        parts += [f"{len(self.failures):,} failed"] if self.failures else []
        parts += [f"{left:,} not added yet"] if left else []
        return ", ".join(parts) + ". Run the same command again to continue."

    def print_summary(self, skipped: Sequence[Path], gone: Sequence[str], seconds: float) -> None:
        """Print what happened to all files, and which documents have lost theirs."""
        parts = [f"{self.ready} ingested ({format_count(self.chunks, 'chunk')})"]
        parts += [f"{self.unchanged} unchanged"] if self.unchanged else []
        parts += [f"{len(self.failures)} failed"] if self.failures else []
        parts += [f"{len(self.waiting)} waiting"] if self.waiting else []
        parts += [f"{len(skipped)} skipped (not a format Footnote reads)"] if skipped else []
        out.print(f"{self.project.name}: {', '.join(parts)} in {seconds:.1f} s", markup=False)
        _print_names("skipped", [to_unicode(str(path)) for path in skipped])
        _print_names("file is gone", gone)
        if gone:
            out.print("  Documents without their files can still be found; `footnote documents delete` removes them.")
        if self.replacements:
            out.print(f"  {_describe_replacements(self.replacements)}", markup=False)
        for source, reason in self.failures:
            out.print(f"  {source}: {reason}", markup=False)
        if self.waiting:
            out.print(f"  Waiting for the embedding model: {self.reason}", markup=False)
            out.print("  `footnote serve` or this command will continue with them when it is back.", markup=False)


def _print_names(what: str, names: Sequence[str]) -> None:
    for name in names[:_NAMED]:
        out.print(f"  {what}: {name}", markup=False)
    if len(names) > _NAMED:
        out.print(f"  {what}: {len(names) - _NAMED:,} more", markup=False)


def _describe_replacements(replacements: Sequence[SourcedFile]) -> str:
    """A sentence about documents that were replaced and may have come from other files."""
    first = replacements[0]
    before, now = next(iter(first.known_places or ()), ":a place that is not known"), first.file.place
    told = (
        f"{format_count(len(replacements), 'document')} replaced by a file from another place, such as {first.source}"
    )
    if path_of(before) == path_of(now):
        return f"{told}: it came from {before}, now from {now}. If both files are needed, rename the folder of one."
    return (
        f"{told}: it came from {path_of(before)}, now from {path_of(now)}. If both files are needed, ingest the former "
        "again."
    )


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


def _unreadable(error: OSError) -> str:
    return f"The file cannot be read: {error.strerror}."


def _describe_folder(error: OSError) -> str:
    return f"The folder cannot be read: {error.strerror}."


async def _find_or_create_project(footnote: services.Services, name: str) -> models.Project:
    """The project with this name or id, which only its id names if it belongs to others. Raises Conflict or Invalid."""
    operator = footnote.operator()
    project = await look_up_project(footnote, name)
    if project is None:
        if global_ids.find("Project", name) is not None:
            raise errors.Invalid.at(
                "project", "INVALID", f"There is no project with the id {name} in {operator.database_name}."
            )
        return await operator.projects.create_project(name, None, local_providers_only=False)
    [owners] = await project_owners(footnote, [project])
    id = global_ids.encode("Project", project.id)
    # Any user can create a project of this name, and would read what is ingested into it. Who owns it is asked of the
    # database: whether users sign in also depends on how the server was started, which a command cannot know.
    if name not in (id, project.id) and owners and operator.user.id not in {user.id for user in owners}:
        emails = " and ".join(user.email for user in owners)
        raise errors.Conflict(
            f"The project “{project.name}” belongs to {emails}; to add documents to it, name it by its id: "
            f"--project {id}"
        )
    return project


async def ingest(paths: Sequence[Path], name: str) -> ExitCode:
    """Add every file, show the progress, and wait for all of them."""
    unread: list[OSError] = []
    found, skipped = find_files(paths, unread.append)
    if not found and unread:
        raise errors.Conflict(f"{to_unicode(str(unread[0].filename))}: {_describe_folder(unread[0])}")
    if not found:
        places = ", ".join(to_unicode(str(path)) for path in paths)
        known = ", ".join(sorted(formats.find_readable_suffixes()))
        raise errors.Invalid.at(
            "paths",
            "INVALID",
            f"Footnote found no document in {places} that it can read; in folders, it reads {known}.",
        )
    start = time.perf_counter()
    async with open_footnote("ingest", new=True) as footnote:
        project = await _find_or_create_project(footnote, name)
        known = await footnote.operator().original_places.places_by_source(project.id)
        files = choose_sources(found, known)
        gone = find_gone_sources([path for path in paths if path.is_dir()], files, known)
        batch = _IngestBatch(footnote, project)
        batch.failures += [(to_unicode(str(error.filename)), _describe_folder(error)) for error in unread]
        try:
            with progress_bar(len(files), "ingesting") as bar, batch.subscribe() as changes:
                await batch.add_all(files, changes, bar)
                await batch.wait_for_all(changes, bar, len(files))
        except asyncio.CancelledError:
            await batch.collect_finished()
            raise CommandInterrupted(batch.describe_interruption(len(files))) from None
    batch.print_summary(skipped, gone, time.perf_counter() - start)
    return ExitCode.FAILED if batch.failures or batch.waiting else ExitCode.OK
