"""Lists, headings and sentences that go on about the same are quoted with what they belong to."""

import pytest

from app.providers import base
from app.providers.embedded.extractive import quote_answer
from app.providers.embedded.extractive.quoting import OMITTED
from tests.embedded.extractive.quoting import VECTORS, answer


def test_a_list_in_the_next_chunk_is_quoted_with_its_introduction_and_both_markers() -> None:
    passages = [
        base.PromptPassage(1, "T", "- the receipt\n- the form\n\nOther things follow.", 0.9, continues=2),
        base.PromptPassage(2, "T", "We deal in books. For a return, these papers are needed:", 0.5),
    ]
    parts = quote_answer("Which papers are needed for a return?", passages, VECTORS.sum_vectors)
    assert parts == ["For a return, these papers are needed [2]:\n- the receipt\n- the form [1]"]


def test_a_long_list_says_that_it_goes_on() -> None:
    text = "These towns have a shop:\n\n" + "\n".join(f"- town number {number}" for number in range(12))
    [part] = answer("Which towns have a shop?", text)
    assert part.split("\n")[-2:] == ["- town number 7", OMITTED]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wo finde ich die Nummer des Turms?", "Halten Sie die Nummer des Turms bereit. Sie steht an der Tür."),
        ("When do we get the deposit?", "The deposit is held by a bank. It comes back on 3 May."),
    ],
)
def test_a_sentence_that_goes_on_about_the_best_is_quoted_where_only_it_answers(question: str, text: str) -> None:
    assert [part.replace(" [1]", "") for part in answer(question, text)] == [
        f"{each}." for each in text[:-1].split(". ")
    ]


def test_a_line_in_capitals_heads_the_lines_directly_below_it() -> None:
    below = "Base jumping, bouldering above 4 metres, mountaineering above 4,500 metres, and motor racing of any kind"
    parts = answer("What sports are not insured?", f"Trips are insured.\n\nSPORTS THAT WE DO NOT COVER\n{below}.")
    assert f"{below} [1]." in parts


def test_headings_above_a_passage_tell_what_it_is_about() -> None:
    values = "The valid options are:\n\n- 0: no checks\n- 1: all checks"
    passages = [
        base.PromptPassage(1, "Options", values, 0.5, ("Options", "speed")),
        base.PromptPassage(2, "Options", values.replace("checks", "colors"), 0.5, ("Options", "paint")),
    ]
    parts = quote_answer("What does paint 0 mean?", passages, VECTORS.sum_vectors) or []
    assert "0: no colors" in parts[0]
