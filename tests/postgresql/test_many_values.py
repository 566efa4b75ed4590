"""What there is more of than a statement can have parameters: PostgreSQL allows 32,767."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from tests import postgres
from tests.commands import printed_here, run_here

_COPIES = 32_768


@pytest.fixture
def url() -> Generator[str]:
    with postgres.fresh_database() as fresh:
        yield fresh


@pytest.fixture
def folder(url: str, tmp_path: Path) -> Path:
    """With a document, in the only project."""
    (tmp_path / "returns.md").write_text("# Returns\n\nGoods may be returned within 30 days of delivery.\n")
    printed_here(tmp_path, "ingest", "returns.md", "-p", "shop", DATABASE_URL=url)
    return tmp_path


def copy_row(url: str, table: str) -> None:
    """Copy the only row of a table, under other ids."""
    copy = "jsonb_populate_record(kept, jsonb_build_object('id', md5(number::text), 'name', number::text))"
    copies = f"SELECT {copy} AS copy FROM {table} AS kept, generate_series(1, {_COPIES}) AS number"
    postgres.run_statements(f"INSERT INTO {table} SELECT (copy).* FROM ({copies}) AS copies", url=url)


def test_a_user_is_exported_however_many_chat_sessions_they_have(url: str, folder: Path) -> None:
    printed_here(folder, "ask", "Within how many days may goods be returned?", DATABASE_URL=url)
    copy_row(url, "chat_sessions")
    printed_here(folder, "user", "export", "owner@localhost", "owner.json", DATABASE_URL=url)
    found = json.loads((folder / "owner.json").read_text())
    assert (len(found["chat_sessions"]), len(found["messages"])) == (_COPIES + 1, 2)


def test_documents_are_found_in_however_many_projects(url: str, folder: Path) -> None:
    copy_row(url, "projects")
    assert len(json.loads(printed_here(folder, "projects", "--json", DATABASE_URL=url))) == _COPIES + 1
    missing = run_here(folder, "documents", "delete", "prices.md", DATABASE_URL=url).stderr
    listed = "Documents: “Returns”; `footnote documents list` shows them all."
    assert missing == f"footnote: There is no document “prices.md”. {listed}\n"
    assert printed_here(folder, "documents", "delete", "returns.md", "-y", DATABASE_URL=url).endswith(": deleted\n")
