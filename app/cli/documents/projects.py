"""`footnote projects`: list the projects with their documents, and delete them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app import global_ids, services
from app.answer_options.document_filter import DocumentFilter
from app.chat.session_lists import SessionCriteria
from app.cli.interrupts import CommandInterrupted
from app.cli.lookup import all_projects, find_project, split_ids
from app.cli.opening import open_footnote
from app.cli.other_models import describe_other_models
from app.cli.printing import format_count, print_json, print_table
from app.cli.prompts import confirm
from app.cli.running import ExitCode, err, out
from app.database import models
from app.statuses import DocumentStatus


@dataclass(frozen=True, slots=True)
class _ProjectSummary:
    """A project with its number of documents by status, and of searchable chunks."""

    project: models.Project
    documents: dict[DocumentStatus, int]
    chunks: int

    @property
    def total(self) -> int:
        return sum(self.documents.values())

    @property
    def state(self) -> str:
        """EMPTY, INGESTING, READY, or FAILED if no document is ready."""
        if not self.total:
            return "EMPTY"
        if self.unfinished:
            return "INGESTING"
        return "READY" if self.documents[DocumentStatus.READY] else "FAILED"

    @property
    def unfinished(self) -> int:
        """How many documents are queued or being processed."""
        return self.documents[DocumentStatus.QUEUED] + self.documents[DocumentStatus.PROCESSING]

    @property
    def state_in_words(self) -> str:
        count = self.documents[DocumentStatus.FAILED]
        failed = f"{count:,} failed"
        if self.state == "FAILED":
            return failed
        words = f"ingesting {self.unfinished:,}" if self.unfinished else self.state.lower()
        return f"{words}, {failed}" if count else words

    def as_json(self) -> dict[str, Any]:
        return {
            "id": global_ids.encode("Project", self.project.id),
            "name": self.project.name,
            "description": self.project.description,
            "state": self.state,
            "documents": {"total": self.total, **{status.lower(): count for status, count in self.documents.items()}},
            "chunks": self.chunks,
            "createdAt": self.project.created_at.isoformat(),
        }


async def list_projects(*, as_json: bool) -> ExitCode:
    """List all projects, oldest first."""
    async with open_footnote() as footnote:
        summaries = await _summarize_projects(footnote)
        others = await describe_other_models(footnote)
    if as_json:
        print_json([summary.as_json() for summary in summaries])
    elif not summaries:
        out.print("There are no projects yet; `footnote ingest` creates one.")
    else:
        rows = [(each.project.name, f"{each.total:,}", f"{each.chunks:,}", each.state_in_words) for each in summaries]
        print_table(("project", "documents", "chunks", "state"), rows)
        if others is not None:
            err.print(others)
    return ExitCode.OK


async def delete_project(name: str, *, yes: bool) -> ExitCode:
    """Delete a project permanently, after confirmation."""
    async with open_footnote() as footnote:
        project = await find_project(footnote, name)
        if not yes:
            confirm(f"Delete the project “{project.name}” permanently, with {await _describe(footnote, project)}?")
        try:
            await footnote.operator().projects.delete_project(project.id)
        except asyncio.CancelledError:
            raise CommandInterrupted(
                f"if {project.name} is still listed, nothing was deleted; otherwise `footnote serve` deletes the rest."
            ) from None
    out.print(f"{project.name}: deleted")
    return ExitCode.OK


async def _describe(footnote: services.Services, project: models.Project) -> str:
    """`12 documents and 3 chat sessions`."""
    operator = footnote.operator()
    [documents] = await operator.documents.count_documents([project.id], DocumentFilter())
    [sessions] = await operator.chat_lists.count_by_project([project.id], SessionCriteria())
    return f"{format_count(documents, 'document')} and {format_count(sessions, 'chat session')}"


async def _summarize_projects(footnote: services.Services) -> list[_ProjectSummary]:
    operator = footnote.operator()
    projects = [project async for project in all_projects(footnote)]
    ids = [project.id for project in projects]
    counts = {status: await _count_documents(footnote, ids, status) for status in DocumentStatus}
    totals = [each for some in split_ids(ids) for each in await operator.projects.document_totals(some)]
    return [
        _ProjectSummary(project, {status: counts[status][i] for status in DocumentStatus}, totals[i].chunks)
        for i, project in enumerate(projects)
    ]


async def _count_documents(footnote: services.Services, ids: Sequence[str], status: DocumentStatus) -> list[int]:
    documents, which = footnote.operator().documents, DocumentFilter(status=frozenset({status}))
    return [count for some in split_ids(ids) for count in await documents.count_documents(some, which)]
