"""What newcomers read first, and what they are told when a command nearly says what they mean."""

import contextlib
from collections.abc import Generator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.commands import cli
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
