"""Questions for an attribute ("how heavy") find the row, line or sentence that is labelled with its noun (weight)."""

import pytest

from app import language
from app.providers import base
from app.providers.embedded.fixed_texts import texts_for
from app.providers.embedded.provider import EmbeddedProvider
from tests.answers import Start, final
from tests.embedded.test_embedded import said


@pytest.fixture(scope="module")
def provider() -> EmbeddedProvider:
    return EmbeddedProvider()


CANOE = """# Canoe Otter

| Property: Length; Value: 4.6 m
| Property: Width; Value: 88 cm
| Property: Weight; Value: 29 kg
| Property: Price; Value: £640
| Property: Delivery time; Value: 3 weeks

The Canoe Otter comes in green.

# The lock at Hale

The lock has a depth of 3 metres. It was opened in 1904."""
BANK = """# Werkbank Buche

- Gewicht: 54 kg
- Breite: 150 cm
- Preis: 319 €
- Lieferkosten: 29 €

Die Werkbank Buche steht auf vier Füßen.

# Die Schleuse

Die Schleuse hat eine Spannweite von 12 Metern. Sie wurde 1931 eröffnet."""
POOL = """# Riverside Pool

| Item: Minimum age; Detail: 8 years
| Item: Lane length; Detail: 25 m
| Item: Parking time; Detail: 3 hours

The pool was built in 1936. Its roof weighs 40 tonnes. Report accidents to the desk as soon as possible."""
SHELF = """# 松木书架

| 参数: 宽度; 数值: 80厘米
| 参数: 重量; 数值: 17公斤
| 参数: 价格; 数值: 259元

松木书架适合客厅。"""
SPEEDS = """Zstandard compresses fast. Only complete work reaches a release.

| Compressor name: zstd 1.5.1; Ratio: 2.887; Compression: 530 MB/s; Decompress.: 1700 MB/s"""
MAIL = "The numeric id of the mail user is 8."


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        (CANOE, "How wide is the Canoe Otter?", "88 cm"),
        (CANOE, "How heavy is the Otter?", "29 kg"),
        (CANOE, "How expensive is the Otter?", "£640"),
        (CANOE, "How old is the lock?", "1904"),
        (CANOE, "How deep is the Canoe Otter?", None),
        (CANOE, "How old is the Canoe Otter?", None),
        (CANOE, "How fast is the Canoe Otter?", None),
        (CANOE, "How wide is the lock?", None),
        (POOL, "How old is the pool?", "1936"),
        (POOL, "How long is a lane?", "25 m"),
        (POOL, "How fast must I report an accident?", "as soon as possible"),
        (POOL, "How heavy is the pool?", None),
        (BANK, "Wie schwer ist die Werkbank?", "54 kg"),
        (BANK, "Was kostet die Werkbank?", "319"),
        (BANK, "Wie alt ist die Schleuse?", "1931"),
        (BANK, "Wie tief ist die Werkbank?", None),
        (BANK, "Wie breit ist die Schleuse?", None),
        (SHELF, "书架多重？", "17公斤"),
        (SHELF, "书架多少钱？", "259元"),
        (SHELF, "书架多深？", None),
        # A speed is no year, and a ratio is no time of day.
        (SPEEDS, "When was zstd 1.5.1 released?", None),
    ],
)
async def test_the_attribute_is_the_one_that_is_asked_for(
    provider: EmbeddedProvider, text: str, question: str, expected: str | None
) -> None:
    answer = await said(provider, question, base.PromptPassage(1, "Page", text, 0.5))
    if expected is None:
        assert answer == texts_for(question).not_found
    else:
        assert expected in answer


async def test_the_word_before_a_thing_tells_it_from_others(provider: EmbeddedProvider) -> None:
    ids = base.PromptPassage(1, "Ids", MAIL, 0.5)
    games = base.PromptPassage(2, "Games", "The games group owns the score files of all that is played.", 0.4)
    question = "What is the numeric id of the games user?"
    assert await said(provider, question, ids, games) == texts_for(question).not_found
    assert "is 8" in await said(provider, question.replace("games", "mail"), ids, games)


async def test_a_question_is_searched_by_the_noun_of_its_attribute_as_well(start: Start) -> None:
    client = start(sample_project=False)
    project = await client.project("Benches")
    for number in range(6):
        await client.ready(project, f"Garden {number}", f"# Garden {number}\n\nGarden bench {number} is made of oak.")
    await client.ready(
        project, "Bench", "# Bench\n\n| Merkmal | Wert |\n|---|---|\n| Gewicht | 61 kg |\n| Breite | 2 m |"
    )
    message = await final(client, await client.session(project), "Wie schwer ist die Bench?")
    assert (message["outcome"], "61 kg" in message["content"]) == ("CITED", True)


def test_the_noun_takes_the_place_of_what_asks() -> None:
    assert language.name_attributes("How heavy is the bench?") == ["weight is the bench?"]
    assert language.name_attributes("这个书架多重？") == ["这个书架重量？"]
    assert language.name_attributes("How heavily does it rain?") == []
