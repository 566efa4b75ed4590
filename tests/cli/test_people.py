"""Users on the command line: what an operator changes, and how a running server reacts."""

import contextlib
import json
import os
import pty
import re
import select
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

from app import services
from app.cli.commands import cli
from app.settings import Settings
from tests.accounts.account_services import PASSWORD
from tests.conftest import MakeSettings
from tests.forks.commands import FootnoteProcess, start_footnote
from tests.looking import pause_here
from tests.serving import serve
from tests.terminal import on_a_terminal

Run = Callable[..., Result]

_SECONDS = 120.0
VIEWER = "{ viewer { user { id } } }"
REDEEM = """mutation($token: String!) { redeemSetupToken(input: {token: $token}) {
  ... on RedeemSetupTokenPayload { token user { email } } ... on Error { message } } }"""
CHANGE = """mutation($password: String!) { changePassword(input: {newPassword: $password}) {
  ... on ChangePasswordPayload { user { email } } ... on Error { message } } }"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database that has the project “shop”."""
    folder = tmp_path_factory.mktemp("people")
    (folder / "returns.md").write_text("# Returns\n\nGoods may be returned within 30 days of delivery.\n")
    with contextlib.chdir(folder):
        assert CliRunner().invoke(cli, ["ingest", "returns.md", "-p", "shop"]).exit_code == 0
    return folder


@pytest.fixture
def footnote(folder: Path) -> Generator[Run]:
    """Run `footnote` there; returns its output."""
    runner = CliRunner(env={"COLUMNS": "100"})

    def run(*arguments: str, typed: str | bytes = "", code: int = 0) -> Result:
        result = runner.invoke(cli, list(arguments), input=typed)
        assert result.exit_code == code, (result.output, result.exception)
        return result

    with contextlib.chdir(folder):
        yield run


def cells(result: Result) -> list[list[str]]:
    """A table without its header."""
    return [re.split(r" {2,}", line) for line in result.stdout.splitlines()[1:]]


def test_users_are_added_and_listed(footnote: Run) -> None:
    added = footnote("user", "add", "Kim@Example.org", "--name", "Kim", "--owner-of", "shop")
    first, link = added.stdout.splitlines()
    assert first == "kim@example.org: added, owner of shop"
    assert re.fullmatch(r"http://127\.0\.0\.1:8000/#setup=fn_setup_[\w-]{43}", link)
    footnote("user", "add", "robin@example.org", "--password-stdin", typed=f"{PASSWORD}\n")
    again = footnote("user", "add", "robin@example.org", code=1)
    assert again.stderr == "footnote: There is already a user with the email address robin@example.org.\n"
    assert "“robin” is not an email address; " in footnote("user", "add", "robin", code=2).stderr
    nowhere = footnote("user", "add", "lee@example.org", "--owner-of", "shed", code=2)
    assert nowhere.stderr == "footnote: There is no project “shed” in footnote.db. Projects: “shop”.\n"
    assert [line[:3] for line in cells(footnote("user", "list"))] == [
        ["kim@example.org", "Kim", "no password"],
        ["owner@localhost", "Owner", "no password"],
        ["robin@example.org", "password", cells(footnote("user", "list"))[2][2]],
    ]


def test_members_are_set_and_removed(footnote: Run) -> None:
    footnote("user", "add", "max@example.org")
    assert footnote("member", "set", "shop", "max@example.org", "editor").stdout == "shop: max@example.org is EDITOR\n"
    assert ["max@example.org", "EDITOR"] in cells(footnote("member", "list", "shop"))
    unknown = footnote("member", "set", "shop", "max@example.org", "BOSS", code=2)
    assert unknown.stderr == "footnote: “BOSS” is not a role; use VIEWER, EDITOR or OWNER.\n"
    nothing = footnote("token", "revoke", "nope", code=2)
    assert nothing.stderr.startswith("footnote: There is no active token with the id “nope”; ")
    assert "`footnote token list EMAIL`" in nothing.stderr
    footnote("member", "remove", "shop", "max@example.org")
    assert "max@example.org" not in footnote("member", "list", "shop").stdout
    assert footnote("member", "remove", "shop", "max@example.org", code=1).stderr == (
        "footnote: max@example.org is not a member of shop.\n"
    )
    [(_, kind, actor, subject, project, *_), *_] = cells(footnote("audit", "--user", "max@example.org"))
    assert (kind, actor, subject, project) == ("MEMBER_REMOVED", "operator", "max@example.org", "shop")
    assert footnote("audit", "--user", "max@example.org", "-p", "shop", code=2).stdout == ""


