"""A typing error in a question is no unknown word, where the texts have the right one."""

import pytest

from app.language import typing_errors
from app.providers import base
from app.providers.embedded.fixed_texts import texts_for
from app.providers.embedded.provider import EmbeddedProvider
from app.rag.judgement import answerability
from tests.embedded.test_embedded import said

RACE = "The marathon begins at 9 am. The marathon has a prize of £300 for the first. Runners meet at the harbour."


@pytest.mark.parametrize(
    ("question", "corrected"),
    [
        ("When does the maraton begin?", "When does the marathon begin?"),
        ("When does the marathonn begin?", "When does the marathonn begin?"),  # the beginning is that of a known word
        ("When does the marahton begin?", "When does the marathon begin?"),
        ("When does the marothon begin?", "When does the marathon begin?"),
        ("When does the maratthon begin?", "When does the marathon begin?"),
        ("Is there a Maraton?", "Is there a Maraton?"),  # a name
        ("Where is the harbuor?", "Where is the harbuor?"),  # the text has it once
        ("What is the price?", "What is the price?"),
        ("When does the parathon begin?", "When does the parathon begin?"),
    ],
)
def test_a_word_is_corrected_by_one_that_texts_have_often(question: str, corrected: str) -> None:
    assert typing_errors.correct_typing_errors(question, [RACE]) == corrected


def test_a_word_that_may_be_two_others_is_left_alone() -> None:
    texts = ["The planner asks the planter.", "The planner pays the planter."]
    assert typing_errors.correct_typing_errors("Who is the planber?", texts) == "Who is the planber?"


@pytest.mark.parametrize("question", ["When does the maraton begin?", "When does the marahton begin?"])
async def test_a_question_with_a_typing_error_is_answered(question: str) -> None:
    passage = base.PromptPassage(1, "Page", RACE, 0.5)
    assert "9 am" in await said(EmbeddedProvider(), question, passage)
    corrected = typing_errors.correct_typing_errors(question, [RACE])
    one, other = (
        answerability.estimate_answerability([each], [(RACE, "Page")], [(RACE, 1.0)]) for each in (question, corrected)
    )
    assert one < other


async def test_another_word_is_still_unknown() -> None:
    question = "How heavy is the backpack?"
    assert await said(EmbeddedProvider(), question, base.PromptPassage(1, "Page", RACE, 0.5)) == (
        texts_for(question).not_found
    )
