"""What commands say, and how they exit, when something is wrong: arguments, settings, files, output."""

import contextlib
import errno
import json
import socket
import subprocess
from pathlib import Path

import pytest

from app.cli import streams
from tests.cli.conftest import QUESTION, Run
from tests.forks.commands import start_footnote


def test_failing_files_are_named_with_a_reason_and_the_others_are_ingested(footnote: Run, docs: Path) -> None:
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    (docs / "empty.md").write_bytes(b"")
    result = footnote("ingest", str(docs), "-p", "shop")
    assert result.returncode == 1
    assert result.stdout.startswith("shop: 2 ingested (2 chunks), 2 failed, 1 skipped")
    assert "  docs/empty.md: The document is empty: it has no bytes. (EMPTY)\n" in result.stdout
    assert "  docs/broken.pdf: " in result.stdout
    assert result.stdout.rstrip().endswith("(BROKEN)")


def test_an_unknown_project_error_names_the_known_ones(footnote: Run, docs: Path) -> None:
    footnote("migrate")
    empty = footnote("ask", "Anything?", "-p", "nope")
    assert (empty.returncode, empty.stdout) == (2, "")
    assert "There is no project in footnote.db yet; `footnote ingest` creates one." in empty.stderr
    footnote("ingest", str(docs), "-p", "shop")
    assert "Projects: “shop”." in footnote("search", "x", "-p", "nope").stderr


def test_errors_say_what_is_possible_instead(footnote: Run, docs: Path, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "film.mp4").write_bytes(bytes(9))
    bare = footnote("ingest", "bare", "-p", "shop")
    assert (bare.returncode, bare.stdout) == (2, "")
    assert bare.stderr.startswith(
        "footnote: Footnote found no document in bare that it can read; it reads PDF, Word (.docx), "
    )
    large = footnote("ingest", str(docs / "returns.md"), "-p", "shop", MAX_UPLOAD_BYTES="1000")
    assert large.returncode == 0
    (docs / "returns.md").write_text("Goods. " * 1000)
    large = footnote("ingest", str(docs / "returns.md"), "-p", "shop", MAX_UPLOAD_BYTES="1000")
    assert (
        "  docs/returns.md: The document is larger than the 1,000 bytes allowed (MAX_UPLOAD_BYTES). (TOO_LARGE)\n"
        in large.stdout
    )
    for command in ("ask", "search"):
        empty = footnote(command, "", "-p", "shop")
        assert (empty.returncode, empty.stderr) == (2, "footnote: The question must not be empty.\n")
    footnote("export", "-p", "shop", "--to", str(tmp_path / "chats"))
    assert list((tmp_path / "chats").rglob("*")) == [], "no empty chat is left"


def test_arguments_that_are_invalid_are_told_from_what_fails(footnote: Run, docs: Path) -> None:
    """Whether the command line itself shows it, or only the database and the settings do."""
    footnote("ingest", str(docs), "-p", "shop")
    footnote("ingest", str(docs), "-p", "shed")
    for wrong, says in {
        ("--set", "ragTopk=8"): "give NAME=VALUE",
        ("--set", "ragTopK=800"): "`ragTopK` must be between 1 and 50.",
        ("--model", "nobody/x"): "There is no model “nobody/x” here",
        ("-p", "nosuch"): "There is no project “nosuch” in footnote.db.",
        (): "There are 2 projects in footnote.db: name one with --project.",
    }.items():
        project = () if "-p" in wrong or not wrong else ("-p", "shop")
        for command in ("ask", "preview"):
            invalid = footnote(command, QUESTION, *project, *wrong)
            assert (invalid.returncode, invalid.stdout) == (2, "")
            assert says in invalid.stderr
            assert len(invalid.stderr.splitlines()) == 1
    failed = footnote("ask", QUESTION, "-p", "shop", "--model", "openai/x", OPENAI_BASE_URL="http://127.0.0.1:1")
    assert failed.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("ask", "Missing argument “QUESTION”. See `footnote ask --help`."),
        ("ask x --all", "No such option: --all. See `footnote ask --help`."),
        (
            "documents find",
            "No such command “find”. Commands: list, delete, retry, reread. See `footnote documents --help`.",
        ),
        ("aks x", "No such command “aks”. Did you mean “ask”? See `footnote --help`."),
        (
            "search x --top 99",
            "Invalid value for “--top” / “-n”: give a whole number from 1 to 50. See `footnote search --help`.",
        ),
        (
            "serve --port http",
            "Invalid value for “--port”: give a whole number from 0 to 65535. See `footnote serve --help`.",
        ),
        (
            "chat -p x --session y",
            "Give either --project, for a new chat session, or --session to continue one. See `footnote chat --help`.",
        ),
        ("serve --port", "Option “--port” requires an argument."),
    ],
)
def test_arguments_that_cannot_be_read_are_told_in_one_line(process: Run, arguments: str, says: str) -> None:
    wrong = process(*arguments.split(), COLUMNS="40")
    assert (wrong.returncode, wrong.stdout, wrong.stderr) == (2, "", f"footnote: {says}\n")


