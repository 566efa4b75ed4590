"""`footnote projects`: list the projects with their documents."""

from dataclasses import dataclass
from typing import Any

from app import global_ids, services
from app.cli.lookup import all_projects
from app.cli.opening import open_footnote
from app.cli.printing import print_json, print_table
from app.cli.running import Exit, out
from app.database import models
from app.knowledge.search.filters import DocumentCriteria

_STATUSES = ("QUEUED", "PROCESSING", "READY", "FAILED")


@dataclass(frozen=True, slots=True)
class _ProjectSummary:
    """A project with its documents by status, and the chunks that can be searched."""

    project: models.Project
    documents: dict[str, int]
    chunks: int

    @property
    def total(self) -> int:
        return sum(self.documents.values())

    @property
    def state(self) -> str:
        """EMPTY, INGESTING or READY."""
        if not self.total:
            return "EMPTY"
        return "INGESTING" if self.documents["QUEUED"] or self.documents["PROCESSING"] else "READY"

    @property
    def state_in_words(self) -> str:
        left = self.documents["QUEUED"] + self.documents["PROCESSING"]
        words = f"ingesting {left:,}" if left else self.state.lower()
        return words + (f", {self.documents['FAILED']:,} failed" if self.documents["FAILED"] else "")

    def as_json(self) -> dict[str, Any]:
        return {
            "id": global_ids.encode("Project", self.project.id),
            "name": self.project.name,
            "description": self.project.description,
            "state": self.state,
            "documents": {"total": self.total, **{name.lower(): count for name, count in self.documents.items()}},
            "chunks": self.chunks,
            "createdAt": self.project.created_at.isoformat(),
        }


async def list_projects(*, as_json: bool) -> Exit:
    """Every project, the oldest first."""
    async with open_footnote() as footnote:
        summaries = await _summaries(footnote)
    if as_json:
        print_json([summary.as_json() for summary in summaries])
    elif not summaries:
        out.print("There is no project yet; `footnote ingest` makes one.")
    else:
        rows = [(each.project.name, f"{each.total:,}", f"{each.chunks:,}", each.state_in_words) for each in summaries]
        print_table(("project", "documents", "chunks", "state"), rows)
    return Exit.OK


async def _summaries(footnote: services.Services) -> list[_ProjectSummary]:
    operator = footnote.operator()
    projects = [project async for project in all_projects(footnote)]
    ids = [project.id for project in projects]
    counts = {status: await operator.documents.count(ids, DocumentCriteria(status=[status])) for status in _STATUSES}
    chunks = await operator.projects.chunk_totals(ids)
    return [
        _ProjectSummary(project, {status: counts[status][i] for status in _STATUSES}, chunks[i][0])
        for i, project in enumerate(projects)
    ]
