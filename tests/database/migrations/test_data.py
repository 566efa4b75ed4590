"""Data survives upgrades and downgrades, or a downgrade that would lose some refuses."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.database.migrations.versions import CHAIN, STEPS, content, fill, opened, shape

# What an earlier version can do without: it is learnt, made or counted again, or has the same in another form.
MADE_AGAIN = {
    *("token_calibrations", "paused_vectors", "sign_ins", "setup_tokens", "usage_counts", "keyword_totals"),
    *("message_text_rows", "message_text_users", "signing_keys"),
}
OTHER_FORM = {"compact_logs", "answer_events"}


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