def test_a_running_server_follows_the_commands(footnote: Run, folder: Path) -> None:
    """A user is added, signs in by link and token, is disabled, enabled, and finally loses the token."""
    values = {"database_url": f"sqlite:///{folder / 'footnote.db'}", "require_sign_in": True}
    with serve(Settings.model_validate(values)) as url, httpx.Client(timeout=120) as http:

        def post(query: str, credential: str | None = None, **variables: Any) -> httpx.Response:
            headers = {"authorization": f"Bearer {credential}"} if credential else {}
            return http.post(f"{url}/graphql", json={"query": query, "variables": variables}, headers=headers)

        link = footnote("user", "add", "sam@example.org", "--url", "https://chat.example.org/").stdout.split()[-1]
        address, _, setup = link.partition("#setup=")
        assert address == "https://chat.example.org/"
        redeemed = post(REDEEM, token=setup).json()["data"]["redeemSetupToken"]
        assert redeemed["user"]["email"] == "sam@example.org"
        made = footnote("token", "create", "sam@example.org", "--label", "import", "--expires", "30d")
        token = made.stdout.removesuffix("\n")
        assert re.fullmatch(r"fn_access_[\w-]{43}", token), "a script takes it as it is"

        def becomes(*wanted: int) -> None:
            """Wait for these statuses of sign-in and token; processes learn of each other within two seconds."""
            deadline = time.monotonic() + _SECONDS
            while (found := tuple(post(VIEWER, by).status_code for by in (redeemed["token"], token))) != wanted:
                assert time.monotonic() < deadline, found
                pause_here()

        becomes(200, 200)
        footnote("user", "disable", "sam@example.org")
        becomes(401, 401)
        refused = footnote("user", "link", "sam@example.org", code=1)
        assert refused.stderr.startswith("footnote: sam@example.org is disabled; ")
        footnote("user", "enable", "sam@example.org")
        becomes(401, 200)
        [[id, label, *_]] = cells(footnote("token", "list", "sam@example.org"))
        assert label == "import"
        footnote("token", "revoke", id)
        becomes(401, 401)
    again = footnote("token", "revoke", id, code=2).stderr
    assert again.startswith(f"footnote: There is no active token with the id “{id}”; ")
    kinds = [line[1] for line in cells(footnote("audit", "--user", "sam@example.org"))]
    assert kinds == [
        *("TOKEN_REVOKED", "USER_ENABLED", "USER_DISABLED", "TOKEN_CREATED"),
        *("SIGNED_IN", "SETUP_REDEEMED", "USER_CREATED"),
    ]


@pytest.mark.parametrize("expires", ["soon", "0d", "30", "-1d", "1y"])
def test_a_lifetime_is_a_number_and_a_unit(footnote: Run, expires: str) -> None:
    refused = footnote("token", "create", "owner@localhost", "-l", "x", f"--expires={expires}", code=2)
    problem = f"“{expires}” is not a valid lifetime; give a number and a unit, such as 12h, 30d or 8w."
    assert refused.stderr == f"footnote: {problem}\n"


def test_a_lifetime_beyond_the_last_year_is_refused(footnote: Run) -> None:
    refused = footnote("token", "create", "owner@localhost", "-l", "x", "--expires=999999w", code=2)
    problem = "“999999w” is too long: a token expires before the year 10000, or never without --expires."
    assert refused.stderr == f"footnote: {problem}\n"


def test_personal_data_is_exported_and_erased(footnote: Run, folder: Path) -> None:
    footnote("user", "add", "eva@example.org", "--owner-of", "shop", "--password-stdin", typed=f"{PASSWORD}\n")
    file = folder / "eva.json"
    footnote("user", "export", "eva@example.org", "eva.json")
    kept: dict[str, Any] = json.loads(file.read_text())
    assert kept["users"][0]["email"] == "eva@example.org"
    assert "argon2" not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = footnote("user", "export", "eva@example.org", "eva.json", code=1)
    assert again.stderr == "footnote: eva.json already exists; an export never replaces a file.\n"
    footnote("user", "erase", "eva@example.org", typed="n\n", code=1)
    assert "eva@example.org" in footnote("user", "list").stdout
    footnote("user", "erase", "eva@example.org", typed="y\n")
    assert "eva@example.org" not in footnote("user", "list").stdout
    assert footnote("user", "erase", "eva@example.org", "--yes", code=2).stderr == (
        "footnote: There is no user “eva@example.org”; `footnote user list` shows them.\n"
    )
    assert footnote("user", "erase", "owner@localhost", "--yes", code=1).stderr.startswith(
        "footnote: owner@localhost belongs to this server"
    )


