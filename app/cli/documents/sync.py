"""`footnote ingest --sync`: delete the documents whose files are gone from the folders."""

from collections.abc import AsyncGenerator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from app import errors, services
from app.answer_options.document_filter import DocumentFilter
from app.cli.documents.files import FoundFile, extract_path, is_gone, to_unicode
from app.cli.documents.sources import SourcedFile, choose_sources, find_gone_sources
from app.cli.documents.target import find_own_project, is_database_there
from app.cli.lookup import all_documents
from app.cli.opening import open_footnote
from app.cli.printing import format_count, to_line
from app.cli.prompts import confirm
from app.cli.running import out
from app.database import models

# Maximum number of documents that are deleted without asking.
_UNASKED = 10
# Maximum number of documents that the question names.
_NAMED = 10

_Known = Mapping[str, Set[str]]


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """How to treat documents whose files are gone: delete them without asking, or only list them."""

    yes: bool
    dry_run: bool


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """What `--sync` would do: `gone` are the sources of the documents to delete."""

    files: Sequence[SourcedFile]
    gone: Sequence[str]

    def print(self, project: str) -> None:
        """Print the plan."""
        new = sum(file.known_places is None for file in self.files)
        counts = f"{format_count(len(self.files), 'file')}, {new:,} new; {format_count(len(self.gone), 'document')}"
        out.print(f"{project}: {counts} to delete. Nothing was changed.")
        for source in self.gone:
            out.print(f"  to delete: {to_line(source)}")

    def confirm(self) -> None:
        """Ask before many documents are deleted."""
        if len(self.gone) > _UNASKED:
            shown = ", ".join(self.gone[:_NAMED])
            more = f" and {len(self.gone) - _NAMED:,} more"
            question = f"Delete {len(self.gone):,} documents whose files are gone, permanently: {shown}{more}?"
            confirm(to_line(question))


async def plan_sync(name: str, folders: Sequence[Path], found: Sequence[FoundFile]) -> SyncPlan:
    """The plan for the project with this name. Raises Conflict if files may only seem to be gone."""
    if not folders:
        raise errors.Invalid.at("paths", "INVALID", "--sync works on folders; name at least one.")
    known: _Known = {}
    if is_database_there():
        async with open_footnote() as footnote:
            project = await find_own_project(footnote, name)
            if project is not None:
                known = await footnote.operator().original_places.places_by_source(project.id)
    files = choose_sources(found, known)
    gone = find_gone_sources(folders, files, known)
    _require_mounted([folder.resolve() for folder in folders], files, gone, known)
    return SyncPlan(files, gone)


async def delete_gone_documents(
    footnote: services.Services, project: models.Project, sources: Sequence[str]
) -> AsyncGenerator[str]:
    """Delete the documents with these sources whose files are still gone; yields their sources."""
    operator = footnote.operator()
    known = await operator.original_places.places_by_source(project.id) if sources else {}
    gone = {source for source in sources if (places := known.get(source)) and all(map(is_gone, places))}
    if gone:
        rows = [(row.id, row.source) async for row in all_documents(footnote, project, DocumentFilter())]
        for id, source in rows:
            if source in gone:
                await operator.documents.delete_document(id)
                yield source


def _require_mounted(roots: Sequence[Path], files: Sequence[SourcedFile], gone: Sequence[str], known: _Known) -> None:
    """Raises Conflict if a folder lost all of its files: if a disk is not mounted, its folder is empty."""
    lost = [Path(extract_path(place)) for source in gone for place in known[source]]
    for path in lost:
        root = next(root for root in roots if path.is_relative_to(root))
        folder = next(parent for parent in path.parents if parent.is_dir())
        if not any(file.file.full_path.is_relative_to(root) for file in files):
            folder = root
        elif not _is_empty(folder):
            continue
        count = sum(each.is_relative_to(folder) for each in lost)
        raise errors.Conflict(
            f"{to_unicode(str(folder))} has lost all of the files that {format_count(count, 'document')} came from: "
            "is its disk mounted? Nothing was changed. If the files were deleted, delete their documents with "
            "`footnote documents delete`."
        )


def _is_empty(folder: Path) -> bool:
    try:
        return not any(folder.iterdir())
    except OSError:
        return False
