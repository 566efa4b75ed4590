"""`footnote eval`: questions with known answers, counted, compared, interrupted, and refused with the line number."""

import contextlib
import json
import signal
import sqlite3
import threading
from collections.abc import Callable, Generator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from app.settings import Settings
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, running
from tests.serving import serve
from tests.terminal import on_a_terminal

Run = Callable[..., Result]

RETURNS = {
    "question": "Within how many days may goods be returned?",
    "expected": "30 days",
    "documents": ["returns.md"],
}
SHIPS = {
    "id": "ships",
    "question": "From where are parcels shipped?",
    "accept": ["ham+burg"],
    "documents": ["Shipping"],
}
CHESS = {"question": "Who won the chess championship?", "answerable": False}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database that has the project “shop”."""
    folder = tmp_path_factory.mktemp("eval")
    (folder / "returns.md").write_text("# Returns\n\nGoods may be returned within 30 days of delivery.\n")
    (folder / "ships.md").write_text("# Shipping\n\nParcels are shipped from Hamburg on every working day.\n")
    with contextlib.chdir(folder):
        assert CliRunner().invoke(cli, ["ingest", "returns.md", "ships.md", "-p", "shop"]).exit_code == 0
    return folder


@pytest.fixture
def evaluate(folder: Path) -> Generator[Run]:
    """Run `footnote eval` there with these lines as the file; returns its output."""

    def run(lines: list[Any], *arguments: str, code: int = 0, **settings: str) -> Result:
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        Path("questions.jsonl").write_text("\n".join(texts) + "\n")
        result = CliRunner(env={"COLUMNS": "100", **settings}).invoke(
            cli, ["eval", "questions.jsonl", "-p", "shop", *arguments]
        )
        assert result.exit_code == code, (result.output, result.exception)
        return result

    with contextlib.chdir(folder):
        yield run


def rows(table: str) -> dict[str, str]:
    """The table of counts by name."""
    return {line[:29].strip(): line[29:].strip() for line in table.splitlines() if line}


def test_answers_are_counted_by_what_is_expected(evaluate: Run, folder: Path) -> None:
    wrong = {"id": "wrong", "question": "May goods be returned after delivery?", "expected": "0 days"}
    lost = {"question": "Who may return a walrus to the zoo of Basel?", "expected": "nobody", "documents": ["ships.md"]}
    only_document = {"question": "From which city are parcels shipped?", "documents": ["ships.md"]}
    there = {"question": "Parcels are shipped from Hamburg when?", "answerable": False}
    lines = [RETURNS, SHIPS, CHESS, wrong, lost, only_document, there]
    found = json.loads(evaluate(lines, "--json", "--at-once", "3").stdout)
    by_line = {result["line"]: result for result in found["questions"]}
    assert [by_line[line]["verdict"] for line in range(1, 8)] == [
        "RIGHT",
        "RIGHT",
        "REFUSED_RIGHTLY",
        "WRONG",
        "REFUSED_WRONGLY",
        "UNCHECKED",
        "ANSWERED_WRONGLY",
    ]
    summary = found["summary"]
    counts = ("answerable", "right", "wrong", "refusedWrongly", "unchecked", "notThere", "refusedRightly")
    assert [summary[name] for name in counts] == [5, 2, 1, 1, 1, 2, 1]
    assert summary["score"] == 3 / 6
    assert (summary["withDocuments"], summary["found"], summary["cited"]) == (4, 3, 3)
    assert (by_line[1]["rank"], by_line[1]["cited"], by_line[5]["found"], by_line[3]["found"]) == (1, True, False, None)
    assert by_line[1]["support"] > 0.9
    assert by_line[1]["content"] == "Goods may be returned within 30 days of delivery [1]."
    assert by_line[1]["inputTokens"] > by_line[1]["outputTokens"] > 0
    assert (found["complete"], found["model"]) == (True, "embedded/extractive")
    shown = evaluate(lines, "--min-right", "50").stdout
    assert "wrong             May goods be returned after delivery?\n                  wrong: Goods may" in shown
    table = rows(shown[shown.index("7 questions") :])
    assert table["right"] == "2 of 4 (50%)"
    assert table["refused rightly"] == "1 of 2 (50%)"
    assert table["document found"] == "3 of 4 (75%)"
    evaluate(lines, "--min-right", "51", code=1)
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as connection:
        assert connection.execute("SELECT count(*) FROM chat_sessions").fetchone() == (0,)


@pytest.mark.parametrize(
    ("expected", "is_right"),
    [("HAMBURG  on", True), ("Ham", False), ("every working day.", True), ("burg", False), ("\uff28amburg", True)],
)
def test_the_expected_text_is_found_as_whole_words(evaluate: Run, expected: str, is_right: bool) -> None:
    result = json.loads(evaluate([{**SHIPS, "accept": [], "expected": expected}], "--json").stdout)
    assert (result["questions"][0]["verdict"] == "RIGHT") is is_right


def test_numbers_are_not_found_in_longer_numbers(evaluate: Run) -> None:
    with running(OpenAIServer(lambda _: ["They cost 1,300.50 euros [1]."])) as server:
        model = {"OPENAI_BASE_URL": server.url, "CHAT_MODEL": "openai/chat"}
        lines = [{**RETURNS, "id": number, "expected": number} for number in ("300", "1,300", "50", "1,300.50", "1")]
        found = json.loads(evaluate(lines, "--json", "--open", **model).stdout)
    assert [result["verdict"] == "RIGHT" for result in found["questions"]] == [False, False, False, True, False]


def test_two_runs_are_compared_while_a_server_runs(evaluate: Run, folder: Path) -> None:
    with serve(Settings.model_validate({"database_url": f"sqlite:///{folder}/footnote.db"})):
        evaluate([RETURNS, SHIPS, CHESS], "--save", "first.json")
        again = evaluate([SHIPS, RETURNS], "--against", "first.json", "--set", "ragTopK=1").stdout
        assert again.splitlines()[0].split() == ["2", "questions", "in", "both", "before", "now"]
        worse = evaluate([RETURNS, SHIPS], "--against", "first.json", "--set", "ragThreshold=1", code=1).stdout
        assert worse.count("No longer right: ") == 2
        found = json.loads(
            evaluate([RETURNS], "--against", "first.json", "--set", "ragThreshold=1", "--json", code=1).stdout
        )
    assert found["options"] == {"ragThreshold": 1.0}
    assert (found["against"]["worse"], found["against"]["better"]) == (["1"], [])
    assert (found["against"]["before"]["right"], found["against"]["now"]["right"]) == (1, 0)


def test_the_same_question_with_other_expectations_is_compared_in_its_order(evaluate: Run) -> None:
    other = {**RETURNS, "expected": "40 days"}
    evaluate([RETURNS, other], "--save", "twice.json", "--min-right", "50")
    same = json.loads(evaluate([RETURNS, other], "--against", "twice.json", "--json", "--at-once", "2").stdout)
    assert (same["against"]["better"], same["against"]["worse"]) == ([], [])
    assert (same["against"]["before"]["right"], same["against"]["now"]["right"]) == (1, 1)
    # A question more than before is in one of the runs alone.
    mended = json.loads(evaluate([CHESS, RETURNS, RETURNS, other], "--against", "twice.json", "--json").stdout)
    assert (mended["against"]["better"], mended["against"]["worse"]) == (["3"], [])
    assert mended["against"]["before"]["questions"] == 2


@pytest.mark.parametrize(
    ("number", "name"), [(signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM"), (signal.SIGHUP, "SIGHUP")]
)
def test_ctrl_c_keeps_what_was_answered(folder: Path, number: int, name: str) -> None:
    second = threading.Event()

    def answer(body: Any) -> list[str]:
        if SHIPS["question"] in body["messages"][-1]["content"]:
            second.set()
            return ["From ", "Hamburg [1]."]
        return ["Within 30 days [1]."]

    (folder / "two.jsonl").write_text(f"{json.dumps(RETURNS)}\n{json.dumps(SHIPS)}\n")
    with running(OpenAIServer(answer, faults=[None, Break("stall", after=1)])) as server:
        model = {"OPENAI_BASE_URL": server.url, "CHAT_MODEL": "openai/chat"}
        arguments = ["two.jsonl", "-p", "shop", "--at-once", "1", "--save", "part.json"]
        with on_a_terminal(folder, "eval", *arguments, **model) as terminal:
            assert second.wait(120)
            terminal.interrupt(number)
            shown = terminal.until(f"stopped by {name}; 1 of 2 questions were answered; they are saved in part.json.")
            assert "1 of 1 (100%)" in shown
            assert terminal.end() == 128 + number
    kept = json.loads((folder / "part.json").read_text())
    assert (kept["complete"], [result["content"] for result in kept["questions"]]) == (False, ["Within 30 days [1]."])
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as connection:
        assert connection.execute("SELECT count(*) FROM chat_sessions").fetchone() == (0,)


def test_the_next_run_deletes_what_one_that_was_killed_has_left(evaluate: Run, folder: Path) -> None:
    """And nothing else: not what a person has called alike."""
    asked = threading.Event()

    def answer(_: Any) -> list[str]:
        asked.set()
        return ["Within ", "30 days [1]."]

    (folder / "one.jsonl").write_text(f"{json.dumps(RETURNS)}\n")
    with running(OpenAIServer(answer, faults=[Break("stall", after=1)])) as server:
        model = {"OPENAI_BASE_URL": server.url, "CHAT_MODEL": "openai/chat"}
        with on_a_terminal(folder, "eval", "one.jsonl", "-p", "shop", **model) as terminal:
            assert asked.wait(120)
            terminal.interrupt(signal.SIGKILL)
            assert terminal.end() == -signal.SIGKILL
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as connection:
        [(left,)] = connection.execute("SELECT title FROM chat_sessions").fetchall()
        assert left.startswith("footnote eval ")
        connection.executescript(
            "CREATE TEMP TABLE own AS SELECT * FROM chat_sessions; UPDATE own SET id = 'own', title = 'footnote eval';"
            "INSERT INTO chat_sessions SELECT * FROM own"
        )
        evaluate([RETURNS])
        assert connection.execute("SELECT title FROM chat_sessions").fetchall() == [("footnote eval",)]
        with connection:
            connection.execute("DELETE FROM chat_sessions")


def test_what_was_left_on_another_machine_is_deleted_after_a_day(evaluate: Run, folder: Path) -> None:
    assert CliRunner().invoke(cli, ["ask", "Within how many days?", "-p", "shop"]).exit_code == 0
    with contextlib.closing(sqlite3.connect(folder / "footnote.db")) as connection:
        [(last,)] = connection.execute("SELECT last_activity_at FROM chat_sessions").fetchall()
        form = "%Y-%m-%d %H:%M:%S.%f"
        for hours, run in ((23, "a"), (25, "b")):
            with connection:
                since = (datetime.strptime(last, form) - timedelta(hours=hours)).strftime(form)
                title = f"footnote eval elsewhere:1:{run * 12}"
                connection.execute("CREATE TEMP TABLE own AS SELECT * FROM chat_sessions LIMIT 1")
                connection.execute("UPDATE own SET id = ?, title = ?, last_activity_at = ?", (run, title, since))
                connection.executescript("INSERT INTO chat_sessions SELECT * FROM own; DROP TABLE own")
        evaluate([RETURNS])
        left = connection.execute("SELECT title FROM chat_sessions WHERE title LIKE 'footnote eval%'").fetchall()
        assert left == [(f"footnote eval elsewhere:1:{'a' * 12}",)]
        with connection:
            connection.execute("DELETE FROM chat_sessions")


def test_failed_answers_are_told_and_the_others_counted(evaluate: Run) -> None:
    settings = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "CHAT_MODEL": "openai/none"}
    result = evaluate([RETURNS, CHESS], code=1, **settings)
    assert "failed            Within how many days may goods be returned?\n" in result.stdout
    problem = "none at openai cannot be reached: the connection was refused."
    assert problem in result.stdout
    assert result.stderr.count(f"footnote: {problem} Its address is http://127.0.0.1:9 (OPENAI_BASE_URL).\n") == 1
    assert rows(result.stdout)["refused rightly"] == "1 of 1 (100%)"


BAD = {
    '{"question": "Why?", "expected": "x"': "it is not JSON, or not UTF-8",
    "[" * 60_000: "it is not JSON, or not UTF-8",
    "x" * 64_001: "it has more than 64,000 bytes",
    "[1]": "it is not a JSON object",
    '{"expected": "x"}': "`question` is missing",
    '{"question": " ", "expected": "x"}': "`question`: The question must not be empty.",
    '{"qestion": "Why?", "expected": "x"}': "there is no field `qestion`; the fields are id, question, expected, acc",
    '{"question": "Why?"}': "say what is expected: `expected`, `accept`, `documents` or `answerable: false`",
    '{"question": "Why?", "accept": ["("]}': "`accept.0`: “(” is not a regular expression: missing )",
    '{"question": "Why?", "accept": "x"}': "`accept` must be a list",
    '{"question": "Why?", "answerable": false, "expected": "x"}': "with `answerable: false`, leave out `expected`",
    '{"question": "Why?", "expected": "x", "id": "1"}': "another line has the `id` “1” too",
}


def test_every_bad_line_is_named_and_nothing_is_asked(evaluate: Run) -> None:
    result = evaluate([RETURNS, *BAD, "", SHIPS], code=2)
    told = result.stderr.replace("footnote: ", "").splitlines()
    assert len(told) == len(BAD)
    for number, (line, problem) in enumerate(zip(told, BAD.values(), strict=True), 2):
        assert line.startswith(f"questions.jsonl, line {number}: {problem}")
    assert result.stdout == ""
    missing = evaluate([SHIPS, {**RETURNS, "documents": ["returns.md", "none.md"]}], code=2).stderr
    assert missing.startswith("footnote: questions.jsonl, line 2: There is no document “none.md” in project “shop”. ")


def test_what_the_other_run_has_not_asked_is_told_and_a_run_of_other_questions_is_refused(evaluate: Run) -> None:
    """Nothing would be compared, and a pipeline would take that for a success."""
    evaluate([RETURNS], "--save", "of-returns.json")
    told = evaluate([SHIPS], "--against", "of-returns.json", code=2).stderr
    problem = "has none of these questions: it is a run of questions.jsonl. There is nothing to compare."
    assert told == f"footnote: of-returns.json {problem}\n"
    some = evaluate([CHESS, RETURNS, SHIPS], "--against", "of-returns.json")
    assert "1 question in both" in some.stdout
    assert "2 questions not compared: not in the other run." in some.stderr.splitlines()


def test_wrong_arguments_are_told_before_anything_is_asked(evaluate: Run, folder: Path) -> None:
    assert evaluate([""], code=2).stderr == "footnote: questions.jsonl has no questions.\n"
    one = [RETURNS]
    assert evaluate(one, "--set", "ragTopK=51", code=2).stderr == "footnote: `ragTopK` must be between 1 and 50.\n"
    assert "--set ragTopk=8: give NAME=VALUE" in evaluate(one, "--set", "ragTopk=8", code=2).stderr
    told = evaluate(one, "--against", "questions.jsonl", code=2).stderr
    assert told == "footnote: questions.jsonl is not a run saved with `footnote eval --save`.\n"
    assert "cannot be saved as none/run.json" in evaluate(one, "--save", "none/run.json", code=2).stderr
    many = [{"question": "Why?", "expected": "x"}] * 5001
    assert evaluate(many, code=2).stderr == "footnote: questions.jsonl has more than 5,000 questions.\n"
    assert not (folder / "none").exists()
