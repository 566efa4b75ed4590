"""`footnote member`: add, change, remove and list the members of a project."""

from app import errors, safe_text
from app.cli.lookup import find_project, find_user
from app.cli.opening import open_footnote
from app.cli.printing import print_table
from app.cli.running import ExitCode, out, print_error
from app.services import MemberRole


async def set_member(project_name: str, email: str, role: str) -> ExitCode:
    """Add a user to a project, or change their role."""
    if role.upper() not in {known.value for known in MemberRole}:
        print_error(f"{safe_text.quote(role)} is not a role; use VIEWER, EDITOR or OWNER.")
        return ExitCode.USAGE
    async with open_footnote() as footnote:
        project, user = await find_project(footnote, project_name), await find_user(footnote, email)
        await footnote.operator().accounts.members.set_member(project.id, user.id, MemberRole(role.upper()), actor=None)
    out.print(f"{project.name}: {user.email} is {role.upper()}")
    return ExitCode.OK


async def remove_member(project_name: str, email: str) -> ExitCode:
    """Remove a user from a project."""
    async with open_footnote() as footnote:
        project, user = await find_project(footnote, project_name), await find_user(footnote, email)
        try:
            await footnote.operator().accounts.members.remove_member(project.id, user.id, actor=None)
        except errors.NotFound as error:
            raise errors.Conflict(f"{user.email} is not a member of {project.name}.") from error
    out.print(f"{project.name}: {user.email} is no longer a member")
    return ExitCode.OK


async def list_members(project_name: str) -> ExitCode:
    """List the members of a project, owners first."""
    async with open_footnote() as footnote:
        project = await find_project(footnote, project_name)
        [members] = await footnote.operator().people.members([project.id])
    print_table(("email", "role"), [(member.user.email, member.role.value) for member in members])
    return ExitCode.OK