def test_a_password_is_needed_and_has_eight_characters(footnote: Run) -> None:
    missing = footnote("user", "password", "owner@localhost", code=2)
    assert missing.stderr.startswith("footnote: A password is needed")
    short = footnote("user", "password", "owner@localhost", "--password-stdin", typed="short\n", code=2)
    assert short.stderr == "footnote: A password must have at least 8 characters.\n"


@pytest.mark.parametrize("typed", [b"pass\xffword\n", b"passwo\0rd\n"])
def test_a_password_that_nobody_could_send_is_refused(footnote: Run, typed: bytes) -> None:
    refused = footnote("user", "add", "zoe@example.org", "--password-stdin", typed=typed, code=2)
    assert refused.stderr == "footnote: The password is not UTF-8, or contains U+0000: nobody could sign in with it.\n"
    assert "zoe@example.org" not in footnote("user", "list").stdout
    unsure = footnote("user", "erase", "owner@localhost", typed=b"y\xff\n", code=1)
    assert unsure.stderr == "footnote: Nothing was done.\n"


@pytest.mark.parametrize(
    ("arguments", "prompt"),
    [
        (("password", "owner@localhost"), "Password: "),
        (("erase", "owner@localhost"), "Delete owner@localhost and all their data permanently? [y/N]: "),
    ],
)
def test_a_prompt_that_is_stopped_leaves_the_terminal_as_it_was(
    folder: Path, arguments: tuple[str, ...], prompt: str
) -> None:
    with on_a_terminal(folder, "user", *arguments) as terminal:
        terminal.until(prompt)
        terminal.until("footnote: stopped by Ctrl-C; nothing was done.", interrupting=True)
        assert (terminal.end(), terminal.shows_typing) == (130, True)


def test_a_terminal_is_asked_for_the_password_and_does_not_show_it(footnote: Run, folder: Path) -> None:
    footnote("user", "add", "pat@example.org")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "app", "user", "password", "pat@example.org"]
    process = subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    shown = b""
    try:
        for prompt in (b"Password: ", b"Repeat for confirmation: "):
            shown += until(ours, prompt)
            os.write(ours, PASSWORD.encode() + b"\n")
        shown += until(ours, b"all sign-ins have ended")
        assert process.wait(_SECONDS) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert PASSWORD.encode() not in shown
    assert ["pat@example.org", "password"] in [line[:2] for line in cells(footnote("user", "list"))]


_SERVE = ("serve", "--port", "0")


def serving(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a server that requires sign-in."""
    return {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/footnote.db", "REQUIRE_SIGN_IN": "true", **more}


@contextmanager
def started(folder: Path, **more: str) -> Generator[FootnoteProcess]:
    """`footnote serve` with its output in a pipe; stopped at the end."""
    with start_footnote(
        *_SERVE, environment=serving(folder, **more), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def until_line(process: FootnoteProcess, text: str) -> str:
    """A process's output up to the line with this text."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if text in line:
            return "".join(lines)
    raise AssertionError(lines)


def ended(process: FootnoteProcess) -> str:
    """Stop a process and return the rest of its output."""
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=_SECONDS)[0]


def post(url: str, query: str, credential: str | None = None, **variables: Any) -> Any:
    """The data of an operation."""
    headers = {"authorization": f"Bearer {credential}"} if credential else {}
    response = httpx.post(url, json={"query": query, "variables": variables}, headers=headers, timeout=120)
    return response.json()["data"]


def until(terminal: int, text: bytes) -> bytes:
    """A terminal's output up to this text."""
    shown, deadline = b"", time.monotonic() + _SECONDS
    while text not in shown:
        left = deadline - time.monotonic()
        assert left > 0, shown
        if select.select([terminal], [], [], left)[0]:
            shown += os.read(terminal, 1000)
    return shown


@contextmanager
def shown_on_a_terminal(folder: Path, **more: str) -> Generator[str]:
    """What `footnote serve` shows on a terminal, while it runs."""
    ours, theirs = pty.openpty()
    process = start_footnote(*_SERVE, environment=serving(folder, **more), stdout=theirs, stderr=theirs)
    os.close(theirs)
    try:
        yield until(ours, b"another link, run:").decode()
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def link_in(shown: str) -> tuple[str, str]:
    """Where the first link leads, and its token."""
    url, _, setup = next(word for word in shown.split() if "#setup=" in word).partition("#setup=")
    return url, setup


