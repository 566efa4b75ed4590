"""Follow-ups that say nothing without the question before are answered about what that one was about."""

import pytest

from app.providers import base
from app.providers.embedded.extractive import quote_answer
from tests.embedded.extractive.quoting import VECTORS

BIKES = """| Bike | Per day (EUR) | Per week (EUR) | Deposit (EUR) |
|---|---|---|---|
| City bike | 14 | 70 | 50 |
| Mountain bike | 25 | 130 | 150 |
| Cargo bike | 45 | 240 | 300 |
"""
KARTEN = """| Karte | Erwachsene | Kinder |
|---|---|---|
| Einzelkarte | 4,50 Euro | 2,50 Euro |
| Zehnerkarte | 40 Euro | 22 Euro |
| Saisonkarte | 95 Euro | 50 Euro |
"""
POOL = """Sonntags gilt im Haus den ganzen Tag Ruhe.

Das Freibad öffnet montags bis freitags um 9 Uhr. Das Freibad öffnet samstags und sonntags um 8 Uhr."""
FESTIVAL = "Mei Lin books the band. Jonas Weber applies for the permit. The fee is paid by the club."
LIBRARY = "每位读者最多可以借十本书。图书可以续借一次。图书馆周一闭馆。图书馆周日上午十点开放。"


def ask_in_turn(text: str, *questions: str) -> list[str]:
    passages = [base.PromptPassage(1, "Page", text, 0.5)]
    return quote_answer(questions[-1], passages, VECTORS.sum_vectors, questions[:-1]) or []


@pytest.mark.parametrize(
    ("text", "questions", "right", "wrong"),
    [
        (BIKES, ["How much is the cargo bike per day?", "And per week?"], "Cargo bike", "City bike"),
        (BIKES, ["How much is the cargo bike per day?", "And the mountain bike?"], "Mountain bike", "Cargo bike"),
        (
            BIKES,
            ["How much is the cargo bike per day?", "And the mountain bike?", "What about the deposit?"],
            "Mountain bike",
            "Cargo bike",
        ),
        (KARTEN, ["Was kostet eine Zehnerkarte?", "Und für Kinder?"], "22 Euro", "2,50 Euro"),
        (POOL, ["Wann öffnet das Freibad am Samstag?", "Und am Sonntag?"], "um 8 Uhr", "Ruhe"),
        (LIBRARY, ["图书馆周一开门吗？", "那周日呢？"], "周日上午十点", "周一"),
        (FESTIVAL, ["Who books the band?", "And the permit?"], "Jonas Weber", "Mei Lin"),
        (LIBRARY, ["每位读者可以借几本书？", "那续借呢？"], "续借一次", "十本书"),
        (FESTIVAL, ["Who books the band?", "And who applies for the permit?"], "Jonas Weber", "Mei Lin"),
    ],
)
def test_a_follow_up_is_about_what_was_asked_before(text: str, questions: list[str], right: str, wrong: str) -> None:
    said = "\n".join(ask_in_turn(text, *questions))
    assert right in said
    assert wrong not in said


def test_a_follow_up_about_something_unknown_is_not_answered_as_the_question_before_was() -> None:
    assert ask_in_turn(FESTIVAL, "Who books the band?", "And for the fireworks?") == []
