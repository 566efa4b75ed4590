"""Wrong settings as a user gives them: one line that names the variable, what was given, and what is allowed."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.commands import cli
from app.settings import mistyped, read_settings

_BOOLEANS = "give true or false (also 1, yes, y, on; 0, no, n, off)."


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder without a `.env`, with a database that holds nothing yet."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "footnote.db").touch()


def told(**settings: str) -> str:
    """What the start says; no database is opened before the settings are right."""
    result = CliRunner().invoke(cli, ["search", "anything", "--project", "none"], env=settings)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    return result.stderr.removeprefix("footnote: ").removesuffix("\n")


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("REQUIRE_SIGN_IN", "maybe", _BOOLEANS),
        ("PLAYGROUND", "2", _BOOLEANS),
        ("LOG_LEVEL", "LOUD", "give DEBUG, INFO, WARNING or ERROR."),
        ("RAG_TOP_K", "-1", "give a whole number between 1 and 50."),
        ("RAG_TOP_K", "51", "give a whole number between 1 and 50."),
        ("RAG_TOP_K", "many", "give a whole number between 1 and 50."),
        ("RAG_THRESHOLD", "nan", "give a number between 0 and 1."),
        ("SIGN_IN_DAYS", "0", "give a number above 0 and at most 90."),
        ("MAX_TOKENS_PER_DAY", "0", "give a whole number of at least 1."),
        ("OPENAI_BASE_URL", "foo", "give an address with http:// or https://, such as http://127.0.0.1:8080/v1."),
        ("PUBLIC_URL", "chat.example.org", "give the address that users type, such as https://chat.example.org."),
        ("PUBLIC_URL", "https://a.example/#x", "give the address that users type, such as https://chat.example.org."),
        ("RERANK_URL", "ftp://x", "give an address with http:// or https://, such as http://127.0.0.1:8080/v1."),
        ("RERANK_URL", "http://", "give an address with http:// or https://, such as http://127.0.0.1:8080/v1."),
        ("OLLAMA_HOST", "f o o", "give an address like http://127.0.0.1:11434, or a host with or without its port."),
        (
            "OLLAMA_HOST",
            "foo:99999",
            "give an address like http://127.0.0.1:11434, or a host with or without its port.",
        ),
        (
            "TRUSTED_PROXIES",
            "127.0.0.1, 10.0.0.1/8",
            "'10.0.0.1/8' is not the address or network of a proxy; examples are 10.0.0.2, 10.0.0.0/8 and fd00::/8.",
        ),
        (
            "TRUSTED_PROXIES",
            "*",
            "'*' is not the address or network of a proxy; examples are 10.0.0.2, 10.0.0.0/8 and fd00::/8.",
        ),
        (
            "CORS_ORIGINS",
            "foo",
            "'foo' is not an origin; an example is https://chat.example.org, with its port, no path.",
        ),
        (
            "CHAT_MODEL",
            "openai/x",
            "there is no model “openai/x” here: openai/… needs OPENAI_API_KEY or OPENAI_BASE_URL.",
        ),
        ("PRIMARY_MODEL_ID", "ollama/x", "there is no model “ollama/x” here: ollama/… needs OLLAMA_HOST."),
        (
            "CHAT_MODEL",
            "foo",
            "there is no model “foo” here: names are provider/model, and there is embedded/…; not set up: ollama/… "
            "(OLLAMA_HOST), openai/… (OPENAI_API_KEY or OPENAI_BASE_URL), openrouter/… (OPENROUTER_API_KEY).",
        ),
        ("CHAT_MODEL", "embedded/wordllama", "the only embedded one is embedded/extractive."),
        ("EMBEDDING_MODEL", "embedded/x", "the only embedded one is embedded/wordllama."),
    ],
)
def test_a_wrong_value_is_told_with_what_is_allowed(name: str, value: str, allowed: str) -> None:
    assert told(**{name: value}) == f"{name}={value!r}: {allowed}"


def test_a_password_in_a_wrong_address_is_not_told() -> None:
    assert told(OPENAI_BASE_URL="ftp://me:hush@host").startswith("OPENAI_BASE_URL: give an address")


@pytest.mark.parametrize("host", ["foo", "foo:11434", ":11434", "[::1]:11434", "https://ollama.example.org/api"])
def test_ollama_hosts_are_taken_as_its_client_takes_them(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert read_settings().ollama_host == host


def test_an_empty_value_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PORT", "REQUIRE_SIGN_IN", "EMBEDDING_MODEL", "LOG_LEVEL", "OLLAMA_HOST"):
        monkeypatch.setenv(name, "")
    found = read_settings()
    assert (found.port, found.require_sign_in, found.embedding_model) == (8000, None, "embedded/wordllama")
    assert (found.log_level, found.ollama_host) == ("INFO", None)


def test_a_mistyped_name_in_the_file_is_told_with_the_nearest_one(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("CHAT_MODLE=openai/x\nQUARTZ=1\nRAG_TOP_K=7\n")
    assert mistyped() == [
        "CHAT_MODLE in .env is no setting and has no effect; did you mean CHAT_MODEL?",
        "QUARTZ in .env is no setting and has no effect.",
    ]
    with socket.create_server(("127.0.0.1", 0)) as taken:  # so that the start stops after it has told
        command = [sys.executable, "-m", "app", "serve", "--port", str(taken.getsockname()[1])]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert result.returncode == 2
    assert [line.partition(" app.cli.server.serve: ")[2] for line in result.stderr.splitlines()[:-1]] == mistyped()


def test_a_host_that_is_none_of_this_machine_is_blamed_and_not_the_port() -> None:
    for host in ("a..b", "192.0.2.1"):
        result = CliRunner().invoke(cli, ["serve"], env={"HOST": host})
        assert result.exit_code == 2
        assert result.stderr.startswith(f"footnote: HOST={host!r} is no address of this machine; ")
        assert len(result.stderr.splitlines()) == 1
