"""Sentences and terms, as chunks, quotes and citations share them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.language import search_terms, sentence_spans, split_questions, with_bigrams


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See Fig. 3 and Dr. A. Smith, e.g. here. Next.", ["See Fig. 3 and Dr. A. Smith, e.g. here.", "Next."]),
        ("Version 3.11 of app.py runs. It does.", ["Version 3.11 of app.py runs.", "It does."]),
        ('He said "stop." Then (he left.) Good.', ['He said "stop."', "Then (he left.)", "Good."]),
        ("यह पहला है। दूसरा\u0965 तीसरा", ["यह पहला है।", "दूसरा\u0965", "तीसरा"]),
        ("كيف الحال\u061f بخير. یہ ہے\u06d4 اور", ["كيف الحال\u061f", "بخير.", "یہ ہے\u06d4", "اور"]),
        ("စာဖတ်သည်။ သွားသည်။", ["စာဖတ်သည်။", "သွားသည်။"]),
        ("ដំរីរស់នៅព្រៃ។ ឆ្មាស៊ីត្រី។", ["ដំរីរស់នៅព្រៃ។", "ឆ្មាស៊ីត្រី។"]),
        ("wrapped at\na column. New", ["wrapped at a column.".replace(" a ", "\na "), "New"]),
        ("# Head\nText\n- item\n- item", ["# Head", "Text", "- item", "- item"]),
        ("para\n\npara", ["para", "para"]),
        ("东京很大。「真的\uff01」是的", ["东京很大。", "「真的\uff01」", "是的"]),
        ("Wait... what? 1. First", ["Wait... what?", "1. First"]),
        ("Am 27. Januar im 3. Quartal. Der 2. Weltkrieg.", ["Am 27. Januar im 3. Quartal.", "Der 2. Weltkrieg."]),
        ("I am 27. Then it rained in 1998. Yes.", ["I am 27.", "Then it rained in 1998.", "Yes."]),
        ("Brown v. Board. Vgl. Anlage 2. Ende.", ["Brown v. Board.", "Vgl. Anlage 2.", "Ende."]),
        (
            "Der Chor e. V. Ulm singt. Obst, z. B. Äpfel. Ende.",
            ["Der Chor e. V. Ulm singt.", "Obst, z. B. Äpfel.", "Ende."],
        ),
        ("**3. Fee.** The client pays. It is 2 %.", ["**3. Fee.** The client pays.", "It is 2 %."]),
        ("This is type e. It is new.", ["This is type e.", "It is new."]),
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
