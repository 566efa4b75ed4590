"""The sample project: Footnote's own handbook, to try questions on before adding documents."""

from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.database import models
from app.knowledge import originals, uploads, versions
from app.knowledge.uploads import NewDocument

NAME = "Handbook"
DESCRIPTION = "Footnote's own handbook, to try things with. Delete it when you no longer need it."


async def create_project(db: AsyncSession, owner_id: str) -> None:
    """Create the project with its documents, queued for ingestion, in the caller's transaction."""
    project = models.Project(id=models.new_id(), name=NAME, description=DESCRIPTION, stored_bytes=0)
    db.add(project)
    await db.flush()
    db.add(models.ProjectMember(project_id=project.id, user_id=owner_id, role="OWNER"))
    for name, page in _pages():
        new = NewDocument("text/markdown", name=name, source=f"handbook/{name}")
        file = BytesIO(page)
        document = models.Document(id=models.new_id(), project_id=project.id, source=new.source, version=0)
        versions.start_version(document, new, uploads.digest_content(file, len(page)))
        db.add(document)
        project.stored_bytes += document.bytes
        await db.flush()
        await db.execute(insert(models.Original), list(originals.piece_values(document, file)))


def _pages() -> Iterator[tuple[str, bytes]]:
    """The handbook's pages in order, each with its name."""
    for page in sorted((files("app") / "handbook").iterdir(), key=lambda page: page.name):
        if page.name.endswith(".md"):
            yield page.name, page.read_bytes()
