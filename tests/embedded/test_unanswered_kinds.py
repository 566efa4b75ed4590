"""Definitions are found however common their name is; who wrote a text, and what French and Spanish ask, are read."""

import pytest

from app.providers import base
from app.providers.embedded.fixed_texts import texts_for
from app.providers.embedded.provider import EmbeddedProvider
from app.rag.judgement import answerability
from tests.embedded.test_embedded import said


@pytest.fixture(scope="module")
def provider() -> EmbeddedProvider:
    return EmbeddedProvider()


PLOVER = """# plover

A small program that copies a tree of files.

## Install

    pipx install plover

plover needs Python 3.11. Run plover with the option `--all` to copy all files.
"""
RULES = (
    "# Rules of the reading room\n\nVersion 3 of the rules of the reading room.\n\nOwner of the rules: the trustees."
)
FRYER = "Run the empty fryer for 15 minutes. Let the fryer cool for 30 minutes. The cable of the fryer is 1.1 m long."
WOHNHEIM = "Die Hütte des Wohnheims hat 25 Sitzplätze. Das Wohnheim hat 124 Betten in 32 Zimmern."
LETTRE = "Le chalet est loué du samedi 16 h au samedi 10 h. Le chalet a deux chambres et une terrasse de 20 m²."
BIBLIOTECA = "La biblioteca abre los lunes a las 9:00. La directora de la biblioteca trabaja allí desde 1998."


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        (PLOVER, "What is plover?", "A small program that copies a tree of files"),
        (RULES, "Who wrote the rules of the reading room?", None),
        (
            "The rules of the reading room were written by Ann Lee.",
            "Who wrote the rules of the reading room?",
            "Ann Lee",
        ),
        (FRYER, "How long do prawns take in the fryer?", None),
        (FRYER, "How long does the fryer take to cool?", "30 minutes"),
        ("You may borrow up to 4 films at a time.", "How many films may I borrow at once?", "4 films"),
        ("The basket may go into the dishwasher.", "Is the basket dishwasher safe?", "may go"),
        (WOHNHEIM, "Wie viele Parkplätze hat das Wohnheim?", None),
        (WOHNHEIM, "Wie viele Sitzplätze hat die Hütte des Wohnheims?", "25 Sitzplätze"),
        (WOHNHEIM, "Wie viel Warmwasser hat das Wohnheim verbraucht?", None),
        ("| Boot | Halber Tag |\n|---|---|\n| Kajak | 32 € |", "Was kostet ein Kajak für einen halben Tag?", "32 €"),
        (LETTRE, "Quelle est la superficie du chalet ?", "20 m²"),
        (LETTRE.partition(". ")[0], "Quelle est la superficie du chalet ?", None),
        (LETTRE, "Quel est le prix du chalet ?", None),
        (LETTRE, "Combien de chambres a le chalet ?", "deux chambres"),
        (BIBLIOTECA, "¿Cuántas mesas hay en la biblioteca?", None),
        (BIBLIOTECA, "¿A qué hora abre la biblioteca?", "9:00"),
        (BIBLIOTECA, "¿Cuál es la capital de Australia?", None),
    ],
)
async def test_what_is_asked_for_stands_there_or_is_not_answered(
    provider: EmbeddedProvider, text: str, question: str, expected: str | None
) -> None:
    answer = await said(provider, question, base.PromptPassage(1, "Page", text, 0.5))
    if expected is None:
        assert answer == texts_for(question).not_found
    else:
        assert expected in answer


@pytest.mark.parametrize(
    ("question", "text", "likely"),
    [
        ("What is a project?", "A project is a set of documents, with the chats about them.", True),
        ("Was ist ein Projekt?", "Ein Projekt ist eine Sammlung von Dokumenten.", True),
        ("¿Qué es un proyecto?", "Un proyecto es una colección de documentos.", True),
        ("What is a project?", "Each project has members. A project can be deleted.", False),
        ("What is a project manager?", "A project is a set of documents, with the chats about them.", False),
    ],
)
def test_a_definition_is_an_answer_though_its_name_is_in_every_passage(question: str, text: str, likely: bool) -> None:
    beside = [f"The project number {number} of this page is named in the project." for number in range(8)]
    found = [(text, 1.0), *((each, 1.0) for each in beside)]
    judged = answerability.estimate_answerability([question], [(each, "") for each, _ in found], found)
    assert (judged >= answerability.REFUSED_BELOW) is likely
