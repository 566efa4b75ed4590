"""Sentences, terms and visible text, as chunks, quotes and citations share them."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import errors
from app.language import has_hidden_characters, search_terms, sentence_spans, split_questions, to_one_line, with_bigrams
from app.names import normalize_name


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
        ("Am 27. Januar im 3. Quartal. Der 2. Weltkrieg.", ["Am 27. Januar im 3. Quartal.", "Der 2. Weltkrieg."]),
        ("I am 27. Then it rained in 1998. Yes.", ["I am 27.", "Then it rained in 1998.", "Yes."]),
        ("Brown v. Board. Vgl. Anlage 2. Ende.", ["Brown v. Board.", "Vgl. Anlage 2.", "Ende."]),
        ("条件：\n（一）成年\n（二）健康", ["条件：", "（一）成年", "（二）健康"]),
        (
            "§ 3 Pets\nDogs and cats need the landlord's leave.",
            ["§ 3 Pets", "Dogs and cats need the landlord's leave."],
        ),
        ("2. Fees\nFees for adults rise from 180 to 195.", ["2. Fees", "Fees for adults rise from 180 to 195."]),
        ("Date: 4 May\nPlace: Upper room\nChair: Ada", ["Date: 4 May", "Place: Upper room", "Chair: Ada"]),
        ("won by the\nSailing Club of the long river Thames.", ["won by the\nSailing Club of the long river Thames."]),
        ("Aqua Service GmbH\nHafenstraße 12\nHamburg", ["Aqua Service GmbH\nHafenstraße 12\nHamburg"]),
        (
            "第三条 借阅数量\n每张借书证一次最多可借八本书\uff0c借期为三十天。",
            ["第三条 借阅数量", "每张借书证一次最多可借八本书\uff0c借期为三十天。"],
        ),
        (
            "ソフトウェアは返品ができませ\nん。送料はお客様のご負担です。",
            ["ソフトウェアは返品ができませ\nん。", "送料はお客様のご負担です。"],
        ),
        ("== Hotels\nThe limit is 140.", ["== Hotels", "The limit is 140."]),
        (" \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text)] == expected


@given(st.text(st.sampled_from("aB1 .\n!\"')。」#-…\u3000"), max_size=200))
def test_sentences_cover_everything_but_white_space(text: str) -> None:
    end = 0
    for start, stop in sentence_spans(text):
        assert not text[end:start].strip()
        assert text[start:stop] == text[start:stop].strip() != ""
        end = stop
    assert not text[end:].strip()


@pytest.mark.parametrize("text", ["." * 300_000 + "a", ".)" * 150_000 + "a", "." + ")" * 300_000 + "a", "\n" * 300_000])
def test_sentences_take_linear_time(text: str) -> None:
    started = time.process_time()
    assert len(list(sentence_spans(text))) <= 1
    assert time.process_time() - started < 60


def test_terms() -> None:
    assert search_terms("What is the Price of the price?") == ["price"]
    assert search_terms("what is it") == ["what", "is", "it"]
    assert with_bigrams("价格表").split() == ["价格", "格表"]


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


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("How long is it open, and what is the fee?", ["How long is it open", "what is the fee?"]),
        ("Was kostet der Hund und wie alt ist die Katze?", ["Was kostet der Hund", "wie alt ist die Katze?"]),
        ("How long is the loan, and what does it cost?", ["How long is the loan, and what does it cost?"]),
        ("When and where does the tram stop?", ["When and where does the tram stop?"]),
    ],
)
def test_questions_that_stand_alone_are_split(text: str, parts: list[str]) -> None:
    assert split_questions(text) == parts
