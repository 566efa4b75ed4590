"""Answers of the embedded answerer over GraphQL: questions for yes or no, amounts, dates, names and lists."""

from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.answers import MESSAGE, Start
from tests.graphql.client import Client

SHOP = """# Shipping

Parcels are shipped from Hamburg on every working day. Express parcels are not insured against loss.
The shop was founded by Ada Brown in 1998. She still writes every invoice by hand.

The label of a parcel is printed as soon as the order is paid.

## Returns

Goods may be returned within 30 days of delivery. Opened software cannot be returned.
A voucher is a code that pays for an order. It is valid for three years.

For a return, these documents are needed:

- the receipt
- form R-12
- the label of the parcel

## Prices

| Country | Days | Price |
|---|---|---|
| Norway | 6 | 1,664.50 |
| Spain | 3 | 12.00 |
"""
SHOP_DE = """# Versand

Pakete werden an jedem Werktag aus Hamburg verschickt. Expresspakete sind nicht gegen Verlust versichert.
Das Geschäft wurde am 3. Mai 1998 von Ada Braun gegründet. Sie schreibt jede Rechnung von Hand.

## Rückgabe

Waren können innerhalb von dreißig Tagen nach der Lieferung zurückgegeben werden.
Geöffnete Software kann nicht zurückgegeben werden. Ein Gutschein ist ein Code, der eine Bestellung bezahlt.

Für eine Rückgabe werden diese Unterlagen benötigt:

- der Beleg
- das Formular R-12
- das Etikett des Pakets

## Preise

| Land | Tage | Preis |
|---|---|---|
| Norwegen | 6 | 1.664,50 |
| Spanien | 3 | 12,00 |
"""
SHOP_ZH = """# 配送

包裹每个工作日从汉堡发出。快递包裹没有丢失保险。
商店由陈艾达于1998年5月3日创立。

## 退货

商品可以在交货后三十天内退回。已拆封的软件不得退回。
代金券是一种用来支付订单的代码。

退货需要以下文件：

（一）收据；
（二）R-12表格；
（三）包裹标签。

## 价格

| 国家 | 天数 | 价格 |
|---|---|---|
| 挪威 | 6 | 1,664.50 |
| 西班牙 | 3 | 12.00 |
"""


async def answers(client: Client, text: str, questions: list[str]) -> list[dict[str, Any]]:
    project = await client.project("Shop")
    await client.ready(project, "Terms", text)
    sessions = [await client.session(project) for _ in questions]
    ids = [await client.answered(session, each) for session, each in zip(sessions, questions, strict=True)]
    return [(await client.run(MESSAGE, id=each))["message"] for each in ids]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            SHOP,
            {
                "Are express parcels insured against loss?": "Express parcels are not insured against loss [1].",
                "Can I return opened software?": "Opened software cannot be returned [1].",
                "On which days are parcels shipped from Hamburg?": "from Hamburg on every working day [1].",
                "When is the label of a parcel printed?": "is printed as soon as the order is paid [1].",
                "How long do I have to return goods?": "Goods may be returned within 30 days of delivery [1].",
                "What is a voucher?": "A voucher is a code that pays for an order [1].",
                "Who founded the shop?": "The shop was founded by Ada Brown in 1998 [1].",
                "Which documents are needed for a return?": "For a return, these documents are needed [1]:\n"
                "- the receipt\n- form R-12\n- the label of the parcel",
                "What is the price for Norway?": "Country: Norway; Days: 6; Price: 1,664.50 [1]",
            },
        ),
        (
            SHOP_DE,
            {
                "Sind Expresspakete gegen Verlust versichert?": "Expresspakete sind nicht gegen",
                "Kann ich geöffnete Software zurückgeben?": "Geöffnete Software kann nicht zurückgegeben werden [1].",
                "Wann werden Pakete aus Hamburg verschickt?": "Pakete werden an jedem Werktag aus Hamburg verschickt",
                "Wann wurde das Geschäft gegründet?": "Das Geschäft wurde am 3. Mai 1998 von Ada Braun gegründet [1].",
                "Innerhalb von wie vielen Tagen können Waren zurückgegeben werden?": "innerhalb von dreißig Tagen",
                "Was ist ein Gutschein?": "Ein Gutschein ist ein Code, der eine Bestellung bezahlt [1].",
                "Wer hat das Geschäft gegründet?": "von Ada Braun gegründet [1].",
                "Welche Unterlagen werden für eine Rückgabe benötigt?": "werden diese Unterlagen benötigt [1]:\n"
                "- der Beleg\n- das Formular R-12\n- das Etikett des Pakets",
                "Wie hoch ist der Preis für Norwegen?": "Land: Norwegen; Tage: 6; Preis: 1.664,50 [1]",
            },
        ),
        (
            SHOP_ZH,
            {
                "快递包裹有丢失保险吗？": "快递包裹没有丢失保险 [1]。",
                "已拆封的软件可以退回吗？": "已拆封的软件不得退回 [1]。",
                "包裹什么时候从汉堡发出？": "包裹每个工作日从汉堡发出",
                "商店是哪一年创立的？": "商店由陈艾达于1998年5月3日创立 [1]。",
                "商品可以在交货后多少天内退回？": "商品可以在交货后三十天内退回 [1]。",
                "什么是代金券？": "代金券是一种用来支付订单的代码 [1]。",
                "代金券是什么？": "代金券是一种用来支付订单的代码 [1]。",
                "商店由谁创立？": "商店由陈艾达于1998年5月3日创立",
                "退货需要哪些文件？": "退货需要以下文件 [1]：\n- （一）收据；\n- （二）R-12表格；\n- （三）包裹标签。",
                "挪威的价格是多少？": "国家: 挪威; 天数: 6; 价格: 1,664.50 [1]",
            },
        ),
    ],
    ids=["English", "German", "Chinese"],
)
async def test_each_kind_of_question_gets_what_it_asks_for(start: Start, text: str, expected: dict[str, str]) -> None:
    given = await answers(start(), text, list(expected))
    for message, (question, wanted) in zip(given, expected.items(), strict=True):
        assert wanted in message["content"], question
        assert message["outcome"] == "CITED", question
        citation = message["citations"][0]
        assert citation["quote"] in citation["chunk"]["text"], question


