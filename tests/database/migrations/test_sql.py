"""Migrations can be written as SQL that does the same."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.database.migrations.versions import CHAIN, STEPS, content, fill, opened, shape

# The way to these is not in statements alone: as SQL it has the server read all documents again.
READ_AGAIN = {"0007": {"keyword_totals", "full text"}}


def test_upgrades_can_be_written_as_sql(file: Path, run: Callable[..., str], tmp_path: Path) -> None:
    statements = run("upgrade", "head", "--sql")
    assert not file.exists(), "it is written, and not done"
    with opened(tmp_path / "written.db") as connection:
        connection.executescript(statements)
    run("upgrade", "head")
    assert shape(tmp_path / "written.db") == shape(file)


@pytest.mark.parametrize(("before", "after"), STEPS[1:], ids=CHAIN[1:])
def test_upgrades_as_sql_do_what_upgrades_do(
    file: Path, make: Callable[[str], None], run: Callable[..., str], tmp_path: Path, before: str, after: str
) -> None:
    make(before)
    fill(file)
    other = tmp_path / "other.db"
    other.write_bytes(file.read_bytes())
    statements = run("upgrade", f"{before}:{after}", "--sql")
    with opened(other) as connection:
        connection.executescript(statements)
    run("upgrade", after)
    written, done = (
        {k: v for k, v in content(each).items() if k not in READ_AGAIN.get(after, ())} for each in (other, file)
    )
    assert (written, shape(other)) == (done, shape(file))


def test_texts_in_other_scripts_are_indexed_again_after_an_upgrade_as_sql(
    file: Path, make: Callable[[str], None], run: Callable[..., str]
) -> None:
    make("0035")
    fill(file)
    with opened(file) as connection:
        connection.execute("UPDATE documents SET status = 'READY'")
        connection.execute("UPDATE messages SET searchable = 1")
        connection.execute("UPDATE chunks SET text = 'ห้องสมุด' WHERE id = 1")
        connection.execute("UPDATE messages SET content = 'हिन्दी' WHERE id = (SELECT min(id) FROM messages)")
        connection.executescript(run("upgrade", "0035:0036", "--sql"))
        documents = connection.execute("SELECT status FROM documents ORDER BY id").fetchall()
        messages = connection.execute("SELECT searchable FROM messages ORDER BY id").fetchall()
        indexed = connection.execute("SELECT count(*) FROM message_text_rows").fetchone()
    assert (documents, messages, indexed) == ([("QUEUED",), ("READY",)], [(0,), (1,)], (1,))


def test_downgrades_as_sql_need_consent_to_losses(
    file: Path, run: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run("downgrade", f"{CHAIN[-1]}:base", "--sql")
    assert "leave out --sql, or put `-x lose=yes` before `downgrade`." in capsys.readouterr().out
    statements = run("-x", "lose=yes", "downgrade", f"{CHAIN[-1]}:base", "--sql")
    run("upgrade", "head")
    with opened(file) as connection:
        connection.executescript(statements)
    assert shape(file) == set()
