"""Token estimates: never far too low, never zero for something, and fast."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import language
from app.providers import token_estimate
from app.providers.base import PromptMessage
from app.providers.tokens import TokenCounter, cut_text

COUNTER = TokenCounter()
TEXT = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("aZé文0 \n\t.,_-😀क")), max_size=300)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("a", 1),
        ("hello", 1),
        ("hello world", 3),  # 2 · 0.87 + 0.44 = 2.18, and a tenth
        ("internationalisation", 6),  # 0.87 + 15 · 0.27 = 4.92
        ("2026", 5),
        ("中文字", 3),  # 3 · 0.77 = 2.31
        ("Straße", 3),  # "Stra", "ß", "e"
        (" \n\t ", 1),
        ("a_b", 3),
        ("🎉", 3),
    ],
)
def test_each_class_of_characters_has_its_weight(text: str, count: int) -> None:
    assert COUNTER.count(text) == count


@given(st.text() | st.text(st.sampled_from("aZé3_ \n.中अ🎉\U00020000\x00"), max_size=40))
def test_the_table_counts_what_the_patterns_of_the_classes_match(text: str) -> None:
    words = re.findall("[A-Za-z]+", text)
    by_pattern = 87 * len(words) + 27 * sum(max(0, len(word) - 5) for word in words)
    cjk = len(re.findall(f"[{language.CJK}]", text))
    rare = len(token_estimate.RARE_LETTER.findall(text))
    other = len(re.findall(r"[^\W\d_]", text)) - sum(map(len, words)) - cjk - rare
    by_pattern += 77 * cjk + 70 * rare + 33 * other + 167 * sum(letter > "\uffff" for letter in text)
    by_pattern += 100 * len(re.findall(r"\d", text)) + 61 * len(re.findall(r"[^\w\s]|_", text))
    by_pattern += 44 * len(re.findall(r"\s+", text))
    assert token_estimate.estimate_hundredths(text) == by_pattern


def test_an_estimate_says_that_it_is_one() -> None:
    assert COUNTER.counting == "ESTIMATED"


@given(TEXT)
def test_estimates_are_positive_and_zero_only_for_empty_text(text: str) -> None:
    assert COUNTER.count("") == 0
    assert COUNTER.count(text) > 0 or not text


@given(TEXT, TEXT)
def test_more_text_is_never_fewer_tokens(first: str, second: str) -> None:
    assert COUNTER.count(first + second) >= max(COUNTER.count(first), COUNTER.count(second))


@given(TEXT, TEXT)
def test_parts_add_up_to_the_whole(first: str, second: str) -> None:
    # Only a word or white space that is cut in two, and the rounding, can make a difference.
    whole, parts = COUNTER.count(first + second), COUNTER.count(first) + COUNTER.count(second)
    assert parts - 2 <= whole <= parts + 1


@given(st.lists(TEXT, max_size=8))
def test_a_prompt_is_its_messages_and_a_constant(texts: list[str]) -> None:
    messages = [PromptMessage("user", text) for text in texts]
    constant = COUNTER.count_messages([])
    assert COUNTER.count_messages(messages) == constant + sum(map(COUNTER.count_message, messages))
    assert all(COUNTER.count_message(message) > COUNTER.count(message.content) for message in messages)


@given(TEXT, st.integers(min_value=0, max_value=80))
def test_a_cut_text_fits_and_is_a_beginning(text: str, limit: int) -> None:
    shorter = cut_text(text, limit, COUNTER)
    assert text.startswith(shorter)
    assert COUNTER.count(shorter) <= limit
    assert shorter == text or COUNTER.count(text[: len(shorter) + 41]) > limit


def test_a_text_that_fits_is_not_cut() -> None:
    text = "The quick brown fox. " * 10
    assert cut_text(text, COUNTER.count(text), COUNTER) == text
    assert (
        cut_text(text, COUNTER.count(text) - 1, COUNTER)
        == text[: len(cut_text(text, COUNTER.count(text) - 1, COUNTER))]
    )
    assert cut_text(text, 10, COUNTER) == "The quick brown fox. The quick"


@pytest.mark.parametrize("unit", ["a", "a ", " ", "1", "_", "文", "é", "\n", "a_1 ", "😀"])
def test_estimating_takes_linear_time(unit: str) -> None:
    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        started = time.thread_time()
        COUNTER.count(text)
        return time.thread_time() - started

    # Four times as long is sixteen times the work where it is squared, and far more where it is worse.
    assert min(seconds(400_000) for _ in range(3)) < 10 * min(seconds(100_000) for _ in range(5))
