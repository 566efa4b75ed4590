"""Migrations up and down, with the command that operators use: `alembic`.

What is tried follows the chain, so a new version is tried as soon as it is there.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest
from alembic import config as alembic
from alembic.config import Config
from alembic.script import ScriptDirectory

from app.database import opening, upgrade
from app.database.sqlite import driver
from app.services.first_start import OWNER_EMAIL

INI = Path(__file__).parents[2] / "alembic.ini"
_SCRIPTS = ScriptDirectory.from_config(Config(str(INI)))
CHAIN = [script.revision for script in _SCRIPTS.walk_revisions()][::-1]
STEPS = list(zip(["base", *CHAIN], CHAIN, strict=False))

# What an earlier version can do without: it is learnt, made or counted again, or has the same in another form.
MADE_AGAIN = {
    *("token_calibrations", "paused_vectors", "sign_ins", "setup_tokens", "usage_counts", "keyword_totals"),
    *("message_text_rows", "message_text_users", "signing_keys"),
}
OTHER_FORM = {"compact_logs", "answer_events"}
# What these hold beside their content is measured, or numbered, again.
MEASURED = {
    "embedding_spaces": ("dense_weight", "measured_chunks", "threshold", "owner", "lease_until", "problem"),
    "documents": ("reader_version",),
    "projects": ("stored_bytes",),
    "chunks": ("page_breaks",),
    "document_keys": ("number",),
}
# The way to these is not in statements alone: as SQL it has the server read all documents again.
READ_AGAIN = {"0007": {"keyword_totals", "full text"}}
WORD = "gooseberries"

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database that `alembic` works on."""
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/footnote.db")
    return tmp_path / "footnote.db"


