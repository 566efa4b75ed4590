"""Find the projects, documents, chat sessions and users that a command names."""

import difflib
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from app import errors, global_ids, safe_text, services
from app.answer_options.document_filter import DocumentFilter
from app.chat.session_lists import SessionCriteria, SessionOrder
from app.database import models, pages
from app.services import MemberRole

Row = TypeVar("Row")

# Maximum number of names that an error lists.
_LISTED = 20
# Ids per statement: databases limit the number of values.
_AT_ONCE = 1000


async def find_project(footnote: services.Services, name: str | None) -> models.Project:
    """The project with this name or id; without a name, the only project.

    Raises Invalid for an ambiguous name and for an unknown one, with those that exist.
    """
    project = None if name is None else await look_up_project(footnote, name)
    if project is not None:
        return project
    known = [project async for project in all_projects(footnote)]
    if name is None and len(known) == 1:
        return known[0]
    database = footnote.operator().database_name
    if not known:
        problem = f"There is no project in {database} yet; `footnote ingest` creates one."
    elif name is None:
        problem = f"There are {len(known):,} projects in {database}: name one with --project."
    else:
        near = _suggest_name(name, [project.name for project in known])
        problem = f"There is no project “{name}” in {database}" + (f"; did you mean “{near}”?" if near else ".")
    names = f" Projects: {_join_names(sorted(project.name for project in known), len(known))}." if known else ""
    raise errors.Invalid.at("project", "INVALID", problem + names)


def _suggest_name(name: str, known: Sequence[str]) -> str | None:
    """The known name that is most like this one; case does not matter."""
    by_folded = {each.casefold(): each for each in known}
    near = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.75)
    return by_folded[near[0]] if near else None


async def look_up_project(footnote: services.Services, name: str) -> models.Project | None:
    """The project with this name or id; None if there is none. Raises Invalid for an ambiguous name."""
    projects = footnote.operator().projects
    [by_id] = await projects.by_ids([global_ids.find("Project", name) or name])
    if by_id is not None:
        return by_id
    found = await projects.find_projects(name)
    if len(found) > 1:  # users who do not see each other's projects may give them the same name
        owners = await project_owners(footnote, found)
        ids = ", ".join(
            f"{global_ids.encode('Project', project.id)} (owned by {' and '.join(user.email for user in users)})"
            for project, users in zip(found[:_LISTED], owners, strict=False)
        )
        message = f"{len(found)} projects are named “{name}”; use one of their ids: {ids}."
        raise errors.Invalid.at("project", "INVALID", message)
    return found[0] if found else None


async def project_owners(footnote: services.Services, projects: Sequence[models.Project]) -> list[list[models.User]]:
    """The owners of each project."""
    found = await footnote.operator().people.members([project.id for project in projects])
    return [[member.user for member in members if member.role == MemberRole.OWNER] for members in found]


def all_projects(footnote: services.Services) -> AsyncGenerator[models.Project]:
    """All projects, oldest first."""
    return _all_rows(footnote.operator().projects.list_projects)


def all_documents(
    footnote: services.Services, project: models.Project, which: DocumentFilter
) -> AsyncGenerator[models.Document]:
    """All matching documents of a project, oldest first."""

    async def list_documents(window: pages.PageRequest) -> pages.Page[models.Document]:
        [page] = await footnote.operator().documents.list_documents([project.id], which, window)
        return page

    return _all_rows(list_documents)


def all_sessions(footnote: services.Services, project: models.Project) -> AsyncGenerator[models.ChatSession]:
    """All chat sessions of a project, oldest first."""

    async def list_sessions(window: pages.PageRequest) -> pages.Page[models.ChatSession]:
        lists = footnote.operator().chat_lists
        [page] = await lists.list_by_project([project.id], SessionCriteria(), SessionOrder(), window)
        return page

    return _all_rows(list_sessions)


async def _all_rows(list_page: Callable[[pages.PageRequest], Awaitable[pages.Page[Row]]]) -> AsyncGenerator[Row]:
    """The rows of all pages of a list."""
    after = None
    while True:
        page = await list_page(pages.PageRequest(pages.MAX_SIZE, after))
        for row in page.rows:
            yield row
        if not page.has_next:
            return
        after = page.cursors[-1]


def split_ids(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """The ids in order, as many at a time as one statement can have."""
    return (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))


async def find_documents(
    footnote: services.Services, names: Sequence[str], project: str | None
) -> list[models.Document]:
    """The documents with these names, without repetition. A name is an id, title, source or file name.

    Restricted to a project if one is named. Raises Invalid for a name that is unknown or ambiguous.
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
    which, first_page = DocumentFilter(named=name), pages.PageRequest(_LISTED)
    matches = [
        row
        for some in split_ids(project_ids)
        for page in await documents.list_documents(some, which, first_page)
        for row in page.rows
    ]
    if len(matches) > 1:
        ids = ", ".join(global_ids.encode("Document", row.id) for row in matches)
        message = f"{len(matches)} documents match “{name}”; use one of their ids: {ids}."
        raise errors.Invalid.at("document", "INVALID", message)
    if not matches:
        where = f" in project “{projects[0].name}”" if len(projects) == 1 else ""
        hint = await _known_documents(footnote, projects)
        raise errors.Invalid.at("document", "INVALID", f"There is no document “{name}”{where}. {hint}")
    return matches[0]


async def _known_documents(footnote: services.Services, projects: Sequence[models.Project]) -> str:
    """A hint that lists existing documents."""
    documents, ids = footnote.operator().documents, [project.id for project in projects]
    everything, window, total = DocumentFilter(), pages.PageRequest(_LISTED), 0
    found: list[str] = []
    for some in split_ids(ids):
        total += sum(await documents.count_documents(some, everything))
        listed = await documents.list_documents(some, everything, window)
        found += [row.title for page in listed for row in page.rows]
    if not total:
        return "There are none yet; `footnote ingest` adds some."
    return f"Documents: {_join_names(found, total)}; `footnote documents list` shows them all."


async def find_session(footnote: services.Services, id: str) -> models.ChatSession:
    """The chat session with this id. Raises Invalid."""
    row_id = global_ids.find("ChatSession", id)
    [session] = await footnote.operator().chats.by_ids([row_id or ""])
    if session is None:
        raise errors.Invalid.at(
            "session",
            "INVALID",
            f"There is no chat session {safe_text.quote(id)}; `footnote chat` prints the id of its session at the end.",
        )
    return session


async def find_user(footnote: services.Services, email: str) -> models.User:
    """The user with this email address. Raises Invalid."""
    user = await footnote.operator().accounts.users.by_email(email)
    if user is None:
        raise errors.Invalid.at("email", "INVALID", f"There is no user “{email}”; `footnote user list` shows them.")
    return user


def _join_names(names: Sequence[str], total: int) -> str:
    """The first names, in quotation marks because they may contain spaces and commas, and the number of the others."""
    shown = [f"“{name}”" for name in names[:_LISTED]]
    return ", ".join(shown) + (f" and {total - len(shown):,} more" if total > len(shown) else "")
