"""Checks find damage, and repairs mend it."""

from pathlib import Path

import pytest

from tests.database.upkeep.databases import Run, opened, search


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("DELETE FROM chunk_texts WHERE rowid >> 12 = 1", "1 chunks are not in the full-text index"),
        ("DELETE FROM chunk_vectors_256 WHERE rowid = 1", "1 chunks have no vector"),
        ("INSERT INTO chunk_texts(rowid, n1) VALUES (99 << 12 | 1, '1xfox')", "1 full-text entries belong"),
        ("UPDATE keyword_totals SET terms = terms + 1", "The word counts of 1 projects are wrong"),
        ("DELETE FROM keyword_totals", "chunks are not in the full-text index"),
        (
            "INSERT INTO chunk_vectors_256 SELECT 99, space, embedding FROM chunk_vectors_256 LIMIT 1",
            "1 vectors belong",
        ),
        ("UPDATE chunks SET position = 7 WHERE id = 1", "differ from those stored with it"),
        ("DELETE FROM answer_events WHERE sequence = 2", "The logs of 1 answers"),
        ("UPDATE messages SET shown = 0 WHERE role = 'ASSISTANT'", "1 chat sessions do not show"),
        ("UPDATE messages SET current = 0", "1 chat sessions do not show"),
        ("UPDATE messages SET content = content || '!' WHERE role = 'ASSISTANT'", "The logs of 1 answers"),
    ],
)
def test_damage_is_found_and_repaired(footnote: Run, filled: Path, harm: str, says: str) -> None:
    assert footnote("check").stdout == "Rows, full text, vectors, originals, answer logs and chat branches agree.\n"
    before = search(footnote)
    with opened(filled) as connection:
        connection.execute(harm)
    found = footnote("check")
    assert found.exit_code == 1
    assert says in found.stdout
    mended = footnote("check", "--repair")
    assert mended.exit_code == 0, mended.stdout + mended.stderr
    assert mended.stdout.endswith(
        "Checking again.\nRows, full text, vectors, originals, answer logs and chat branches agree.\n"
    )
    assert footnote("check").exit_code == 0
    assert search(footnote) == before


def test_messages_that_their_words_do_not_find_are_added_again(footnote: Run, filled: Path) -> None:
    for harm, lost in (
        ("UPDATE messages SET searchable = 1", 2),  # none was in the full text yet
        ("DELETE FROM message_texts WHERE rowid = (SELECT min(number) FROM message_text_rows)", 1),
        ("DELETE FROM message_text_rows", 2),
        ("DELETE FROM message_text_users", 2),
        ("UPDATE messages SET searchable = 0", 2),
        ("UPDATE messages SET content = content || ' gooseberries' WHERE role = 'USER'", 1),
    ):
        with opened(filled) as connection:
            connection.execute(harm)
        found = footnote("check")
        assert (found.exit_code, found.stdout.count(f"  {lost} messages cannot be found by their words.")) == (1, 1), (
            harm
        )
        mended = footnote("check", "--repair")
        assert mended.exit_code == 0, (harm, mended.stdout)


def test_a_damaged_original_is_reported_and_nothing_is_deleted(footnote: Run, filled: Path) -> None:
    with opened(filled) as connection:
        connection.execute("UPDATE originals SET data = x'00' WHERE rowid = 1")
    before = search(footnote)
    for arguments in (["check"], ["check", "--repair"]):
        found = footnote(*arguments)
        assert found.exit_code == 1
        assert "is damaged; add it again." in found.stdout
    assert search(footnote) == before
