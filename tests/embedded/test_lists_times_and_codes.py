"""Amounts in lists, dates that are due, times of day, codes, names in tables, and headings that ask."""

import pytest

from app.providers import base
from app.providers.embedded.fixed_texts import texts_for
from app.providers.embedded.provider import EmbeddedProvider
from tests.embedded.test_embedded import said

SOUP = """# Leek soup

You need:

- 600 g leeks, washed and cut into rings
- 2 potatoes
- 1 l stock
- 80 g butter

Melt the butter for the soup, and keep some of the butter for the bread. For a feast I take 150 g of butter."""
ORDER = """**2. Dates.** The draft is due on 4 May, the printed brochure on 20 June.

**3. Payment.** A third is paid when the brochure is printed. Invoices are due within 30 days."""
RACES = """| Race | Start | Entry fee | Time limit |
|---|---|---|---|
| Lake run | 9:30 | €40 | 3 h |
| Hill run | 11:00 | €25 | 90 min |
"""
DUTIES = """| Task | Contact |
|---|---|
| Keys of the boathouse | tenants |
| Invoices | billing@boats.example |
| Fire in the boathouse | 112 |
"""
MENU = "| 菜名 | 价格 | 份量 |\n|---|---|---|\n| 本店豆腐 | 18元 | 250克 |\n"
CODES = "Exit code 0 of tarn means success, 3 that files were skipped, and 7 that the disk is full."
CODE_SECTIONS = "## Error 7\n\nThe door of the oven is open.\n\n## Error 8\n\nThe filter of the oven is full."
PLANS = "Swift 100 costs £24 a month, Swift 500 costs £33 and Swift 1000 costs £45."
FAQ = """## Can I pause my membership?

Yes, twice a year. The desk has a form for this; members fill it in and hand it back two weeks before.

## What does membership cost?

£30 a month. Students show a card at the desk."""
NOTES = "Summer Fair of the school (May 30, 2-6 pm, rain date June 6). Ann books the tent."
LIBRARY = "Der Ausweis der Bücherei kostet für Erwachsene 20 Euro im Jahr, für Rentner 10 Euro."
WASHER = "Die Waschmaschine wiegt 71 kg. Die Garantie der Waschmaschine gilt für den Motor."


@pytest.fixture(scope="module")
def provider() -> EmbeddedProvider:
    return EmbeddedProvider()


@pytest.mark.parametrize(
    ("texts", "question", "expected"),
    [
        # A short item of a list that says how much there is.
        ([SOUP], "How much butter goes into the soup?", "80 g butter"),
        ([SOUP], "How many potatoes do I need for the soup?", "2 potatoes"),
        # When something is due is said without "by" or "until", and the sentence begins with the heading.
        (
            [ORDER],
            "When is the brochure due?",
            "**2. Dates.** The draft is due on 4 May, the printed brochure on 20 June",
        ),
        # Headers of columns are nobody's names; the cells may name somebody without a capital, or say how to call.
        ([RACES], "Who won the Lake run last year?", None),
        ([RACES], "When does the Lake run start?", "9:30"),
        ([DUTIES], "Who has the keys of the boathouse?", "tenants"),
        ([DUTIES], "Who do I ask about invoices?", "billing@boats.example"),
        ([DUTIES], "Who do I call about a fire in the boathouse?", "112"),
        # What time is neither a price nor a weight.
        ([MENU], "本店几点开门？", None),
        (["本店早上九点开门。"], "本店几点开门？", "九点"),
        (["本店营业时间：10:00至22:00，周一休息。"], "本店几点开门？", "10:00"),
        (["The pool costs €4 to enter."], "What time does the pool open?", None),
        (["The pool opens at six in the morning."], "What time does the pool open?", "at six"),
        (["The pool stays closed on Sundays."], "What time does the pool open on Sundays?", "closed"),
        (["The course begins 18h30 in room 4."], "What time does the course begin?", "18h30"),
        (["The sun sets at 2130 in June."], "What time does the sun set in June?", "2130"),
        (["Das Konzert beginnt um halb acht."], "Um wie viel Uhr beginnt das Konzert?", "halb acht"),
        # A time of day with a dash counts nobody.
        ([NOTES], "How many people came to the Summer Fair?", None),
        # A code of one digit is another one than its neighbors.
        ([CODES], "What does exit code 5 of tarn mean?", None),
        ([CODES], "What does exit code 3 of tarn mean?", "3 that files were skipped"),
        ([CODE_SECTIONS], "What does error 7 of the oven mean?", "The door of the oven is open"),
        # 2000 is no year behind a name that has other numbers.
        ([PLANS], "What does Swift 2000 cost?", None),
        ([PLANS], "What does Swift 500 cost?", "£33"),
        (["At Easter 2024 the choir sang in Rome."], "Where did the choir sing at Easter 2024?", "Rome"),
        # What stands first below a heading that asks answers it.
        ([FAQ], "How often can I pause my membership?", "Yes, twice a year"),
        ([FAQ], "May members pause?", "Yes, twice a year"),
        # Another passage has words of the question, and the one with the number has none but "Jahr".
        ([LIBRARY, WASHER], "Wie viel Strom verbraucht die Waschmaschine im Jahr?", None),
        (["Patience is needed: the permit arrives after six weeks."], "How long do I have to wait?", "six weeks"),
    ],
)
async def test_only_what_can_answer_is_quoted(
    provider: EmbeddedProvider, texts: list[str], question: str, expected: str | None
) -> None:
    passages = (base.PromptPassage(number, "Notes", text, 0.6 / number) for number, text in enumerate(texts, 1))
    answer = await said(provider, question, *passages)
    if expected is None:
        assert answer == texts_for(question).not_found
    else:
        assert expected in answer
