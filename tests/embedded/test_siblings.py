"""The embedded answerer takes no text about dogs for one about cats, nor a price for adults for that for children."""

import pytest

from app.providers import base
from app.providers.embedded.fixed_texts import texts_for
from app.providers.embedded.provider import EmbeddedProvider
from tests.embedded.test_embedded import said


@pytest.fixture(scope="module")
def provider() -> EmbeddedProvider:
    return EmbeddedProvider()


CATS = """| Adoption | Fee |
|---|---|
| Adoption of a kitten | £120 |
| Adoption of an adult cat | £95 |
"""
LUNCH = "Lunch in the canteen costs £4.20 a day. Dinner in the canteen is served at 7 pm."
EINTRITT = "Der Eintritt in das Museum kostet für Studenten 4 Euro. Hunde dürfen an der Leine in das Museum."
PISCINE = "Un chien coûte 3 euros par nuit au camping. Le tarif du camping est de 16 euros la nuit pour un adulte."
TALLER = "El curso de yoga del centro cuesta 40 euros al mes. Los adultos pagan 6 euros por la piscina del centro."


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        (CATS, "What is the fee for the adoption of a dog?", None),
        (CATS, "What is the fee for the adoption of an adult cat?", "£95"),
        ("The workshop costs £95 a day.", "What does the workshop cost for children?", None),
        ("The workshop costs £95 a day, for children £40.", "What does the workshop cost for children?", "£40"),
        ("The workshop costs £95 a day.", "What does the workshop cost for adults?", "£95"),
        ("The workshop costs £95 a day; under 16s pay half.", "What does the workshop cost for children?", "half"),
        (LUNCH, "How much does breakfast in the canteen cost?", None),
        (LUNCH, "How much does lunch in the canteen cost?", "£4.20"),
        (LUNCH, "Is there breakfast in the canteen?", None),
        ("Only dogs may come into the shop of the museum.", "May cats come into the shop of the museum?", "Only dogs"),
        (EINTRITT, "Was kostet der Eintritt in das Museum für Senioren?", None),
        (EINTRITT, "Was kostet der Eintritt in das Museum für Studenten?", "4 Euro"),
        (EINTRITT, "Dürfen Katzen in das Museum?", None),
        (PISCINE, "Combien coûte un chat par nuit au camping ?", None),
        (PISCINE, "Combien coûte un chien par nuit au camping ?", "3 euros"),
        (TALLER, "¿Cuánto cuesta el curso de pilates del centro?", None),
        (TALLER, "¿Cuánto pagan los niños por la piscina del centro?", None),
        (TALLER, "¿Cuánto pagan los adultos por la piscina del centro?", "6 euros"),
        ("狗每天喂食两次。", "猫每天喂几次？", None),
        ("狗每天喂食两次。", "狗每天喂几次？", "两次"),
    ],
)
async def test_a_thing_of_the_same_kind_is_no_answer(
    provider: EmbeddedProvider, text: str, question: str, expected: str | None
) -> None:
    answer = await said(provider, question, base.PromptPassage(1, "Page", text, 0.5))
    if expected is None:
        assert answer == texts_for(question).not_found
    else:
        assert expected in answer