def test_a_link_is_printed_only_on_a_terminal(tmp_path: Path) -> None:
    """Files and journals are read later, by others, so not even variables that force colors make it print the link."""
    with started(tmp_path, FORCE_COLOR="1", TTY_COMPATIBLE="1") as said:
        shown = until_line(said, "Nobody can sign in yet.")
        shown += ended(said)
    assert "footnote user link owner@localhost" in shown
    assert "#setup=" not in shown
    assert "fn_setup_" not in shown


def test_links_use_the_address_users_reach_the_server_by(footnote: Run, tmp_path: Path) -> None:
    public = "https://chat.example.org/"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUBLIC_URL", public)
        for command in (("add", "uma@example.org"), ("link", "uma@example.org")):
            address, _ = link_in(footnote("user", *command).stdout)
            assert address == "https://chat.example.org/"
        patch.setenv("PAGE", "false")
        address, _ = link_in(footnote("user", "link", "uma@example.org").stdout)
        assert address == "https://chat.example.org/graphql"
    with shown_on_a_terminal(tmp_path, PUBLIC_URL=public) as shown:
        assert link_in(shown)[0] == "https://chat.example.org/"


def test_the_first_start_prints_a_sign_in_link_for_the_owner(tmp_path: Path) -> None:
    with shown_on_a_terminal(tmp_path) as shown:
        address, setup = link_in(shown)
        url = f"{address}graphql"
        assert "as the owner, once, within 15 minutes" in shown
        signed_in = post(url, REDEEM, token=setup)["redeemSetupToken"]
        assert signed_in["user"]["email"] == "owner@localhost"
        assert "has expired" in post(url, REDEEM, token=setup)["redeemSetupToken"]["message"]
        changed = post(url, CHANGE, signed_in["token"], password=PASSWORD)
        assert changed["changePassword"]["user"]["email"] == "owner@localhost"
    with started(tmp_path) as said:
        assert "#setup=" not in until_line(said, "Ctrl-C stops it.") + ended(said)


async def test_documents_an_operator_ingests_belong_to_the_owner(make_settings: MakeSettings, folder: Path) -> None:
    settings = make_settings(database_url=f"sqlite:///{folder / 'footnote.db'}")
    async with services.open_services(settings, "ask") as opened:
        operator = opened.operator()
        [project] = await operator.projects.find_projects("shop")
        [found] = await operator.accounts.members.members_by_project([project.id])
        assert (found[0].user.id, found[0].role) == (operator.user.id, "OWNER")


def test_a_link_is_only_offered_where_something_opens_it(footnote: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAGE", "PLAYGROUND"):
        monkeypatch.setenv(name, "false")
    says = (
        "The page and the playground are off (PAGE, PLAYGROUND), so that no link can be opened. Set a password with "
        "`footnote user password {0}`, or create a token with `footnote token create {0} --label NAME`.\n"
    )
    added = footnote("user", "add", "alex@example.org")
    assert (added.stdout, added.stderr) == ("alex@example.org: added\n", says.format("alex@example.org"))
    refused = footnote("user", "link", "alex@example.org", code=1)
    assert (refused.stdout, refused.stderr) == ("", f"footnote: {says.format('alex@example.org')}")
    elsewhere = footnote("user", "link", "alex@example.org", "--url", "https://chat.example.org")
    assert elsewhere.stdout.startswith("https://chat.example.org/graphql#setup=fn_setup_")
    monkeypatch.setenv("PLAYGROUND", "true")
    assert "/graphql#setup=fn_setup_" in footnote("user", "link", "alex@example.org").stdout


def test_a_start_offers_no_link_that_nothing_opens(tmp_path: Path) -> None:
    settings = {"REQUIRE_SIGN_IN": "true", "PAGE": "false", "PLAYGROUND": "false", "PORT": "0"}
    output, environment = subprocess.PIPE, {**os.environ, **settings}
    with start_footnote("serve", folder=tmp_path, environment=environment, stdout=output) as server:
        try:
            assert server.stdout is not None
            shown = ""
            while "sign in yet." not in shown:
                shown = server.stdout.readline()
            assert "Set a password with `footnote user password owner@localhost`" in shown
        finally:
            server.kill()
