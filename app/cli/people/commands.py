"""The commands for people: `footnote user`, `token`, `member` and `audit`."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.groups import make_commands
from app.cli.options import Yes
from app.cli.running import ExitCode, print_error, run_command

users_cli = make_commands(
    help="Manage users, for servers where users sign in (REQUIRE_SIGN_IN, or any address but loopback).\n\n"
    "These commands work directly on the database, whether or not a server is running. Anyone who can run them has "
    "full access.",
    no_args_is_help=True,
)
tokens_cli = make_commands(
    help="Manage access tokens for programs, which send them as `Authorization: Bearer …`.\n\n"
    "A token has the same access as its user.",
    no_args_is_help=True,
)
members_cli = make_commands(
    help="Manage the members of a project.\n\n"
    "A VIEWER reads and chats. An EDITOR also changes documents. An OWNER also manages the project and its members.",
    no_args_is_help=True,
)
audit_cli = make_commands()
cli = make_commands()
cli.add_typer(users_cli, name="user")
cli.add_typer(tokens_cli, name="token")
cli.add_typer(members_cli, name="member")
cli.add_typer(audit_cli)

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The user's email address.")]
ProjectName = Annotated[str, typer.Argument(metavar="PROJECT", help="The project's name or id.")]
FromStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]


def _check_url(url: str | None) -> str | None:
    from app.addresses import check_public_url

    try:
        return check_public_url(url)
    except ValueError as error:
        raise typer.BadParameter(f"{error}.") from error


Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        callback=_check_url,
        help="The address that users open [default: PUBLIC_URL, or from HOST and PORT].",
    ),
]


@users_cli.command("add")
def add_command(
    email: Email,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The display name.")] = None,
    owner_of: Annotated[
        list[str] | None,
        typer.Option(
            "--owner-of", metavar="PROJECT", help="Make the user an owner of this project. Can be given more than once."
        ),
    ] = None,
    password_stdin: FromStdin = False,
    url: Url = None,
) -> None:
    """Add a user.

    On a terminal, this asks for a password. Without one, it prints a link that lets the user in once, within 15
    minutes, to set their own.
    """
    from app.cli.prompts import read_password

    password = read_password("Password (leave empty to print a link instead)", from_stdin=password_stdin)
    from app.cli.people import users

    run_command(lambda: users.add_user(email, name, password, owner_of or [], url))


@users_cli.command("list")
def list_command() -> None:
    """List all users."""
    from app.cli.people import users

    run_command(users.list_users)


@users_cli.command("link")
def link_command(email: Email, url: Url = None) -> None:
    """Print a link that lets a user in once, within 15 minutes, to set a password."""
    from app.cli.people import users

    run_command(lambda: users.print_link(email, url))


@users_cli.command("password")
def password_command(email: Email, password_stdin: FromStdin = False) -> None:
    """Set a user's password. This ends their sign-ins everywhere; their tokens stay valid."""
    from app.cli.prompts import read_password

    password = read_password("Password", from_stdin=password_stdin)
    if password is None:
        print_error("A password is needed: type it on a terminal, or pass it with --password-stdin.")
        raise typer.Exit(ExitCode.USAGE)
    from app.cli.people import users

    run_command(lambda: users.set_password(email, password))


@users_cli.command("disable")
def disable_command(email: Email) -> None:
    """Lock a user out, however they sign in. Their data is kept."""
    from app.cli.people import users

    run_command(lambda: users.disable_user(email))


@users_cli.command("enable")
def enable_command(email: Email) -> None:
    """Let a disabled user in again. Their tokens work again, but they have to sign in again."""
    from app.cli.people import users

    run_command(lambda: users.enable_user(email))


@users_cli.command("export")
def export_command(
    email: Email,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist yet.")],
) -> None:
    """Write everything that is stored about a user to a JSON file, except secrets."""
    from app.cli.people import users

    run_command(lambda: users.export_user(email, file))


@users_cli.command("erase")
def erase_command(email: Email, yes: Yes = False) -> None:
    """Delete a user permanently, with their chat sessions, memories and tokens. Documents stay with their projects.

    If they are the only owner of a project, it needs another owner first.
    """
    from app.cli.people import users
    from app.cli.prompts import confirm

    if not yes:
        confirm(f"Delete {email} and all their data permanently?")
    run_command(lambda: users.erase_user(email))


@tokens_cli.command("create")
def create_token_command(
    email: Email,
    label: Annotated[str, typer.Option("--label", "-l", metavar="LABEL", help="What the token is for.")],
    expires: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="When the token expires, such as 12h, 30d or 8w [default: never]."),
    ] = None,
) -> None:
    """Create a token and print it. It is not shown again.

    In a script: `TOKEN=$(footnote token create kim@example.org --label import)`
    """
    from app.cli.people import tokens

    run_command(lambda: tokens.create_token(email, label, expires))


@tokens_cli.command("list")
def list_tokens_command(email: Email) -> None:
    """List a user's tokens: what they are for, when they expire, and when they were last used."""
    from app.cli.people import tokens

    run_command(lambda: tokens.list_tokens(email))


@tokens_cli.command("revoke")
def revoke_token_command(
    id: Annotated[str, typer.Argument(metavar="ID", help="The token's id, as shown by `footnote token list`.")],
) -> None:
    """Revoke a token permanently."""
    from app.cli.people import tokens

    run_command(lambda: tokens.revoke_token(id))


@members_cli.command("set")
def set_member_command(
    project: ProjectName,
    email: Email,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="VIEWER, EDITOR or OWNER.")],
) -> None:
    """Add a user to a project, or change their role there."""
    from app.cli.people import members

    run_command(lambda: members.set_member(project, email, role))


@members_cli.command("remove")
def remove_member_command(project: ProjectName, email: Email) -> None:
    """Remove a user from a project. The last owner cannot be removed."""
    from app.cli.people import members

    run_command(lambda: members.remove_member(project, email))


@members_cli.command("list")
def list_members_command(project: ProjectName) -> None:
    """List the members of a project, owners first."""
    from app.cli.people import members

    run_command(lambda: members.list_members(project))


@audit_cli.command("audit")
def audit_command(
    user: Annotated[str | None, typer.Option(metavar="EMAIL", help="Only events by or about this user.")] = None,
    project: Annotated[
        str | None, typer.Option("--project", "-p", metavar="NAME", help="Only events in this project, by name or id.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--most", "-n", metavar="N", min=1, max=10_000, help="How many events to show.")
    ] = 50,
) -> None:
    """Show changes to accounts and members, newest first: who did what to whom, when, and from where."""
    if user is not None and project is not None:
        raise typer.BadParameter("Give --user or --project, not both.")
    from app.cli.people import audit

    run_command(lambda: audit.audit(user, project, limit))