@pytest.mark.parametrize(
    ("settings", "model", "place"),
    [
        ({"OLLAMA_HOST": "http://kim:secret@127.0.0.1:1"}, "ollama/x", "http://127.0.0.1:1 (OLLAMA_HOST)"),
        (
            {"OPENAI_BASE_URL": "http://127.0.0.1:1/secret?key=secret"},
            "openai/x",
            "http://127.0.0.1:1 (OPENAI_BASE_URL)",
        ),
    ],
)
def test_the_operator_sees_the_address_of_a_model_that_does_not_answer(
    process: Run, footnote: Run, docs: Path, settings: dict[str, str], model: str, place: str
) -> None:
    footnote("ingest", str(docs), "-p", "shop")
    ask = ("ask", "Within how many days may goods be returned?", "-p", "shop", "--model", model)
    asked = process(*ask, **settings)
    problem = f"x at {model.partition('/')[0]} cannot be reached: the connection was refused."
    told = f"footnote: {problem} Its address is {place}.\n"
    assert (asked.returncode, asked.stderr) == (1, told)
    asked = process(*ask, "--json", **settings)
    assert (asked.returncode, asked.stderr) == (1, told)
    assert json.loads(asked.stdout)["failure"] == {"code": "MODEL_UNAVAILABLE", "message": problem}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"PORT": "many"}, "PORT=many: must be a whole number between 0 and 65535."),
        ({"CHAT_MODEL": "nobody/x"}, "CHAT_MODEL=nobody/x: there is no model “nobody/x” here"),
        ({"HOST": "0.0.0.0", "REQUIRE_SIGN_IN": "false"}, "HOST=0.0.0.0 can be reached from other machines"),
        ({"DATABASE_URL": "nonsense"}, "DATABASE_URL is not a database URL"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_line(footnote: Run, settings: dict[str, str], says: str) -> None:
    result = footnote("serve", **settings)
    assert (result.returncode, result.stdout) == (2, "")
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_file_that_is_not_a_database_is_reported(process: Run, footnote: Run, tmp_path: Path) -> None:
    (tmp_path / "footnote.db").write_text("This is a letter, not a database. " * 100)
    for command in ("serve", "migrate", "projects", "copy --to sqlite:///new.db"):
        result = (process if command == "serve" else footnote)(*command.split())
        assert (
            result.stderr.strip()
            == "footnote: The database footnote.db (DATABASE_URL) cannot be used: file is not a database."
        )
        assert result.returncode == 2


def test_a_deleted_folder_is_reported(footnote: Run, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    with contextlib.chdir(tmp_path / "gone"):
        (tmp_path / "gone").rmdir()
        ended = footnote("migrate")
    message = "footnote: The current folder was deleted; change to another one.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", message)


def test_a_port_in_use_is_reported(process: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = process("serve", "--port", str(taken.getsockname()[1]))
    assert result.returncode == 2
    assert "cannot be used (Address already in use)" in result.stderr


def test_an_output_that_cannot_be_written_is_reported_in_one_line(footnote: Run, docs: Path, tmp_path: Path) -> None:
    assert footnote("ingest", str(docs / "deep"), "-p", "docs").returncode == 0
    question = ("ask", "From where are parcels shipped?", "-p", "docs")
    for command in (("projects",), ("documents", "list", "--json"), question, ("--help",)):
        with (
            Path("/dev/full").open("w") as full,
            start_footnote(*command, folder=tmp_path, stdout=full, stderr=subprocess.PIPE) as failed,
        ):
            told = failed.communicate()[1]
        assert told == "footnote: The output cannot be written: No space left on device.\n"
        assert failed.returncode == 1


def test_a_terminal_without_unicode_gets_escapes(process: Run, docs: Path) -> None:
    (docs / "größe 😀.md").write_text("Größe: 5 Meter.")
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    assert process("--help", **ascii_only).returncode == 0
    assert process("ingest", str(docs), "-p", "docs", **ascii_only).returncode == 0
    listed = process("documents", "list", **ascii_only)
    assert (listed.returncode, "gr\\u00f6\\u00dfe \\ud83d\\ude00.md" in listed.stdout) == (0, True)
    as_json = process("documents", "list", "--json", **ascii_only).stdout
    assert "größe 😀.md" in [document["title"] for document in json.loads(as_json)]


def test_other_failures_leave_the_output_alone(capfd: pytest.CaptureFixture[str]) -> None:
    streams.end_if_output_failed(FileNotFoundError(errno.ENOENT, "No such file or directory"))
    assert capfd.readouterr() == ("", "")


def test_commands_work_with_their_standard_streams_closed(shell: Run, docs: Path) -> None:
    (docs / "deep" / "table.csv").write_text("item,price\npen,2\n")  # read by a process that inherits the streams
    assert shell("ingest docs/deep -p docs <&- >&- 2>&-").returncode == 0
    assert shell("projects <&-").stdout.splitlines()[1].split() == ["docs", "2", "2", "ready"]
