"""Properties of quoted answers, whatever the passages are: whole words, at most five sentences, none of them twice."""

import re
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import language
from app.providers.embedded.extractive import cutting
from app.providers.embedded.extractive.quoting import MAX_SENTENCES, OMITTED
from tests.embedded.extractive.quoting import answer

MARKER = re.compile(r" ?\[\d\]")
WORD = re.compile(rf"(?:[^\W{language.CJK}]|(?<=\d)[.,](?=\d))+")
WORDS = st.sampled_from(
    [
        "shop",
        "parcel",
        "1,664.50",
        "3.14",
        "Paket",
        "Donaudampfschifffahrt",
        "x" * 700,
        "2026",
        "包裹",
        "价格为三百元",
        "12",
    ]
)
ENDS = st.sampled_from([". ", "? ", ", ", "。", "\n\n", "\n- ", "\n| ", ": ", ":\n\n- ", "\n（一）", " "])
TEXTS = st.lists(st.tuples(st.lists(WORDS, min_size=1, max_size=60), ENDS), min_size=1, max_size=12).map(
    lambda parts: "".join(" ".join(words) + end for words, end in parts)
)
QUESTIONS = st.sampled_from(
    [
        "Which parcel does the shop have?",
        "Is a parcel 12?",
        "Was kostet ein Paket?",
        "包裹的价格是多少？",
        "What is a shop?",
    ]
)


@settings(max_examples=60)
@given(question=QUESTIONS, texts=st.lists(TEXTS, min_size=1, max_size=3))
def test_words_and_numbers_stay_whole_and_no_sentence_comes_twice(question: str, texts: list[str]) -> None:
    parts = answer(question, *texts)
    known = {word for text in texts for word in WORD.findall(text)}
    assert {word for part in parts for word in WORD.findall(MARKER.sub("", part))} <= known
    assert len(parts) <= MAX_SENTENCES
    lines = Counter(line.lstrip("- ") for part in parts for line in MARKER.sub("", part).split("\n") if line != OMITTED)
    assert not [line for line, times in lines.items() if times > 1]


@given(TEXTS)
def test_long_sentences_are_cut_between_words_and_lose_only_giant_ones(text: str) -> None:
    pieces = list(cutting.split_long_sentence(text))
    assert all(0 < len(piece) <= cutting.MAX_CHARACTERS for piece in pieces if text.strip())
    kept = [word for word in text.split() if len(word) <= cutting.MAX_CHARACTERS]
    found = " ".join(pieces).split()
    assert [word for word in found if WORD.fullmatch(word)] == [word for word in kept if WORD.fullmatch(word)]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Match the versions of lamp 3 as 1.4.*", "Match the versions of lamp 3 as 1.4.* [1]"),
        ("Lamp 3 sets `mode = '...'", "Lamp 3 sets mode = '...' [1]"),
        ("Lamp 3 is *bright.*", "Lamp 3 is *bright [1].*"),
        ("Ann said “lamp 3 is bright.”", "Ann said “lamp 3 is bright [1].”"),
    ],
)
def test_markers_stand_before_what_ends_a_sentence_and_never_inside_a_value(text: str, quoted: str) -> None:
    assert answer("What of lamp 3?", text) == [quoted]


@pytest.mark.parametrize("names", ["Ab-1;" * 20_000, "".join(f"a_{number};" for number in range(14_000))])
def test_the_time_for_the_names_of_a_question_is_bounded(names: str) -> None:
    started = time.process_time()
    answer(names, *["Ab 1; " * 300] * 4, names[:10_000])
    assert time.process_time() - started < 10, "reading all of them would take more than 20 seconds"


def test_many_rows_of_a_table_take_linear_time() -> None:
    rows = [f"| Name: Kestrel lamp {number}; Weight: {number} kg" for number in range(3_000)]
    started = time.process_time()
    assert answer("What is the price of the Kestrel lamp?", "\n".join([*rows, "| Name: Falcon; Price: 3 euros"])) == []
    assert time.process_time() - started < 15, "quadratic would be more than a minute"
