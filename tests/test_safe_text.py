"""Text and names without hidden characters."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import errors
from app.names import normalize_name
from app.safe_text import has_hidden_characters, to_one_line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a \t b\r\n c\u2028d\u3000e ", "a b c d e"),
        ("cafe\u0301", "caf\u00e9"),
        ("\u202eevil\u202c \u2066x\u2069 \u200fy", "evil x y"),
        ("a\x00b\x1b[31m \x7f\x9b", "ab[31m"),
        ("soft\u00adhyphen\ufeff, zero\u200bwidth, half \ud800", "softhyphen, zerowidth, half"),
        ("a\u200db\u200c c\u200d", "ab c"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
        ("\u3164\u2800\u115f", ""),
        ("x" * 300, "x" * 200),
        (" " * 5000 + "far away", ""),
    ],
)
def test_a_line_contains_only_visible_characters(text: str, expected: str) -> None:
    assert to_one_line(text) == expected


@given(st.text(st.characters() | st.sampled_from("\u200c\u200d\u0301e\u00e9 \n\u202e\u3164\ud800"), max_size=40))
def test_a_clean_line_is_unchanged(text: str) -> None:
    line = to_one_line(text)
    assert to_one_line(line) == line
    assert not has_hidden_characters(line)
    assert line == line.strip()
    assert line.isprintable() or set(filter(lambda letter: not letter.isprintable(), line)) <= {"\u200c", "\u200d"} | {
        letter for letter in text if unicodedata.category(letter) in {"Co", "Cn"}
    }


@pytest.mark.parametrize(
    ("given_name", "code"),
    [
        ("", "REQUIRED"),
        (" \n ", "REQUIRED"),
        ("\u202eevil", "INVALID"),
        ("nul\x00", "INVALID"),
        ("\ud800", "INVALID"),
        ("\u3164", "INVALID"),
        ("x" * 201, "TOO_LONG"),
        ("\u0301\u0323" * 500_000, "TOO_LONG"),
    ],
)
def test_a_name_with_invisible_characters_is_refused(given_name: str, code: str) -> None:
    with pytest.raises(errors.Invalid) as refused:
        normalize_name("name", given_name, "A project")
    assert [issue.code for issue in refused.value.issues] == [code]


def test_a_name_is_stored_in_composed_form() -> None:
    assert normalize_name("name", "  cafe\u0301 \n du  coin ", "A project") == "caf\u00e9 du coin"
    assert normalize_name("name", "x" * 200 + " " * 100, "A project") == "x" * 200
