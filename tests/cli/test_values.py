"""What a command is given for a value: an empty one, an address that is none, and `-` for standard input and output."""

import contextlib
import json
from collections.abc import Generator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from tests import newest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a project that has one document."""
    folder = tmp_path_factory.mktemp("values")
    newest.put(folder / "footnote.db")
    (folder / "bees.md").write_text("# Bees\n\nBees make honey in hives.\n")
    with contextlib.chdir(folder):
        assert run("ingest", "bees.md", "-p", "keys").exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def inside(folder: Path) -> Generator[None]:
    with contextlib.chdir(folder):
        yield


def run(*arguments: str, stdin: str = "", **settings: str) -> Result:
    return CliRunner(env={"COLUMNS": "100", **settings}).invoke(cli, arguments, input=stdin, prog_name="footnote")


@pytest.mark.parametrize(
    ("shown", "arguments"),
    [
        ("--project", ("documents", "delete", "bees.md", "--yes", "--project", "")),
        ("--project", ("documents", "list", "--project=")),
        ("--project", ("documents", "retry", "-p", "")),
        ("--project", ("documents", "reread", "-p", "")),
        ("DOCUMENT", ("documents", "retry", "")),
        ("PATH", ("ingest", "", "-p", "keys")),
        ("PATH", ("ingest", "bees.md", "", "-p", "keys")),
        ("--model", ("reembed", "-p", "keys", "--model", "")),
        ("--to", ("export", "-p", "keys", "--to", "")),
        ("--owner-of", ("user", "add", "kim@example.org", "--owner-of", "keys", "--owner-of", "")),
        ("--url", ("user", "link", "owner@localhost", "--url", "")),
        ("FILE", ("backup", "")),
        ("FILE", ("export-schema", "")),
    ],
)
def test_an_empty_value_is_refused_and_does_nothing(folder: Path, shown: str, arguments: tuple[str, ...]) -> None:
    """It is that of a variable which a script has not set: all projects and the current folder were not meant."""
    names = set(folder.iterdir())
    result = run(*arguments)
    command = " ".join(arguments[:2] if arguments[0] in ("documents", "user") else arguments[:1])
    told = f"footnote: {shown} is empty. See `footnote {command} --help`.\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", told)
    assert set(folder.iterdir()) == names
    documents = json.loads(run("documents", "list", "--json").stdout)
    assert [document["title"] for document in documents] == ["Bees"]


def test_help_is_shown_whatever_else_is_given() -> None:
    result = run("ingest", "", "--help")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Usage: footnote ingest" in result.stdout


@pytest.mark.parametrize("url", ["chat", "ftp://example.org", "https://example.org/?page=1", "https://"])
def test_a_link_has_an_address_that_users_can_open(url: str) -> None:
    """A link that leads nowhere would end the links before it."""
    told = "Invalid value for “--url”: must be the address that users open, such as https://chat.example.org."
    for command in (("add", "kim@example.org"), ("link", "owner@localhost")):
        result = run("user", *command, "--url", url)
        help_hint = f"See `footnote user {command[0]} --help`."
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"footnote: {told} {help_hint}\n"
    assert "kim@example.org" not in run("user", "list").stdout
    link = run("user", "link", "owner@localhost", "--url", "https://example.org/chat/").stdout
    assert link.startswith("https://example.org/chat/#setup=")


@pytest.mark.parametrize("name", ["[bold]schema", "x[/bold]"])
def test_a_path_is_shown_as_it_is_whatever_brackets_it_has(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"{name}.graphql"
    file.parent.mkdir(exist_ok=True)
    written = run("export-schema", str(file))
    assert (written.exit_code, written.stderr) == (0, f"{file}: written\n"), written.exception
    database = file.with_suffix(".db")
    migrated = run("migrate", DATABASE_URL=f"sqlite:///{database}")
    assert migrated.exit_code == 0, migrated.exception
    assert migrated.stdout.startswith(f"{database}: new → ")


@pytest.mark.parametrize("command", ["export-schema", "export-events"])
def test_a_dash_writes_to_standard_output(folder: Path, command: str) -> None:
    result = run(command, "-")
    assert (result.exit_code, result.stderr, result.stdout) == (0, "", run(command).stdout)
    assert not (folder / "-").exists()


def test_a_dash_reads_questions_from_standard_input() -> None:
    lines = '{"question": "What do bees make?", "expected": "honey"}\n'
    result = run("eval", "-", "-p", "keys", "--json", "--min-right", "100", stdin=lines)
    assert (result.exit_code, [each["verdict"] for each in json.loads(result.stdout)["questions"]]) == (0, ["RIGHT"])
    refused = run("eval", "-", "-p", "keys", stdin='{"question": 1}\n')
    assert (refused.exit_code, refused.stderr.splitlines()) == (
        2,
        ["footnote: standard input, line 1: `question`: input should be a valid string"],
    )


@pytest.mark.parametrize("share", ["101", "nan", "many"])
def test_a_share_need_not_be_a_whole_number(share: str) -> None:
    refused = run("eval", "-", "-p", "keys", "--min-right", share)
    told = "footnote: Invalid value for “--min-right”: give a number from 0 to 100. See `footnote eval --help`.\n"
    assert (refused.exit_code, refused.stderr) == (2, told)


def test_the_file_of_a_backup_that_does_not_exist_is_an_invalid_argument() -> None:
    for name, problem in (("nothing.db", "file “nothing.db” does not exist"), (".", "file “.” is a directory")):
        result = run("restore", name)
        told = f"footnote: Invalid value for “FILE”: {problem}. See `footnote restore --help`.\n"
        assert (result.exit_code, result.stderr) == (2, told)


@pytest.mark.parametrize("criterion", ["titleContains=", "titleContains", "metadata.=1", "metadata.", "status="])
def test_a_filter_that_names_nothing_is_refused(criterion: str) -> None:
    """All documents, or none, were not meant."""
    result = run("search", "bees", "-p", "keys", "--filter", criterion)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert result.stderr.startswith(f"footnote: --filter {criterion}: ")


def test_the_name_of_a_reranker_without_a_server_is_refused() -> None:
    """Otherwise nothing would be reranked, and nobody told."""
    needs = "needs RERANK_URL, the server that has it, or must be the name of a file, such as llamacpp/PATH.gguf."
    result = run("projects", RERANK_MODEL="my-reranker")
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        f"footnote: RERANK_MODEL=my-reranker {needs}\n",
    )
