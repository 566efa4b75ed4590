"""The commands about people with their options and help: `footnote user`, `token`, `member` and `audit`.

Each loads what it works with when it runs, so that `--help` and processes that only read documents start at once.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from app.cli.groups import Group
from app.cli.running import Exit, complain, run

users = typer.Typer(
    cls=Group,
    help="Who may ask where users sign in (`REQUIRE_SIGN_IN`, or any address but loopback).\n\n"
    "These commands work on the database itself, whether a server runs or not; who can run them can do everything.",
    no_args_is_help=True,
)
tokens = typer.Typer(
    cls=Group,
    help="Tokens for programs, which send them as `Authorization: Bearer …`. A token may do what its user may.",
    no_args_is_help=True,
)
members = typer.Typer(
    cls=Group,
    help="Who belongs to a project: a VIEWER reads and chats, an EDITOR changes documents too, an OWNER decides.",
    no_args_is_help=True,
)

cli = typer.Typer()
cli.add_typer(users, name="user")
cli.add_typer(tokens, name="token")
cli.add_typer(members, name="member")

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The user's address.")]
ProjectName = Annotated[str, typer.Argument(metavar="PROJECT", help="Name of the project.")]
FromStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]
Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        help="The server's address as users see it [default: PUBLIC_URL, else by HOST and PORT].",
    ),
]


@users.command("add")
def add_command(
    email: Email,
    name: Annotated[str | None, typer.Option(help="Name to show.")] = None,
    owner_of: Annotated[
        list[str] | None, typer.Option("--owner-of", metavar="PROJECT", help="Make them an owner of it; repeatable.")
    ] = None,
    password_stdin: FromStdin = False,
    url: Url = None,
) -> None:
    """Add a user.

    Asks for a password on a terminal. Without one it prints a link that lets the user in once, within 15 minutes, to
    set a password of their own.
    """
    password = _password(password_stdin, "Password (nothing: print a link instead)")
    from app.cli.people import accounts

    run(lambda: accounts.add(email, name, password, owner_of or [], url))


@users.command("list")
def list_command() -> None:
    """List all users by address."""
    from app.cli.people import accounts

    run(accounts.list_users)


@users.command("link")
def link_command(email: Email, url: Url = None) -> None:
    """Print a link that lets a user in once, within 15 minutes: a new one, who then sets a password."""
    from app.cli.people import accounts

    run(lambda: accounts.with_user(email, accounts.link(url)))


@users.command("password")
def password_command(email: Email, password_stdin: FromStdin = False) -> None:
    """Set a user's password. All their sign-ins end; their tokens stay."""
    password = _password(password_stdin, "Password")
    if password is None:
        complain("A password is needed: type it on a terminal, or give it with --password-stdin.")
        raise typer.Exit(Exit.USAGE)
    from app.cli.people import accounts

    run(lambda: accounts.with_user(email, accounts.set_password(password)))


@users.command("disable")
def disable_command(email: Email) -> None:
    """Let a user in no more, by password, token or identity provider. Nothing of theirs is removed."""
    from app.cli.people import accounts

    run(lambda: accounts.with_user(email, accounts.disable))


@users.command("enable")
def enable_command(email: Email) -> None:
    """Let a user in again. Their tokens count again; they sign in anew."""
    from app.cli.people import accounts

    run(lambda: accounts.with_user(email, accounts.enable))


@users.command("export")
def export_command(
    email: Email,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file; an existing one is never replaced.")],
) -> None:
    """Write everything that is kept about a user into a JSON file. Secrets are left out."""
    from app.cli.people import accounts

    run(lambda: accounts.with_user(email, accounts.export(file)))


@users.command("erase")
def erase_command(
    email: Email, yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask whether you are sure.")] = False
) -> None:
    """Remove a user with their chat sessions, memories and tokens, for good. Documents stay: they are the project's.

    A project that only they own needs another owner first.
    """
    if not yes:
        typer.confirm(f"Erase {email} and everything of theirs for good?", abort=True, err=True)
    from app.cli.people import accounts

    run(lambda: accounts.with_user(email, accounts.erase))


@tokens.command("create")
def create_token_command(
    email: Email,
    label: Annotated[str, typer.Option("--label", "-l", metavar="LABEL", help="What it is for.")],
    expires: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="When it ends by itself, such as 12h, 30d or 8w [default: never]."),
    ] = None,
) -> None:
    """Make a token and print it, this once: `TOKEN=$(footnote token create kim@example.org --label import)`."""
    from app.cli.people import accounts

    run(lambda: accounts.with_user(email, accounts.create_token(label, expires)))


@tokens.command("list")
def list_tokens_command(email: Email) -> None:
    """List a user's tokens: what they are for, when they end, when they were last used."""
    from app.cli.people import accounts

    run(lambda: accounts.with_user(email, accounts.list_tokens))


@tokens.command("revoke")
def revoke_token_command(
    id: Annotated[str, typer.Argument(metavar="ID", help="The id that `footnote token list` shows.")],
) -> None:
    """End a token, for good."""
    from app.cli.people import accounts

    run(lambda: accounts.revoke_token(id))


@members.command("set")
def set_member_command(
    project: ProjectName,
    email: Email,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="VIEWER, EDITOR or OWNER.")],
) -> None:
    """Make a user a member of a project, or change their role."""
    from app.cli.people import accounts

    run(lambda: accounts.set_member(project, email, role))


@members.command("remove")
def remove_member_command(project: ProjectName, email: Email) -> None:
    """Take a user out of a project. The last owner stays."""
    from app.cli.people import accounts

    run(lambda: accounts.remove_member(project, email))


@members.command("list")
def list_members_command(project: ProjectName) -> None:
    """List the members of a project, owners first."""
    from app.cli.people import accounts

    run(lambda: accounts.list_members(project))


@cli.command("audit")
def audit_command(
    user: Annotated[
        str | None, typer.Option(metavar="EMAIL", help="Only what this user did or had done to them.")
    ] = None,
    project: Annotated[str | None, typer.Option("--project", "-p", metavar="NAME", help="Only this project.")] = None,
    most: Annotated[int, typer.Option("--most", "-n", min=1, max=10_000, help="How many events to show.")] = 50,
) -> None:
    """Show what was done to accounts and members, newest first: who, whom, when, and from where."""
    if user is not None and project is not None:
        raise typer.BadParameter("Give --user or --project, not both.")
    from app.cli.people import accounts

    run(lambda: accounts.audit(user, project, most))


def _password(from_stdin: bool, prompt: str) -> str | None:
    """The password as it is given; None where there is none. Never as an argument: those can be seen by others."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        return None
    return typer.prompt(prompt, default="", show_default=False, hide_input=True, confirmation_prompt=True) or None