async def test_the_sentence_that_settles_a_question_leads(start: Start) -> None:
    text = (
        "Software is sold in boxes that can be opened. We return every call.\n\nOpened software cannot be returned.\n"
    )
    [message] = await answers(start(), text, ["Can I return opened software?"])
    assert message["content"].startswith("Opened software cannot be returned [1].")


async def test_what_is_said_of_somebody_comes_with_the_name(start: Start) -> None:
    [message] = await answers(start(), SHOP, ["Who writes every invoice by hand?"])
    assert message["content"] == (
        "The shop was founded by Ada Brown in 1998 [1]. She still writes every invoice by hand [1]."
    )


@pytest.mark.parametrize(
    "question", ["How much does a return to Spain cost?", "退货多少钱？", "Was kostet ein Gutschein?"]
)
async def test_amounts_that_no_sentence_says_are_refused(start: Start, question: str) -> None:
    text = "A return to Spain costs money.\n\n退货需要钱。\n\nEin Gutschein kostet Geld.\n"
    [message] = await answers(start(), text, [question])
    assert (message["outcome"], message["citations"]) == ("INSUFFICIENT", [])


async def test_a_list_below_a_picture_is_quoted_without_it(start: Start) -> None:
    text = "# Lamp\n\nThe lamp is blue.\n\n![](lamp.png)\n\n- Run time: 9 hours\n- Charging time: 2 hours\n"
    [message] = await answers(start(), text, ["How long is the run time of the lamp?"])
    assert message["content"] == "Run time: 9 hours [1]"


LAMPS = """# Lamps

| Model | Run time | Weight | Price |
|---|---|---|---|
| Heron 20 | 9 hours | 140 g | 89 € |
| Heron 40 | 6 hours | 210 g | 149 € |
| Heron 40 Pro | | 265 g | 229 € |

| Modell | Laufzeit | Farbe |
|---|---|---|
| Reiher 20 | 9 Stunden | blau |
| Reiher 40 | | rot |

| 型号 | 续航时间 | 噪音 |
|---|---|---|
| 苍鹭S3 | 110分钟 | 62分贝 |
| 苍鹭S7 | 180分钟 | |
"""


async def test_an_empty_cell_or_an_unknown_name_is_not_answered_by_another_row(start: Start) -> None:
    expected = {
        "What is the run time of the Heron 40 Pro?": None,
        "What is the run time of the Heron 60?": None,
        "What is the run time of the Osprey Mini?": None,
        "What is the run time of the Heron Max?": None,
        "What is the run time of the purple lamp?": None,
        "What is the longest run time of a Heron?": "Model: Heron 20; Run time: 9 hours; Weight: 140 g; "
        "Price: 89 € [1]",
        "What is the run time of the Heron 40?": "Model: Heron 40; Run time: 6 hours; Weight: 210 g; Price: 149 € [1]",
        "How much does the Heron 40 Pro cost?": "Model: Heron 40 Pro; Weight: 265 g; Price: 229 € [1]",
        "Wie lang ist die Laufzeit des Reiher 40?": None,
        "Wie lang ist die Laufzeit des Falken Mini?": None,
        "Welche Farbe hat der Reiher 40?": "Modell: Reiher 40; Farbe: rot [1]",
        "苍鹭S7的噪音是多少分贝？": None,
        "苍鹭S7的续航时间是多少？": "型号: 苍鹭S7; 续航时间: 180分钟 [1]",
    }
    given = await answers(start(), LAMPS, list(expected))
    shown = [message["content"] if message["outcome"] == "CITED" else None for message in given]
    assert shown == list(expected.values())


