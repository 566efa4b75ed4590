"""Find what a command names: projects, documents, chat sessions and users."""

from collections.abc import AsyncGenerator, Sequence

from app import errors, global_ids, services
from app.database import models, pages
from app.knowledge.search.filters import DocumentCriteria

# Names that an error lists when nothing matches.
_LISTED = 20


async def find_project(footnote: services.Services, name: str) -> models.Project:
    """The project of this name. Raises Invalid, naming those there are."""
    project = await footnote.operator().projects.by_name(name)
    if project is None:
        known = [project.name async for project in all_projects(footnote)]
        hint = (
            f"There are: {_listed(sorted(known), len(known))}."
            if known
            else "There is none yet; `footnote ingest` makes one."
        )
        raise errors.Invalid.one(
            "project", "INVALID", f"There is no project “{name}” in {footnote.operator().database_name}. {hint}"
        )
    return project


async def all_projects(footnote: services.Services) -> AsyncGenerator[models.Project]:
    """Every project, the oldest first."""
    projects, after = footnote.operator().projects, None
    while True:
        page = await projects.page(pages.Window(pages.MAX_SIZE, after))
        for project in page.rows:
            yield project
        if not page.has_next:
            return
        after = page.cursors[-1]


async def all_documents(
    footnote: services.Services, project: models.Project, which: DocumentCriteria
) -> AsyncGenerator[models.Document]:
    """Every document of a project that matches, the oldest first."""
    documents, after = footnote.operator().documents, None
    while True:
        [page] = await documents.page([project.id], which, pages.Window(pages.MAX_SIZE, after))
        for document in page.rows:
            yield document
        if not page.has_next:
            return
        after = page.cursors[-1]


async def find_documents(
    footnote: services.Services, names: Sequence[str], project: str | None
) -> list[models.Document]:
    """The document that each name means, once: an id, or the title, source or file name of exactly one.

    Only those of a project, if one is named. Raises Invalid for what is not there, Conflict where a name is ambiguous.
    """
    projects = [await find_project(footnote, project)] if project else [each async for each in all_projects(footnote)]
    found = [await _find_document(footnote, name, projects) for name in names]
    return list({document.id: document for document in found}.values())


async def _find_document(footnote: services.Services, name: str, projects: Sequence[models.Project]) -> models.Document:
    documents, project_ids = footnote.operator().documents, [project.id for project in projects]
    row_id = global_ids.find("Document", name)
    [by_id] = await documents.by_ids([row_id or ""])
    if by_id is not None and by_id.project_id in project_ids:
        return by_id
    pages_found = await documents.page(project_ids, DocumentCriteria(named=name), pages.Window(_LISTED))
    matches = [row for page in pages_found for row in page.rows]
    if len(matches) > 1:
        ids = ", ".join(global_ids.encode("Document", row.id) for row in matches)
        raise errors.Conflict(f"{len(matches)} documents are called “{name}”; name one by its id: {ids}.")
    if not matches:
        where = f" in project “{projects[0].name}”" if len(projects) == 1 else ""
        hint = await _known_documents(footnote, projects)
        raise errors.Invalid.one("document", "INVALID", f"There is no document “{name}”{where}. {hint}")
    return matches[0]


async def _known_documents(footnote: services.Services, projects: Sequence[models.Project]) -> str:
    """Which documents one may have meant."""
    documents, ids = footnote.operator().documents, [project.id for project in projects]
    total = sum(await documents.count(ids, DocumentCriteria()))
    if not total:
        return "There is none yet; `footnote ingest` adds some."
    found = [
        row.title for page in await documents.page(ids, DocumentCriteria(), pages.Window(_LISTED)) for row in page.rows
    ]
    return f"There are: {_listed(found, total)}; `footnote documents list` shows them all."


async def find_session(footnote: services.Services, id: str) -> models.ChatSession:
    """The chat session with this id. Raises Invalid."""
    row_id = global_ids.find("ChatSession", id)
    [session] = await footnote.operator().chats.by_ids([row_id] if row_id else [""])
    if session is None:
        raise errors.Invalid.one(
            "session",
            "INVALID",
            f"There is no chat session {id!r}; `footnote chat` prints the id of a session when it ends.",
        )
    return session


async def find_user(footnote: services.Services, email: str) -> models.User:
    """The user with this address. Raises Invalid."""
    user = await footnote.operator().accounts.users.by_email(email)
    if user is None:
        raise errors.Invalid.one("email", "INVALID", f"There is no user {email!r}; `footnote user list` shows them.")
    return user


def _listed(names: Sequence[str], total: int) -> str:
    """The first names, and how many there are beyond them."""
    shown = names[:_LISTED]
    return ", ".join(shown) + (f" and {total - len(shown):,} more" if total > len(shown) else "")
