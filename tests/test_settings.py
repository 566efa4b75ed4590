"""Wrong settings: one line names the variable, the value given, and what is allowed."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.commands import cli
from app.settings import explain_unknown_names, read_settings
from tests.commands import run_here
from tests.forks.commands import run_footnote

_BOOLEANS = "must be true or false (also 1, yes, y, on; 0, no, n, off)."


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a folder without `.env`, with an empty database."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "footnote.db").touch()


def told(**settings: str) -> str:
    """The startup error; no database is opened before the settings are valid."""
    result = CliRunner().invoke(cli, ["search", "anything", "--project", "none"], env=settings)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    return result.stderr.removeprefix("footnote: ").removesuffix("\n")


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("REQUIRE_SIGN_IN", "maybe", _BOOLEANS),
        ("PLAYGROUND", "2", _BOOLEANS),
        ("LOG_LEVEL", "LOUD", "must be DEBUG, INFO, WARNING or ERROR."),
        ("RAG_TOP_K", "-1", "must be a whole number between 1 and 50."),
        ("RAG_TOP_K", "51", "must be a whole number between 1 and 50."),
        ("RAG_TOP_K", "many", "must be a whole number between 1 and 50."),
        ("RAG_THRESHOLD", "nan", "must be a number between 0 and 1."),
        ("SIGN_IN_DAYS", "0", "must be a number above 0 and at most 90."),
        ("MAX_TOKENS_PER_DAY", "0", "must be a whole number of at least 1."),
        ("OPENAI_BASE_URL", "foo", "must be a URL with http:// or https://, such as http://127.0.0.1:8080/v1."),
        ("PUBLIC_URL", "chat.example.org", "must be the address that users open, such as https://chat.example.org."),
        (
            "PUBLIC_URL",
            "https://a.example/#x",
            "must be the address that users open, such as https://chat.example.org.",
        ),
        ("RERANK_URL", "ftp://x", "must be a URL with http:// or https://, such as http://127.0.0.1:8080/v1."),
        ("RERANK_URL", "http://", "must be a URL with http:// or https://, such as http://127.0.0.1:8080/v1."),
        ("OLLAMA_HOST", "f o o", "must be a URL such as http://127.0.0.1:11434, or a host with or without a port."),
        (
            "OLLAMA_HOST",
            "foo:99999",
            "must be a URL such as http://127.0.0.1:11434, or a host with or without a port.",
        ),
        (
            "TRUSTED_PROXIES",
            "127.0.0.1, 10.0.0.1/8",
            "“10.0.0.1/8” is not the address or network of a proxy; use one such as 10.0.0.2, 10.0.0.0/8 or fd00::/8.",
        ),
        (
            "TRUSTED_PROXIES",
            "*",
            "“*” is not the address or network of a proxy; use one such as 10.0.0.2, 10.0.0.0/8 or fd00::/8.",
        ),
        (
            "CORS_ORIGINS",
            "foo",
            "“foo” is not an origin; use one such as https://chat.example.org, without a path.",
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
            "there is no model “foo” here: give provider/model, such as embedded/extractive; allowed are embedded/… "
            "(ollama/… needs OLLAMA_HOST, openai/… needs OPENAI_API_KEY or OPENAI_BASE_URL, openrouter/… needs "
            "OPENROUTER_API_KEY).",
        ),
        (
            "CHAT_MODEL",
            "embedded/wordllama",
            "“embedded/wordllama” is an embedding model, not a chat model; there is embedded/extractive.",
        ),
        (
            "EMBEDDING_MODEL",
            "embedded/x",
            "there is no model “embedded/x” here; there is embedded/wordllama and embedded/multilingual.",
        ),
    ],
)
def test_a_wrong_value_is_reported_with_what_is_allowed(name: str, value: str, allowed: str) -> None:
    shown = f"“{value}”" if " " in value else value
    assert told(**{name: value}) == f"{name}={shown}: {allowed}"


_JWKS = "must be a URL with http:// or https://, such as http://127.0.0.1:8080/v1."
_BROKER = "AMQP_URL: must be a URL such as amqp://USER:PASSWORD@HOST:5672/VHOST, or one with amqps://."
_REDIS = "REDIS_URL is not a Redis URL; an example is redis://HOST:6379/0."


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("JWT_JWKS_URL", "https://[id.example.org", f"JWT_JWKS_URL=https://[id.example.org: {_JWKS}"),
        ("JWT_JWKS_URL", "https://", f"JWT_JWKS_URL=https://: {_JWKS}"),
        ("AMQP_URL", "amqp://[::1", _BROKER),
        ("AMQP_URL", "amqp://host:port", _BROKER),
        ("AMQP_URL", "amqp://host:99999", _BROKER),
        ("REDIS_URL", "redis://127.0.0.1:6379/0?unknown=1", _REDIS),
        ("REDIS_URL", "redis://127.0.0.1:6379/sign-ins", _REDIS),
    ],
)
def test_an_address_that_can_lead_nowhere_is_refused_at_the_start(name: str, value: str, problem: str) -> None:
    """Otherwise it would be found out by the first user who signs in, or by events that never arrive."""
    assert told(**{"JWT_ISSUER": "x", "JWT_AUDIENCE": "x", "JWT_JWKS_URL": "https://x/", name: value}) == problem


def test_a_password_in_a_wrong_address_is_not_shown() -> None:
    assert told(OPENAI_BASE_URL="ftp://me:hush@host").startswith("OPENAI_BASE_URL: must be a URL")


KEYS = ["OPENAI_API_KEY", "OPENROUTER_API_KEY", "RERANK_API_KEY"]


@pytest.mark.parametrize("name", KEYS)
def test_a_key_that_no_header_can_contain_is_reported_without_it(name: str) -> None:
    for key in ("schlüssel", "one\ntwo"):
        assert told(**{name: key}) == f"{name}: must be one line of ASCII characters, because it is sent in a header."


@pytest.mark.parametrize("name", KEYS)
def test_a_line_break_after_a_key_is_not_part_of_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for sent, key in (("sk-1\n", "sk-1"), (" sk-1 ", "sk-1"), ("\n", None)):
        monkeypatch.setenv(name, sent)
        found = getattr(read_settings(), name.lower())
        assert (found.get_secret_value() if found else None) == key


@pytest.mark.parametrize("host", ["foo", "foo:11434", ":11434", "[::1]:11434", "https://ollama.example.org/api"])
def test_ollama_hosts_are_read_as_its_client_reads_them(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert read_settings().ollama_host == host


def test_an_empty_value_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PORT", "REQUIRE_SIGN_IN", "EMBEDDING_MODEL", "LOG_LEVEL", "OLLAMA_HOST"):
        monkeypatch.setenv(name, "")
    found = read_settings()
    assert (found.port, found.require_sign_in, found.embedding_model) == (8000, None, "embedded/wordllama")
    assert (found.log_level, found.ollama_host) == ("INFO", None)


def test_a_mistyped_name_in_the_file_is_reported_with_the_nearest_one(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("CHAT_MODLE=openai/x\nQUARTZ=1\nRAG_TOP_K=7\n")
    assert explain_unknown_names() == [
        "CHAT_MODLE in .env is not a setting and has no effect; did you mean CHAT_MODEL?",
        "QUARTZ in .env is not a setting and has no effect.",
    ]
    with socket.create_server(("127.0.0.1", 0)) as taken:  # so that the start stops after it has told
        result = run_footnote("serve", "--port", str(taken.getsockname()[1]), folder=tmp_path)
    assert result.returncode == 2
    assert [
        line.partition(" app.cli.server.serve: ")[2] for line in result.stderr.splitlines()[:-1]
    ] == explain_unknown_names()


@pytest.mark.parametrize("command", ["migrate", "models --json", "ingest note.txt -p shop", "search x -p shop --json"])
def test_every_command_reports_a_mistyped_name_once_and_beside_its_output(tmp_path: Path, command: str) -> None:
    (tmp_path / "note.txt").write_text("A note.")
    (tmp_path / ".env").write_text("DATABSE_URL=sqlite:///elsewhere.db\n")
    result = run_here(tmp_path, *command.split())
    says = "footnote: DATABSE_URL in .env is not a setting and has no effect; did you mean DATABASE_URL?"
    assert result.stderr.splitlines()[0] == says
    assert (result.stderr.count("DATABSE_URL"), "DATABSE_URL" in result.stdout) == (1, False)


def test_a_start_that_fails_after_binding_closes_its_socket(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "always::ResourceWarning", "-m", "app", "serve", "--port", "0"]
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/missing/footnote.db"}
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert result.returncode == 2
    assert "ResourceWarning" not in result.stderr
    assert result.stderr.splitlines()[-1].startswith("footnote: ")


def test_a_host_of_another_machine_is_blamed_rather_than_the_port() -> None:
    for host in ("a..b", "192.0.2.1"):
        result = CliRunner().invoke(cli, ["serve"], env={"HOST": host})
        assert result.exit_code == 2
        assert result.stderr.startswith(f"footnote: HOST={host} is not an address of this machine; ")
        assert len(result.stderr.splitlines()) == 1
