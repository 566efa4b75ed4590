"""`footnote chat`: a conversation in the terminal, stopped and resumed, or read from a pipe."""

import contextlib
import json
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, running
from tests.terminal import on_a_terminal

Run = Callable[..., Result]

RETURNS, SHIPS = "Within how many days may goods be returned?", "From where are parcels shipped?"
WHEN = "And on which days are parcels shipped?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database that has the project “shop”."""
    folder = tmp_path_factory.mktemp("chat")
    (folder / "returns.md").write_text("# Returns\n\nGoods may be returned within 30 days of delivery.\n")
    (folder / "ships.md").write_text("# Shipping\n\nParcels are shipped from Hamburg on every working day.\n")
    with contextlib.chdir(folder):
        assert CliRunner().invoke(cli, ["ingest", "returns.md", "ships.md", "-p", "shop"]).exit_code == 0
    return folder


@pytest.fixture
def footnote(folder: Path) -> Generator[Run]:
    """Run `footnote` there; returns its output."""

    def run(*arguments: str, typed: str | bytes = "", code: int = 0, **settings: str) -> Result:
        result = CliRunner(env={"COLUMNS": "100", **settings}).invoke(cli, list(arguments), input=typed)
        assert result.exit_code == code, (result.output, result.exception)
        return result

    with contextlib.chdir(folder):
        yield run


def said(messages: list[dict[str, str]]) -> list[str]:
    """The conversation a model receives: questions and answers in turn."""
    return [message["content"] for message in messages if message["role"] != "system"]


def test_a_conversation_on_a_terminal_is_stopped_and_resumed(footnote: Run, folder: Path) -> None:
    """Ctrl-C stops an answer and keeps its text; the next question continues from the answered turns."""
    answers = iter([["Within 30 days ", "[1]."], ["Parcels ", "leave"], ["From Hamburg [1]."], ["On every one [1]."]])
    server = OpenAIServer(lambda _: next(answers), faults=[None, Break("stall", after=1)])
    with running(server):
        model = {"OPENAI_BASE_URL": server.url, "CHAT_MODEL": "openai/chat"}
        with on_a_terminal(folder, "chat", "-p", "shop", **model) as terminal:
            assert "Chat: shop. Ctrl-C stops an answer. /quit or Ctrl-D ends the chat." in terminal.until("\n> ")
            terminal.type(f"{RETURNS}\n")
            answer = terminal.until("\n> ")
            assert "\nWithin 30 days [1].\n\n[1] Returns\n    “Goods may be returned within 30 days of deliv" in answer
            terminal.type(f"{SHIPS}\n")
            terminal.until("Parcels")
            terminal.interrupt()
            stopped = terminal.until("\n> ")
            assert "Stopped. The question and the text so far are kept, but later answers do not build" in stopped
            terminal.until("/quit or Ctrl-D ends the chat.", interrupting=True)
            terminal.until("\n> ")
            terminal.type(f"{SHIPS}\n")
            terminal.until("[1] Shipping")
            terminal.until("\n> ")
            terminal.type("\x04")
            session = terminal.until("Continue with: footnote chat --session ") and terminal.until("\n").strip()
            assert terminal.end() == 0
        assert server.left.is_set(), "the model's request is closed"
        resumed = footnote("chat", "--session", session, typed=f"{WHEN}\n", **model)
        seen = footnote("preview", SHIPS, "--session", session, "--messages", "--json", **model)
    assert resumed.stdout.startswith("On every one [1].\n\n[1] Shipping\n")
    conversation = [RETURNS, "Within 30 days.", SHIPS, "From Hamburg.", WHEN]
    assert said(server.chats[2]["messages"]) == conversation[:3]
    assert said(server.chats[3]["messages"]) == conversation
    assert said(json.loads(seen.stdout)["messages"]) == [*conversation, "On every one.", SHIPS]


def test_an_answer_that_is_stopped_ends_its_line(folder: Path) -> None:
    with running(OpenAIServer(lambda _: ["Parcels", " leave"], faults=[Break("stall", after=1)])) as server:
        model = {"OPENAI_BASE_URL": server.url, "CHAT_MODEL": "openai/chat"}
        with on_a_terminal(folder, "ask", SHIPS, "-p", "shop", **model) as terminal:
            terminal.until("Parcels")
            terminal.interrupt()
            told = terminal.until("Continue with: footnote chat --session ")
            assert told.startswith("\nfootnote: stopped by Ctrl-C; the question and the text so far are kept. ")
            assert terminal.end() == 130


def test_questions_come_from_a_pipe(footnote: Run) -> None:
    typed = f"{RETURNS} \udcff\0\n\n/stop\n{SHIPS}\n/quit\nNever asked?\n".encode(errors="surrogateescape")
    chat = footnote("chat", typed=typed)  # in the only project
    assert chat.stdout == (
        "Goods may be returned within 30 days of delivery [1].\n\n"
        "[1] Returns\n    “Goods may be returned within 30 days of delivery.”\n\n"
        "Parcels are shipped from Hamburg on every working day [1].\n\n"
        "[1] Shipping\n    “Parcels are shipped from Hamburg on every working day.”\n"
    )
    unknown, ended = chat.stderr.splitlines()
    assert unknown == "There is no command /stop. Ctrl-C stops an answer. /quit or Ctrl-D ends the chat."
    assert ended.startswith("Continue with: footnote chat --session ")
    session = ended.rpartition(" ")[2]
    failed = footnote("chat", "--session", session, typed=f"{'?' * 100_001}\n{RETURNS}\n", code=1)
    assert failed.stderr.startswith("footnote: The question must have at most 100,000 characters")
    assert failed.stdout.startswith("\nGoods may be returned"), "the chat goes on"


def test_a_chat_that_cannot_start_says_why(footnote: Run) -> None:
    for command in (["chat"], ["preview", "Why?"]):
        assert "Give either --project" in footnote(*command, "-p", "shop", "--session", "x", code=2).stderr
    assert footnote("chat", "--session", "nope", code=2).stderr == (
        "footnote: There is no chat session “nope”; `footnote chat` prints the id of its session at the end.\n"
    )
    assert "Projects: “shop”." in footnote("chat", "-p", "shed", code=2).stderr
    model = footnote("chat", "-p", "shop", "--model", "nobody/x", typed="Why?\n", code=2)
    assert model.stderr.startswith("footnote: There is no model “nobody/x” here")
    assert footnote("chat", "-p", "shop", typed="").output == "", "no question, no session"


@pytest.mark.parametrize("command", ["ask", "preview", "search"])
def test_a_question_is_read_from_standard_input(footnote: Run, command: str) -> None:
    """All of it is one question, whatever bytes it has."""
    found = footnote(command, "-", "-p", "shop", "--json", typed=b"Where are parcels\nshipped from \xff?\n").output
    assert "Shipping" in found
    refused = footnote(command, "-", "-p", "shop", typed="word " * 100_000, code=2).output
    assert "at most 100,000 characters" in refused, refused


def test_nothing_piped_in_is_no_question(footnote: Run) -> None:
    assert "question" in footnote("ask", "-", "-p", "shop", typed=" \n", code=2).output