@pytest.fixture
def run(file: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run `alembic`; returns its output."""

    def run(*arguments: str) -> str:
        alembic.main(["-c", str(INI), *arguments])
        return capsys.readouterr().out

    return run


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An empty database of each version, upgraded step by step."""
    folder = tmp_path_factory.mktemp("versions")
    file, made = folder / "footnote.db", dict[str, Path]()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DATABASE_URL", f"sqlite:///{file}")
        for version in CHAIN:
            alembic.main(["-c", str(INI), "upgrade", version])
            made[version] = Path(shutil.copy(file, folder / f"{version}.db"))
    return made


@pytest.fixture
def make(versions: dict[str, Path], file: Path) -> Callable[[str], None]:
    """Make `file` a database of a version."""

    def make(version: str) -> None:
        shutil.copy(versions[version], file)

    return make


def test_the_names_of_the_files_give_the_chain() -> None:
    """The server compares its database's version with them, and leaves Alembic alone if it is the newest."""
    assert upgrade.known_revisions() == CHAIN


async def test_a_new_database_begins_with_what_all_migrations_make(versions: dict[str, Path], tmp_path: Path) -> None:
    file = tmp_path / "new.db"
    database = opening.open_database(f"sqlite:///{file}")
    assert await upgrade.upgrade_database(database) == upgrade.UpgradeResult(None, CHAIN[-1], None)
    await database.close()
    assert schema(file) == schema(versions[CHAIN[-1]])


def schema(file: Path) -> Any:
    """Everything in the database that has a name, and its version."""
    with opened(file) as connection:
        made = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
        version = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return sorted((*names, " ".join((sql or "").split())) for *names, sql in made), version


@contextmanager
def opened(file: Path) -> Generator[Connection]:
    module = driver.choose_driver().module
    with closing(module.connect(str(file), isolation_level=None)) as connection:
        driver.load_vector_extension(connection)
        yield connection


def tables(connection: Connection) -> list[str]:
    """Our tables, parents first."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    virtual = [name for name, sql in found if sql.startswith("CREATE VIRTUAL")]
    names = [
        name
        for name, _ in found
        if name not in virtual
        and not name.startswith(("sqlite_", "alembic_", *(f"{owner}_" for owner in virtual if owner != "chunks")))
    ]
    parents = {name: {row[2] for row in _foreign_keys(connection, name)} - {name} for name in names}
    ordered: list[str] = []
    while len(ordered) < len(names):
        ordered += [name for name in names if name not in ordered and parents[name] <= set(ordered)]
    return ordered


def _foreign_keys(connection: Connection, table: str) -> list[Any]:
    return connection.execute(f"PRAGMA foreign_key_list({table})").fetchall()


def fill(file: Path) -> None:
    """Insert two rows into each table, with every column set, and index the chunks."""
    with opened(file) as connection:
        for table in tables(connection):
            parents = {row[3]: row[2] for row in _foreign_keys(connection, table)}
            columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
            names = [column[1] for column in columns]
            for number in (1, 2):
                values = [_value(table, column[1], column[2], number, parents) for column in columns]
                marks = ", ".join("?" * len(values))
                quoted = ", ".join(f'"{name}"' for name in names)
                connection.execute(f"INSERT INTO {table} ({quoted}) VALUES ({marks})", values)
        if "text" in [column[1] for column in connection.execute("PRAGMA table_info(chunk_texts)")]:
            connection.execute(
                "INSERT INTO chunk_texts(rowid, project, heading, text) SELECT id, project_id, '', text FROM chunks"
            )
        else:
            connection.execute(
                "INSERT INTO chunk_texts(rowid, n1) SELECT chunks.id << 12 | 5, number || 'xgooseberri' FROM chunks "
                "JOIN keyword_totals USING (project_id)"
            )
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


_VALUES: dict[str, Callable[[int], Any]] = {
    "JSON": lambda _: "[]",
    "DATETIME": lambda number: f"2026-01-0{number} 00:00:00.000000",
    "INTEGER": lambda number: number,
    "BIGINT": lambda number: number,
    "BOOLEAN": lambda _: 0,
    "DOUBLE": lambda number: number / 4,
    "BLOB": lambda _: b"bytes",
}
_SPECIAL: dict[tuple[str, str], Callable[[int], Any]] = {
    # Token calibrations become the owner's.
    ("users", "email"): lambda number: OWNER_EMAIL if number == 1 else f"email {number}",
    ("chunks", "text"): lambda number: f"Text {number} tells of {WORD}.",
    ("messages", "position"): lambda _: 1,  # each is the first of its session
    ("messages", "replaced_by"): lambda _: None,
    ("messages", "current"): lambda _: 1,
    ("messages", "shown"): lambda _: 1,
    ("embedding_spaces", "number"): lambda _: 0,  # and the first of its project
}


def _value(table: str, column: str, kind: str, number: int, parents: dict[str, str]) -> Any:
    if column in parents:
        parent = parents[column]
        return None if parent == table else number if parent == "chunks" else _id(parent, number)
    if column == "id" and "CHAR" in kind:
        return _id(table, number)
    made = _SPECIAL.get((table, column)) or _VALUES.get(re.split(r"[( ]", kind)[0])
    return made(number) if made else f"{column} {number}"


def _id(table: str, number: int) -> str:
    return f"{number}{table}".ljust(32, "0")[:32]


def content(file: Path) -> Rows:
    """The rows of all tables, and the chunks that a word finds."""
    with opened(file) as connection:
        found: Rows = {}
        for table in tables(connection):
            measured = MEASURED.get(table, ())
            columns = sorted(
                row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] not in measured
            )
            names = ", ".join(f'"{column}"' for column in columns)
            found[table] = sorted(connection.execute(f"SELECT {names} FROM {table}").fetchall(), key=repr)
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master")]
        if "chunk_postings" in names:
            query = "SELECT doc >> 12 FROM chunk_postings WHERE term LIKE '%xgooseberri' ORDER BY doc"
            found["full text"] = connection.execute(query).fetchall()
        elif "chunk_texts" in names:
            query = "SELECT rowid FROM chunk_texts WHERE chunk_texts MATCH ? ORDER BY rowid"
            found["full text"] = connection.execute(query, [WORD]).fetchall()
        return found


def shape(file: Path) -> set[tuple[str, str]]:
    """The tables and indexes, regardless of column order."""
    with opened(file) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {
        (name, " ".join(sorted(re.split(r"[\s,]+", sql.replace('"', "")))))
        for name, sql in found
        if not name.startswith(("sqlite_", "alembic_"))
    }


@pytest.mark.parametrize(("before", "after"), STEPS[1:], ids=CHAIN[1:])
def test_data_survives_an_upgrade_and_a_downgrade(
    file: Path, make: Callable[[str], None], run: Callable[..., str], before: str, after: str
) -> None:
    make(before)
    fill(file)
    then, shaped = content(file), shape(file)
    assert {name: len(then[name]) for name in ("projects", "messages")} == {"projects": 2, "messages": 2}
    run("upgrade", after)
    run("downgrade", before)
    assert (content(file), shape(file)) == (then, shaped)


def test_data_of_the_first_version_survives_all_upgrades_and_downgrades(file: Path, run: Callable[..., str]) -> None:
    run("upgrade", CHAIN[0])
    fill(file)
    then, shaped = content(file), shape(file)
    run("upgrade", "head")
    run("downgrade", CHAIN[0])
    assert (content(file), shape(file)) == (then, shaped)


@pytest.mark.parametrize(("before", "after"), STEPS, ids=CHAIN)
def test_a_downgrade_either_loses_nothing_or_refuses(
    file: Path,
    make: Callable[[str], None],
    run: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
    before: str,
    after: str,
) -> None:
    make(after)
    fill(file)
    then, shaped = content(file), shape(file)
    try:
        run("downgrade", before)
    except SystemExit:
        [line] = capsys.readouterr().out.splitlines()
        assert re.fullmatch(r"FAILED: Going back would lose .+, so nothing was changed; .+\.", line), line
        assert (content(file), shape(file)) == (then, shaped)
        run("-x", "lose=yes", "downgrade", before)
    else:
        run("upgrade", after)
        now = content(file)
        for table in then.keys() - MADE_AGAIN - OTHER_FORM:
            assert now[table] == then[table], table


def test_every_version_is_the_same_by_upgrade_and_by_downgrade(
    file: Path, versions: dict[str, Path], run: Callable[..., str]
) -> None:
    run("upgrade", "head")
    for version in CHAIN[::-1]:
        run("downgrade", version)
        assert shape(file) == shape(versions[version]), version


def test_nothing_is_left_before_the_first_version(file: Path, run: Callable[..., str]) -> None:
    run("upgrade", "head")
    with opened(file) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE chunk_vectors_4 USING vec0(space TEXT PARTITION KEY, embedding float[4])"
        )
    run("downgrade", "base")
    assert shape(file) == set()


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


def test_compact_logs_are_expanded_by_a_downgrade(file: Path, run: Callable[..., str]) -> None:
    run("upgrade", "0004")
    fill(file)
    with opened(file) as connection:
        connection.execute("DELETE FROM answer_events")
        connection.execute("UPDATE messages SET content = 'One two.', reasoning = 'Hm, well.', replaced_by = NULL")
        connection.execute(
            "UPDATE messages SET asked_by = (SELECT created_by FROM chat_sessions WHERE id = session_id)"
        )
        connection.execute("""UPDATE compact_logs SET entries = '[[3], [9], 4, 8, {"kind": "CANCELLED"}]'""")
    run("downgrade", "0003")
    with opened(file) as connection:
        rows = connection.execute(
            "SELECT sequence, payload ->> 'kind', payload ->> 'text' FROM answer_events "
            "WHERE message_id = (SELECT min(id) FROM messages) ORDER BY sequence"
        ).fetchall()
    assert rows == [
        (1, "REASONING", "Hm,"),
        (2, "REASONING", " well."),
        (3, "DELTA", "One "),
        (4, "DELTA", "two."),
        (5, "CANCELLED", None),
    ]


def test_duplicate_project_names_block_a_downgrade_that_forbids_them(
    file: Path, run: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    run("upgrade", "0005")
    with opened(file) as connection:
        for id in "ab":
            connection.execute(
                "INSERT INTO projects (id, name, local_providers_only, index_version, created_at, updated_at) "
                f"VALUES ('{id}', 'Twice', 0, 0, '2026-01-01', '2026-01-01')"
            )
    with pytest.raises(SystemExit):
        run("-x", "lose=yes", "downgrade", "0004")
    assert (
        "Several projects have the same name, which 0004 does not allow: rename them first." in capsys.readouterr().out
    )
    with opened(file) as connection:
        assert connection.execute("SELECT count(*) FROM projects").fetchone() == (2,)


def test_the_command_itself_can_downgrade(file: Path, run: Callable[..., str]) -> None:
    run("upgrade", "head")
    command = [sys.executable, "-m", "alembic", "-c", str(INI), "downgrade", "base"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert shape(file) == set()


def test_blocks_of_vectors_get_an_index(file: Path, run: Callable[..., str]) -> None:
    run("upgrade", "0031")
    with opened(file) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE chunk_vectors_3 USING vec0(space text partition key, embedding float[3])"
        )
    for command, revision, indexes in (("upgrade", "0032", 1), ("downgrade", "0031", 0)):
        run(command, revision)
        with opened(file) as connection:
            found = connection.execute("SELECT name FROM sqlite_master WHERE tbl_name = 'chunk_vectors_3_chunks'")
            assert [name for (name,) in found if name.startswith("ix_")] == [
                "ix_chunk_vectors_3_chunks_partition00"
            ] * indexes
