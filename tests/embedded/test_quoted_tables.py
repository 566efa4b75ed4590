"""Answers of the embedded answerer from tables, mails and code over GraphQL: conditions of rows, and what has none."""

from pathlib import Path
from typing import Any

import pytest

from tests.answers import Start, final

BOATS = """# Boats of the lake

| Boat | Seats | Half day (EUR) | Full day (EUR) | Licence needed | Built |
|---|---|---|---|---|---|
| Pedalo Swan | 4 | 28,00 | 45,00 | no | 2004 |
| Rowing boat Heron | 3 | 18,50 | 32,00 | no | 1987 |
| Sailing dinghy Tern | 2 | 39,00 | 70,00 | yes | 1998 |
| Motor boat Pike | 8 | | 240,00 | yes | 1989 |

A monthly pass is sold at the pier.

| Line | Length (km) | Every (min) |
|---|---|---|
| 1 | 7.4 | 6 |
| 7 | 16.8 | 20 |
| 9 | 9.05 | 15 |

| Landing | Depth |
|---|---|
| Mill | about 2 m |
| Point | 150 cm |
"""
ZIMMER = """# Zimmer

| Zimmer | Fläche (m²) | Balkon | Preis (EUR) |
|---|---|---|---|
| Ahorn | 22 | ja | 95,00 |
| Birke | 18 | nein | 71,00 |
| Zeder | 41 | ja | 1.210,00 |
"""
COURSES = """# 课程

| 课程 | 时长（分钟） | 价格（元） |
|---|---|---|
| 瑜伽 | 60 | 80 |
| 拳击 | 45 | 120 |

青山健身房每天开放。周一闭馆。馆长是林若溪。
"""
MAIL = """From: Pilar Montero <pilar@orchard.example>
To: Jens Okafor <jens@cider.example>
Date: Tue, 11 Feb 2025 10:42:00 +0100

We can deliver two presses of Orchard Supplies for 12,480 euros. The sponsor of the project is Ulrike Berg.
"""
HIRE = """Prices of the boat house

Boat            Hour       Day
Canoe           9.00       40.00
Kayak for two   12.50      55.00
Rowing boat     11.00      48.00

Open from April to October.
"""
TOUR = """# Lisbon, six days

Saturday, 9 May: Flight TP1335 leaves at 11:25. A driver meets you in the arrivals hall.

Sunday, 10 May: Walking tour of Alfama. The deposit for the rental car is 800 euros.

## Changes and cancellation

Free cancellation until 10 April. Between 11 April and 1 May we charge 40 % of the price, after that 80 %.
"""
CODE = """BURST_FACTOR = 3
MAX_BACKOFF_SECONDS = 900


def backoff(attempt: int) -> int:
    \"\"\"Double the backoff with each attempt, from 5 seconds up to MAX_BACKOFF_SECONDS.\"\"\"
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            BOATS,
            {
                "Which boats need a licence?": ["Tern", "Pike"],
                "Which boats do not need a licence?": ["Swan", "Heron"],
                "Which boats cost less than 30 euros for half a day?": ["Swan", "Heron"],
                "Which boats were built before 1990?": ["Heron", "Pike"],
                "Which boat has the most seats?": ["Pike"],
                "How long is the longest line?": ["Line: 7"],
                "How much does the Pike cost for a full day?": ["Pike"],
                "Which landing has the lowest depth?": None,
                "How long is line 4?": None,
                "What does a weekly pass cost?": None,
            },
        ),
        (
            ZIMMER,
            {
                "Welche Zimmer haben einen Balkon?": ["Ahorn", "Zeder"],
                "Welches Zimmer ist am größten?": ["Zeder"],
                "Welches Zimmer ist das billigste?": ["Birke"],
                "Welche Zimmer kosten mehr als 90 Euro?": ["Ahorn", "Zeder"],
            },
        ),
        (
            COURSES,
            {
                "价格最贵的课程是哪个？": ["拳击"],
                "哪些课程价格低于100元？": ["瑜伽"],
                "青山健身房周一开放吗？": ["周一闭馆"],
                "青山健身房有停车场吗？": None,
            },
        ),
        (
            MAIL,
            {
                "Who wrote to Jens Okafor?": ["Pilar"],
                "What is the bank account of Orchard Supplies?": None,
                "Who is the director of the project?": None,
                "Who is the sponsor of the project?": ["Ulrike"],
            },
        ),
        (CODE, {"What is the maximum backoff in seconds?": ["MAX_BACKOFF_SECONDS = 900"]}),
    ],
    ids=["boats", "zimmer", "courses", "mail", "code"],
)
async def test_rows_are_chosen_by_their_cells_and_what_no_text_names_is_not_answered(
    start: Start, text: str, expected: dict[str, list[str] | None]
) -> None:
    client = start()
    project = await client.project("Tables")
    await client.ready(project, "Things", text)
    session = await client.session(project)
    names = {name for parts in expected.values() for name in parts or ()}
    given = {question: await final(client, session, question) for question in expected}
    assert {question: _names_in(message, names) for question, message in given.items()} == expected


async def test_a_table_of_plain_text_is_read_by_its_columns(start: Start) -> None:
    client = start()
    project = await client.project("Hire")
    await client.ready(project, "Hire", HIRE, mediaType="text/plain")
    message = await final(client, await client.session(project), "What does a kayak for two cost for a day?")
    assert message["content"] == "Boat: Kayak for two; Hour: 12.50; Day: 55.00 [1]"


async def test_a_follow_up_is_about_the_row_that_was_asked_about_before(start: Start) -> None:
    client = start()
    project = await client.project("Boats")
    await client.ready(project, "Boats", BOATS)
    session = await client.session(project)
    asked = ["What does the Heron cost for half a day?", "And for a full day?", "And the Tern?"]
    given = [await final(client, session, question) for question in asked]
    assert [_names_in(message, {"Swan", "Heron", "Tern", "Pike"}) for message in given] == [
        ["Heron"],
        ["Heron"],
        ["Tern"],
    ]


async def test_a_follow_up_to_a_refused_question_is_not_about_the_one_before_that(start: Start) -> None:
    client = start()
    project = await client.project("Boats")
    await client.ready(project, "Boats", BOATS)
    session = await client.session(project)
    asked = ["What does the Heron cost for half a day?", "Who painted the ceiling of the hall?", "And for a full day?"]
    given = [await final(client, session, question) for question in asked]
    assert _names_in(given[0], {"Heron"}) == ["Heron"]
    assert not given[1]["citations"]
    assert _names_in(given[2], {"Swan", "Heron", "Tern", "Pike"}) != ["Heron"]


def _names_in(message: dict[str, Any], names: set[str]) -> list[str] | None:
    """The names in an answer, in their order; None if it cites nothing."""
    content = message["content"]
    return sorted((name for name in names if name in content), key=content.find) if message["citations"] else None


async def test_an_extreme_is_only_told_of_a_table_that_is_shown_as_a_whole(start: Start) -> None:
    rows = "\n".join(f"| Boat {number} | {number * 7 % 401 + 30} | {'a long remark ' * 6}|" for number in range(120))
    client = start()
    project = await client.project("Fleet")
    await client.ready(project, "Fleet", f"# Fleet\n\n| Boat | Price (EUR) | Remark |\n|---|---|---|\n{rows}\n")
    message = await final(client, await client.session(project, ragTopK=1), "Which boat is the cheapest?")
    assert not message["citations"], message["content"]
    await client.ready(
        project, "Trucks", "# Trucks\n\n| Truck | Price (EUR) |\n|---|---|\n| Gnu | 90 |\n| Yak | 70 |\n"
    )
    message = await final(client, await client.session(project, ragTopK=1), "Which truck is the cheapest?")
    assert "Yak" in message["content"]
    assert "Gnu" not in message["content"]


async def test_a_day_inside_a_span_of_days_is_answered_by_the_span(start: Start) -> None:
    client = start()
    project = await client.project("Everyday")
    for path in sorted((Path(__file__).parents[1] / "evaluation" / "table_docs" / "documents").iterdir()):
        await client.ready(project, path.stem, path.read_text("utf-8"))
    await client.ready(project, "Tour", TOUR)
    session = await client.session(project)
    message = await final(client, session, "How much do we have to pay if we cancel on 20 April?")
    assert "Between 11 April and 1 May we charge 40 %" in message["content"]


@pytest.mark.parametrize("media_type", ["text/markdown", "text/plain"])
async def test_rows_without_headers_are_no_table_whose_rows_can_be_listed(start: Start, media_type: str) -> None:
    """There is no first column by which they could be one; the answer failed with an internal error."""
    client = start()
    project = await client.project("Zoo")
    rows = "Some of the cats:\n\n| cat | 5 kg |\n| dog | 7 kg |\n| lion | 90 kg |\n"
    await client.ready(project, "Cats", rows, mediaType=media_type)
    message = await final(client, await client.session(project), "Which cats weigh more than 5 kg?")
    assert (message["status"], message["outcome"], message["failure"]) == ("COMPLETED", "CITED", None)
    assert "lion" in message["content"] or "cat" in message["content"]
