"""What newcomers read first, and what they are told when a command nearly says what they mean."""

import contextlib
from collections.abc import Generator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.commands import cli
from app.knowledge.parsing.formats import SUPPORTED_FORMATS
from tests import newest


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
    chat, says = f"CHAT_MODEL='{model}': ", says[:1].lower() + says[1:]
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