RELEASES = """# Changes of the lamp's program

## 3.2.0 - 2025-09-18

### Added

- Dimming by voice.

### Fixed

- The clock kept the time of the last charge.

## v3.1 (2025-05-20)

- The minimum brightness is now two percent.
- Removed the mode `--blink`, deprecated since 2.8.

## 3.0.0 - 2025-02-11

New colors need a new table. It is made at the first start.

## Ausgabe 2.4 vom 3. Mai 2024

- Das Licht dimmt auf Zuruf.
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "When was the version 3.2.0 of the lamp's program released?",
            "3.2.0 - 2025-09-18 [1]\n- Dimming by voice.\n- The clock kept",
        ),
        ("What changed in 3.2.0?", "3.2.0 - 2025-09-18 [1]\n- Dimming by voice.\n- The clock kept"),
        ("What is new in v3.1?", "v3.1 (2025-05-20) [1]\n- The minimum brightness is now two percent.\n- Removed"),
        (
            "3.0.0有什么变化？",
            "3.0.0 - 2025-02-11 [1]\n\nNew colors need a new table [1]. It is made at the first start [1].",
        ),
        ("Which version removed the mode --blink?", "v3.1 (2025-05-20) [1]\n- …\n- Removed the mode `--blink`, depre"),
        ("When was the mode --blink removed?", "v3.1 (2025-05-20) [1]\n- …\n- Removed the mode `--blink`, deprecated"),
    ],
)
async def test_the_heading_of_a_release_tells_its_date_and_version(start: Start, question: str, answer: str) -> None:
    [message] = await answers(start(), RELEASES, [question])
    assert message["content"].startswith(answer)


async def test_a_title_that_repeats_the_question_comes_with_its_text(start: Start) -> None:
    text = (
        "The warranty period for bags and cases\n\nIt is two years from the day of purchase.\n\n"
        "The warranty period for lamps\n\nIt is one year.\n\nWie lange ist die Garantie?\n\nZwei Jahre ab Kauf.\n"
    )
    expected = {
        "What is the warranty period for bags and cases?": "The warranty period for bags and cases [1]\n\n"
        "It is two years from the day of purchase [1].",
        "Wie lange ist die Garantie?": "Wie lange ist die Garantie [1]? Zwei Jahre ab Kauf [1].",
    }
    given = await answers(start(), text, list(expected))
    assert [message["content"] for message in given] == list(expected.values())


STEPS = """# Emptying the tank

To empty the tank, follow these steps:

1. Close valve A.
2. Switch the pump off.
3. Wait until the lamp is green, which takes ten minutes after a long run of the machine, and longer in winter.
4. Open valve B with the blue key that hangs beside the door of the room.
5. Let the water run into the drain until nothing comes any more, and do not leave the room meanwhile.
6. Close valve B, and write the time and your name into the book that lies on the table beside the pump.

When the tank is to be cleaned:

a) Use soap.
b) Rinse twice.
"""


@pytest.mark.parametrize(
    ("text", "question", "shown"),
    [
        (STEPS, "Which steps empty the tank?", ["<ol>", "<li>Close valve A.</li>", "<li>Switch the pump off.</li>"]),
        (STEPS, "Is the pump switched off?", ["<li>…</li>\n</ul>", '<ol start="2">\n<li>Switch the pump off.</li>']),
        (STEPS, "What is to be done when the tank is to be cleaned?", ["<li>a) Use soap.</li>", "<li>b) Rinse twice."]),
        (LAMPS, "Which Herons cost less than 200 €?", ["<p>Model: Heron 20; Run", "<p>Model: Heron 40; Run"]),
    ],
)
async def test_markdown_shows_the_numbers_of_steps_and_each_row_by_itself(
    start: Start, text: str, question: str, shown: list[str]
) -> None:
    [message] = await answers(start(), text, [question])
    html = MarkdownIt().render(message["content"])
    assert [part for part in shown if part not in html] == [], message["content"]
