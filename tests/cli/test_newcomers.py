"""What newcomers read first, and what they are told when a command nearly says what they mean."""

import contextlib
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.commands import cli
from app.knowledge.parsing.formats import SUPPORTED_FORMATS
from tests import newest
from tests.forks.commands import start_footnote

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a project that has a document, and one in which nothing could be read."""
    folder = tmp_path_factory.mktemp("newcomers")
    newest.put(folder / "footnote.db")
    (folder / "bees.md").write_text("# Bees\n\nBees make honey in hives.\n")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    with contextlib.chdir(folder):
        assert run("ingest", "bees.md", "-p", "docs")[0] == 0
        assert run("ingest", "broken.pdf", "-p", "scans")[0] == 1
    return folder


@pytest.fixture(autouse=True)
def inside(folder: Path) -> Generator[None]:
    with contextlib.chdir(folder):
        yield


def run(*arguments: str, **settings: str) -> tuple[int, str, str]:
    """The exit code of a command, what it prints, and what it reports."""
    ended = CliRunner(env={"COLUMNS": "100", **settings}).invoke(cli, arguments, prog_name="footnote")
    return ended.exit_code, ended.stdout, ended.stderr


def banner(folder: Path, command: Sequence[str] = (), **settings: str) -> list[str]:
    """What `footnote serve`, or another command, prints until it serves, with its first hint."""
    environment = {**os.environ, "SAMPLE_PROJECT": "true", "PYTHONPATH": str(ROOT), **settings}
    arguments = ("serve", "--port", "0")
    started = (
        subprocess.Popen([*command, *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
        if command
        else start_footnote(*arguments, folder=folder, environment=environment, stdout=subprocess.PIPE)
    )
    lines: list[str] = []
    with started as server:
        try:
            assert server.stdout is not None
            for line in server.stdout:
                lines.append(line.rstrip())
                if "--project" in line:
                    break
            server.terminate()
            assert server.wait(60) == 0
        finally:
            server.kill()
    return lines


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({}, ["page", "playground", "health"]),
        ({"PLAYGROUND": "false"}, ["page", "graphql", "health"]),
        ({"PAGE": "false", "PLAYGROUND": "false"}, ["graphql", "health"]),
    ],
)
def test_the_start_names_the_addresses_that_there_are(
    tmp_path: Path, settings: dict[str, str], names: list[str]
) -> None:
    shown = [line.split() for line in banner(tmp_path, **settings) if "http://" in line]
    assert [name for name, _ in shown] == names
    [graphql] = [url for name, url in shown if name in ("playground", "graphql")]
    assert graphql.endswith("/graphql")


@pytest.mark.skipif(sys.platform == "win32", reason="programs are no scripts")
def test_the_first_question_names_a_program_that_another_terminal_finds(tmp_path: Path) -> None:
    """One in an environment, such as those that uvx makes and removes, is on the path of this terminal alone."""
    program = tmp_path / "bin" / "footnote"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom app.cli import main\nmain()\n")
    program.chmod(0o755)
    on_path = {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    assert banner(tmp_path, ["bin/footnote"])[-1].startswith("  bin/footnote ask ")
    assert banner(tmp_path, ["footnote"], **on_path)[-1].startswith("  footnote ask ")
    assert banner(tmp_path, [str(program)])[-1].startswith(f"  {program} ask ")
    (tmp_path / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    (program.parent / "python").symlink_to(Path(sys.executable).resolve())
    program.write_text(f"#!{program.parent}/python\nfrom app.cli import main\nmain()\n")
    on_path["PYTHONPATH"] = f"{ROOT}{os.pathsep}{sysconfig.get_path('purelib')}"
    for workers in ("1", "2"):
        shown = banner(tmp_path, ["footnote"], **on_path, WORKERS=workers)[-1]
        assert shown.startswith(f"  {program} ask ")


def test_a_project_in_which_nothing_is_ready_is_not_called_ready() -> None:
    assert [line.split(maxsplit=3) for line in run("projects")[1].splitlines()] == [
        ["project", "documents", "chunks", "state"],
        ["docs", "1", "1", "ready"],
        ["scans", "1", "0", "1 failed"],
    ]
    listed = json.loads(run("projects", "--json")[1])
    assert [(project["name"], project["state"]) for project in listed] == [("docs", "READY"), ("scans", "FAILED")]


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("embedded/foo", "There is no model “embedded/foo” here; there is embedded/extractive."),
        (
            "embedded/wordllama",
            "“embedded/wordllama” is an embedding model, not a chat model; there is embedded/extractive.",
        ),
    ],
)
def test_only_models_that_answer_are_offered_for_answers(model: str, says: str) -> None:
    for command in ("ask", "preview"):
        assert run(command, "What do bees make?", "-p", "docs", "--model", model) == (2, "", f"footnote: {says}\n")
    chat, says = f"CHAT_MODEL={model}: ", says[:1].lower() + says[1:]
    assert run("ask", "What do bees make?", "-p", "docs", CHAT_MODEL=model) == (2, "", f"footnote: {chat}{says}\n")


def test_only_models_that_compute_vectors_are_offered_for_search() -> None:
    code, _, told = run("reembed", "-p", "docs", "--model", "embedded/extractive")
    says = "“embedded/extractive” is a chat model, not an embedding model; there is embedded/wordllama"
    assert (code, told.startswith(f"footnote: {says}")) == (2, True)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (
            "ask What does honey cost? -p docs",
            "Got unexpected extra argument(s) (does honey cost?). Put text of several words in quotation marks.",
        ),
        (
            "search honey --project my docs",
            "Got unexpected extra argument(s) (docs). Put text of several words in quotation marks.",
        ),
        ("search honey -project docs", "No such option: -project. Did you mean --project?"),
        ("chat -session x", "No such option: -session. Did you mean --session?"),
    ],
)
def test_words_without_quotation_marks_and_options_with_one_dash_get_a_hint(command: str, says: str) -> None:
    words = command.split()
    see = f" See `footnote {words[0]} --help`."
    assert run(*words) == (2, "", f"footnote: {says}{see}\n")


def test_a_dash_that_is_meant_is_no_mistake() -> None:
    assert run("search", "honey", "-pdocs")[0] == 0
    assert run("search", "-p", "docs", "--", "-project")[0] == 3
    assert run("search", "honey", "--project", "-project")[2].startswith("footnote: There is no project “-project”")


def test_a_project_spelled_almost_right_is_suggested() -> None:
    for name in ("Docs", "dosc"):
        code, _, told = run("ask", "What do bees make?", "--project", name)
        says = f"There is no project “{name}” in footnote.db; did you mean “docs”? Projects: “docs”, “scans”."
        assert (code, told) == (2, f"footnote: {says}\n")


def test_an_empty_folder_is_called_empty(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "film.mp4").write_bytes(b"\x00\x00\x00\x18ftypmp42")
    with contextlib.chdir(tmp_path):
        assert run("ingest", "bare", "-p", "new") == (2, "", "footnote: bare is empty.\n")
        code, _, told = run("ingest", "odd", "bare", "-p", "new")
    says = f"Footnote found no document in odd, bare that it can read; it reads {SUPPORTED_FORMATS}."
    assert (code, told) == (2, f"footnote: {says}\n")


def test_a_model_that_is_used_already_is_no_news() -> None:
    says = "docs: already embedded with embedded/wordllama\n"
    assert run("reembed", "--project", "docs") == (0, says, "")


def test_every_failure_has_a_code(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "tool.txt").write_bytes(b"\x7fELF\x00")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    lines = run("ingest", *map(str, sorted(tmp_path.iterdir())), "-p", "codes")[1].splitlines()[1:]
    assert [line.rpartition(" ")[2] for line in lines if ": " in line] == ["(EMPTY)", "(UNSUPPORTED)", "(BROKEN)"]
    assert "Programs cannot be read. Footnote reads PDF, Word (.docx), " in lines[1]


def test_projects_that_keep_their_model_are_told_of(folder: Path) -> None:
    """Where the setting names another one; without the setting, a project may use any."""
    other = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "EMBEDDING_MODEL": "openai/other"}
    says = (
        "EMBEDDING_MODEL=openai/other applies to new projects; “docs” uses embedded/wordllama. "
        "To switch a project: footnote reembed --project NAME"
    )
    assert run("projects", **other)[2] == f"{says}\n"
    assert run("projects")[2] == run("projects", EMBEDDING_MODEL="embedded/wordllama")[2] == ""
    # As for a start, which ends with the first line that names a project.
    assert banner(folder, SAMPLE_PROJECT="false", **other)[-1].startswith(says.partition("To switch")[0])
    (folder / "wasps.md").write_text("# Wasps\n\nWasps make paper.\n")
    assert run("ingest", "wasps.md", "-p", "animals")[0] == 0
    assert "; 2 projects, such as “animals”, use other models. To" in run("projects", **other)[2]
    assert run("projects", "delete", "animals", "--yes")[0] == 0
