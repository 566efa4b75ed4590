"""`footnote export`: one conversation on standard output, or all those of a project in a folder."""

import contextlib
import json
import stat
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, Fault, Refusal, running

Run = Callable[..., Result]

QUESTIONS = ["Within how many days may goods be returned?", "../../How/ many\x1b[31m days?"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database that has two conversations in the project “shop”."""
    folder = tmp_path_factory.mktemp("export")
    (folder / "returns.md").write_text("# Returns\n\nGoods may be returned within 30 days of delivery.\n")
    with contextlib.chdir(folder):
        assert CliRunner().invoke(cli, ["ingest", "returns.md", "-p", "shop"]).exit_code == 0
        for question in QUESTIONS:
            asked = CliRunner().invoke(cli, ["chat", "-p", "shop"], input=f"{question}\n")
            assert asked.exit_code in (0, 3), asked.output
            (folder / f"session {QUESTIONS.index(question)}").write_text(asked.output.split()[-1])
    return folder


@pytest.fixture
def footnote(folder: Path) -> Generator[Run]:
    """Run `footnote` there; returns its output."""

    def run(*arguments: str, code: int = 0) -> Result:
        result = CliRunner(env={"COLUMNS": "100"}).invoke(cli, list(arguments))
        assert result.exit_code == code, (result.output, result.exception)
        return result

    with contextlib.chdir(folder):
        yield run


def test_all_conversations_of_a_project_are_written_to_a_folder(footnote: Run, folder: Path) -> None:
    target = folder / "new" / "here"
    for _ in ("new", "there already"):
        result = footnote("export", "-p", "shop", "--to", str(target))
        assert result.stdout == f"{target}: 2 conversations of shop\n"
    files = sorted(target.iterdir())
    assert len(files) == 2
    texts = [file.read_text(encoding="utf-8") for file in files]
    assert {text.splitlines()[0][:10] for text in texts} == {"# Within h", "# ../../Ho"}
    for part in ("## Question\n\nWithin how many days", "## Answer", "> “Goods may be returned within 30 days"):
        assert any(part in text for text in texts)
    assert sorted(file.name[10:26] for file in files) == ["-How-many-31m-da", "-Within-how-many"]
    assert {file.suffix for file in files} == {".md"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    footnote("export", "-p", "shop", "--to", str(folder / "data"), "--format", "json")
    found = [json.loads(file.read_text(encoding="utf-8")) for file in (folder / "data").iterdir()]
    assert {each["messages"][0]["content"] for each in found} >= {QUESTIONS[0]}


def test_one_conversation_is_printed(footnote: Run, folder: Path) -> None:
    session = (folder / "session 0").read_text()
    printed = footnote("export", session).stdout
    assert printed.startswith(f"# {QUESTIONS[0]}")
    assert "> “Goods may be returned within 30 days of delivery.”" in printed
    [citation] = json.loads(footnote("export", session, "-f", "json").stdout)["messages"][1]["citations"]
    assert citation["quotes"] == ["Goods may be returned within 30 days of delivery."]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "Give either the id of a chat session, or --project."),
        (["x", "-p", "shop"], 2, "Give either the id of a chat session, or --project."),
        (["-p", "shop"], 2, "Give --project and --to together"),
        (["x", "--to", "y"], 2, "Give --project and --to together"),
        (["x"], 2, "There is no chat session “x”"),
        (["-p", "ship", "--to", "y"], 2, "There is no project “ship”"),
        (["-p", "shop", "--to", "returns.md"], 1, "returns.md cannot be written: File exists."),
        (["-p", "shop", "--to", "returns.md/in"], 1, "returns.md/in cannot be written: Not a directory."),
        (["-p", "shop", "--to", "y", "-f", "html"], 2, "“html” is not one of"),
    ],
)
def test_an_export_that_cannot_be_made_says_why(footnote: Run, arguments: list[str], code: int, says: str) -> None:
    assert says in " ".join(footnote("export", *arguments, code=code).stderr.replace("│", " ").split())


@pytest.mark.parametrize(("faults", "text"), [([Refusal(401)], ""), ([Break("error", after=2)], "Within 30 days")])
def test_an_answer_that_failed_says_why(footnote: Run, tmp_path: Path, faults: list[Fault], text: str) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 ", "days", " [1]."], faults=faults)) as model:
        settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "key"}
        asked = CliRunner(env=settings).invoke(
            cli, ["ask", QUESTIONS[0], "-p", "shop", "--model", "openai/chat", "--json"]
        )
    assert asked.exit_code == 1, asked.output
    said = json.loads(asked.stdout)
    session, failure = said["chatSession"]["id"], said["failure"]
    exported = footnote("export", session).stdout
    assert exported.endswith("\n\n".join(filter(None, ["## Answer", text, f"*Failed: {failure['message']}*\n"])))
    [_, answer] = json.loads(footnote("export", session, "-f", "json").stdout)["messages"]
    assert (answer["status"], answer["content"]) == ("FAILED", text)
    assert {name: answer["failure"][name] for name in ("code", "message")} == failure
