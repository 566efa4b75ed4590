"""Commands outlast a database that is away for a moment, also where a commit's reply is lost, as servers do."""

import asyncio
import json
import os
import re
from collections.abc import Generator
from pathlib import Path

import pytest

from tests import postgres
from tests.commands import printed_here
from tests.forks import commands as forks
from tests.servers.lost_replies import LostReplies

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def url() -> Generator[str]:
    with postgres.fresh_database() as fresh:
        yield fresh


async def run_footnote(folder: Path, url: str, *arguments: str, code: int = 0) -> str:
    """What a command prints."""
    environment = {**os.environ, "DATABASE_URL": url}
    ended = await asyncio.to_thread(forks.run_footnote, *arguments, folder=folder, environment=environment)
    assert ended.returncode == code, ended.stderr
    return ended.stdout + ended.stderr


@pytest.fixture
async def folder(tmp_path: Path, url: str) -> Path:
    """A folder from which a document was added to the project Bees, with a question about it."""
    (tmp_path / "bees.md").write_text("# Bees\n\nBees make honey in hives.\n")
    (tmp_path / "owls.md").write_text("# Owls\n\nOwls hunt mice at night.\n")
    question = {"question": "What do bees make in hives?", "expected": "honey"}
    (tmp_path / "questions.jsonl").write_text(json.dumps(question))
    await asyncio.to_thread(printed_here, tmp_path, "ingest", "bees.md", "-p", "Bees", DATABASE_URL=url)
    return tmp_path


@pytest.mark.parametrize(
    ("statement", "losing", "arguments", "done"),
    [
        (b"INSERT INTO documents", 1, ("ingest", "owls.md"), "1 ingested|1 unchanged"),
        (b"INSERT INTO embedding_spaces", 1, ("reembed", "-m", "embedded/multilingual"), "1 chunk embedded"),
        (b"INSERT INTO chat_sessions", 2, ("eval", "questions.jsonl", "--save", "run.json"), "right 1 of 1"),
        (b"DELETE FROM chat_sessions", 2, ("eval", "questions.jsonl"), "right 1 of 1"),
    ],
    ids=["ingest", "reembed", "eval", "eval-ends"],
)
async def test_a_commit_without_a_reply_does_not_end_a_command(
    folder: Path, url: str, statement: bytes, losing: int, arguments: tuple[str, ...], done: str
) -> None:
    async with LostReplies(url, statement).opened() as way:
        way.losing = losing
        printed = await run_footnote(folder, way.url, *arguments, "-p", "Bees")
        assert way.lost == losing
        assert "waiting for up to a minute: The database cannot be used right now" in printed
        assert re.search(done, " ".join(printed.split())), printed
    await asyncio.to_thread(printed_here, folder, "check", DATABASE_URL=url)


async def test_a_question_whose_answer_is_cut_off_is_asked_again(folder: Path, url: str) -> None:
    async with LostReplies(url, b"FROM documents").opened() as way:
        way.losing = 1
        printed = await run_footnote(folder, way.url, "eval", "questions.jsonl", "-p", "Bees")
        assert way.lost == 1
    assert "right 1 of 1" in " ".join(printed.split())
