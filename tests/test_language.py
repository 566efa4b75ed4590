"""What a sentence is, for chunks, quotes and citations alike."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.language import sentences, terms, with_bigrams


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See Fig. 3 and Dr. A. Smith, e.g. here. Next.", ["See Fig. 3 and Dr. A. Smith, e.g. here.", "Next."]),
        ("Version 3.11 of app.py runs. It does.", ["Version 3.11 of app.py runs.", "It does."]),
        ('He said "stop." Then (he left.) Good.', ['He said "stop."', "Then (he left.)", "Good."]),
        ("wrapped at\na column. New", ["wrapped at a column.".replace(" a ", "\na "), "New"]),
        ("# Head\nText\n- item\n- item", ["# Head", "Text", "- item", "- item"]),
        ("para\n\npara", ["para", "para"]),
        ("东京很大。「真的\uff01」是的", ["东京很大。", "「真的\uff01」", "是的"]),
        ("Wait... what? 1. First", ["Wait... what?", "1. First"]),
        (" \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


@given(st.text(st.sampled_from("aB1 .\n!\"')。」#-…\u3000"), max_size=200))
def test_sentences_hold_all_that_is_no_white_space(text: str) -> None:
    end = 0
    for start, stop in sentences(text):
        assert not text[end:start].strip()
        assert text[start:stop] == text[start:stop].strip() != ""
        end = stop
    assert not text[end:].strip()


@pytest.mark.parametrize("text", ["." * 300_000 + "a", ".)" * 150_000 + "a", "." + ")" * 300_000 + "a", "\n" * 300_000])
def test_sentences_take_linear_time(text: str) -> None:
    started = time.process_time()
    assert len(list(sentences(text))) <= 1
    assert time.process_time() - started < 5


def test_terms() -> None:
    assert terms("What is the Price of the price?") == ["price"]
    assert terms("what is it") == ["what", "is", "it"]
    assert with_bigrams("价格表").split() == ["价格", "格表"]
