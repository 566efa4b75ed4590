"""How old somebody is, how many people work somewhere, and how many there are of what no text names."""

import pytest

from app.providers import base
from app.providers.embedded.fixed_texts import texts_for
from app.providers.embedded.provider import EmbeddedProvider
from tests.embedded.test_embedded import said

AGES = "| Name | Age |\n|---|---|\n| Ann Lee | 45 |\n| Bob Orr | 51 |\n"
FIRM = "Kayaks by Hull Boats have two hatches. Hull Boats was founded in 1987. It employs 45 people."
FIRMA = (
    "Die Albert AG mit Sitz in Kiel ist der Versicherer der Reise. Das Unternehmen beschäftigt 230 Mitarbeiter. Reisen,"
    " die länger als 56 Tage dauern, sind bei der Albert AG nicht versichert."
)
HOURS = "Full-time staff of Orr & Finch work 37.5 hours a week. Overtime has to be agreed with Orr & Finch."


@pytest.fixture(scope="module")
def provider() -> EmbeddedProvider:
    return EmbeddedProvider()


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        # What somebody has done since then is no age.
        ("Our conductor, Judith Lang, has led the choir since 2014.", "How old is Judith Lang?", None),
        ("Judith Lang has worked here for eleven years.", "How old is Judith Lang?", None),
        ("Herr Petrovic arbeitet seit elf Jahren im Hallenbad.", "Wie alt ist Herr Petrovic?", None),
        ("王磊2014年起任校长，已工作11年。", "王磊几岁？", None),
        # Nor is the age of somebody else.
        ("Doreen, who is 64, will travel with her sister Joan.", "How old is Joan?", None),
        ("Doreen, who is 64, will travel with her sister Joan.", "How old is Doreen?", "64"),
        # Ages, dates of birth and what has stood since then.
        ("Ann Lee, who is 64, plans to travel.", "How old is Ann Lee?", "64"),
        ("Ann Lee is a 45-year-old nurse from Hull.", "How old is Ann Lee?", "45-year-old"),
        (AGES, "How old is Ann Lee?", "45"),
        ("Anna Weber (54) leitet den Chor seit 2014.", "Wie alt ist Anna Weber?", "(54)"),
        ("Anna Weber wurde 1971 in Kiel geboren.", "Wie alt ist Anna Weber?", "1971"),
        ("Unser Trainer Jan Ott feierte im Mai seinen 60. Geburtstag.", "Wie alt ist Jan Ott?", "60. Geburtstag"),
        ("Jan Ott wird im Mai 60 Jahre alt.", "Wie alt wird Jan Ott?", "60 Jahre"),
        ("Tower Bridge has stood here for 130 years.", "How old is Tower Bridge?", "130"),
        ("Die Burg Hohenstein gibt es seit 1320.", "Wie alt ist Burg Hohenstein?", "1320"),
        ("王磊今年45岁，是校长。", "王磊几岁？", "45岁"),
        # Who works there, in other words.
        (FIRM, "How many employees does Hull Boats have?", "employs 45 people"),
        (FIRMA, "Wie viele Leute arbeiten bei der Albert AG?", "230 Mitarbeiter"),
        (HOURS, "How many people work at Orr & Finch?", None),
        ("Our crew of 14 looks after 300 guests.", "How many employees are there?", "crew of 14"),
        ("工厂有员工300名。", "工厂有多少员工？", "300"),
        # What is counted stands before a verb, and no text names it.
        ("The choir has 62 singing members and 14 friends.", "How many tenors sing in the choir?", None),
        ("The choir has 62 members, of whom 11 sing tenor.", "How many tenors sing in the choir?", "11 sing tenor"),
        ("The choir has 62 singing members and 14 friends.", "How many members sing in the choir?", "62"),
        ("There are 12 bicycles for guests.", "How many bikes are there for guests?", "12"),
        ("The ship carries 200 passengers.", "How many guests fit on the ship?", "200"),
        ("Die Wohnung hat drei Räume.", "Wie viele Zimmer hat die Wohnung?", "drei"),
    ],
)
async def test_ages_and_counts_are_of_what_is_asked_for(
    provider: EmbeddedProvider, text: str, question: str, expected: str | None
) -> None:
    answer = await said(provider, question, base.PromptPassage(1, "Page", text, 0.5))
    if expected is None:
        assert answer == texts_for(question).not_found
    else:
        assert expected in answer
