"""A database of version 0.1, whose first migration made other tables than today's under the same number."""

import contextlib
import hashlib
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import httpx
import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from app.database.sqlite import driver
from app.settings import Settings
from tests import old_databases
from tests.database.migrations.versions import shape
from tests.graphql.client import ADD_TEXT, Client
from tests.old_databases import NEWEST, OWNER, THEN
from tests.serving import serve

# Written by `alembic upgrade head --sql` at commit 45db385.
STATEMENTS = Path(__file__).parents[1] / "files" / "version_0_1.sql"
TEXT = "Goods may be returned within 30 days."
PROJECT, DOCUMENT, OTHER, SESSION, ANSWER = (letter * 32 for letter in "abcde")


def document(id: str, title: str, text: str, key: str) -> str:
    """Statements that add a document as version 0.1 did."""
    data, digest = text.encode(), hashlib.sha256(text.encode()).hexdigest()
    return f"""
        INSERT INTO documents (id, project_id, title, title_given, media_type, bytes, sha256, idempotency_key,
          version, metadata, status, progress, chunks_done, queued_at, created_at, updated_at)
        VALUES ('{id}', '{PROJECT}', '{title}', 1, 'text/plain', {len(data)}, '{digest}', {key},
          1, '{{}}', 'QUEUED', 0, 0, {THEN}, {THEN}, {THEN});
        INSERT INTO originals (document_id, version, position, data) VALUES ('{id}', 1, 0, x'{data.hex()}');"""


ROWS = f"""{OWNER};
  INSERT INTO projects (id, name, local_providers_only, index_version, created_at, updated_at)
    VALUES ('{PROJECT}', 'shop', 0, 0, {THEN}, {THEN});
  {document(DOCUMENT, "Returns", TEXT, "'once'")}
  {document(OTHER, "Shipping", "Parcels are shipped from Hamburg.", "NULL")}
  INSERT INTO chat_sessions (id, project_id, created_by, shared, title, created_at, updated_at)
    VALUES ('{SESSION}', '{PROJECT}', 'u', 0, 'Chat', {THEN}, {THEN});
  INSERT INTO messages (id, project_id, session_id, role, content, status, created_at)
    VALUES ('{"1" * 32}', '{PROJECT}', '{SESSION}', 'USER', 'Go on.', 'COMPLETED', {THEN});
  INSERT INTO messages (id, project_id, session_id, role, content, status, reply_to, created_at)
    VALUES ('{ANSWER}', '{PROJECT}', '{SESSION}', 'ASSISTANT', '', 'STREAMING', '{"1" * 32}', {THEN});
"""


def opened(file: Path) -> closing[Connection]:
    return closing(driver.choose_driver().module.connect(str(file)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database of version 0.1, with two documents and an answer that was being generated."""
    with opened(tmp_path / "footnote.db") as connection:
        connection.executescript(STATEMENTS.read_text())
        connection.executescript(ROWS)
    return tmp_path / "footnote.db"


@pytest.fixture
def migrated(file: Path, tmp_path: Path) -> Result:
    """What `footnote migrate` has said of it."""
    with contextlib.chdir(tmp_path):
        return CliRunner().invoke(cli, ["migrate"])


async def test_its_rows_and_keys_are_kept(file: Path, migrated: Result, tmp_path: Path) -> None:
    assert migrated.exit_code == 0, migrated.output
    assert migrated.stdout.startswith(f"footnote.db: 0001 → {NEWEST}, backup ")
    await old_databases.make(tmp_path / "new.db", "head")
    assert shape(file) == shape(tmp_path / "new.db")
    with serve(Settings.model_validate({"database_url": f"sqlite:///{file}"})) as address:
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, address)
            [project] = (await client.run("{ projects(first: 9) { nodes { id } } }"))["projects"]["nodes"]
            same = {"projectId": project["id"], "title": "Returns", "text": TEXT, "idempotencyKey": "once"}
            again = await client.mutate(ADD_TEXT, **same)
            other = await client.mutate(ADD_TEXT, **same | {"text": "Something else."})
            documents = await client.run(
                "{ projects(first: 9) { nodes { documents(first: 9) { nodes { id title } } } } }"
            )
    assert again["unchanged"] is True, again
    assert other["__typename"] == "ConflictError"
    [found] = documents["projects"]["nodes"]
    titles = {each["id"]: each["title"] for each in found["documents"]["nodes"]}
    assert sorted(titles.values()) == ["Returns", "Shipping"]
    assert titles[again["document"]["id"]] == "Returns"
    with opened(file) as connection:
        answer = f"SELECT status, owner FROM messages WHERE id = '{ANSWER}'"
        assert connection.execute(answer).fetchone() == ("INTERRUPTED", None)
