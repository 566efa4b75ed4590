"""The embedded answerer refuses another attribute, owner or time than the one asked for, and finds the one that is."""

import pytest

from app.providers import base
from app.providers.embedded.fixed_texts import texts_for
from app.providers.embedded.provider import EmbeddedProvider
from app.rag.judgement import answerability
from tests.embedded.test_embedded import said


@pytest.fixture(scope="module")
def provider() -> EmbeddedProvider:
    return EmbeddedProvider()


DESK = "The desk Alder is 140 cm long and stands 72 cm above the floor. The bench Birch is 120 cm long and 35 cm wide."
PIER = (
    "Die Mole am Hafen ist 210 Meter lang und ragt 4 Meter über dem Wasser auf. Das Dock hat vier Plätze von 30 Metern."
)
PIER_WIDE = "Die Mole am Hafen ist 210 Meter lang und 6 Meter breit."
TOWER = "这座石塔高42米，建于宋代。石塔入口的石桥长18米。"
OVEN = "| Angabe | Wert |\n|---|---|\n| Ofenmaß | 60 cm |\n| Ofengewicht | 31 kg |\n| Ofenfarbe | schwarz |"
SCALE = "| 参数 | 数值 |\n|---|---|\n| 烤箱容积 | 30升 |\n| 净重 | 8.5千克 |"
DESK_PHONES = """Ask Nora Quist about the hall; her office is on the first floor.

For keys call Bram Oyelaran on 555 0142, extension 31."""
RECTORY = "Den Saal betreut Jonas Ebert.\n\nSchlüssel gibt es bei Rita Falk, Telefon 0555 1234, Durchwahl 12."
OFFICE = "维修请找李国强。投诉电话：5550-2231。物业由赵敏负责，电话：5550-7788。"
SOUP = "We offer soups and salads, a soup costs £6 with bread."
SUPPE = "Es gibt Suppen und Salate, eine Suppe kostet mit Brot 6 Euro."
MILL = (
    "The mill stands by the river; it is closed on Mondays. The bakery is closed in August because the oven is cleaned."
)
LADEN = (
    "Der Laden am Markt ist groß; mittwochs ist geschlossen. Der Keller ist gesperrt, weil die Treppe erneuert wird."
)
SHOP = "书店周三休息，周日营业。仓库暂停使用，因为屋顶正在维修。"
CHOIR = "The choir meets in the hall for two hours. The orchestra rehearses for three hours on Thursday."
MINE = "The mine was opened in 1871. The mine has a shaft with two lifts."
BEACON = "Mittwoch: Ausflug zum Aussichtsturm, Treffpunkt 9 Uhr in Raum 12. Der Kirchturm ist 54 Meter hoch."
CLASSES = "- Töpfern für Anfänger: 8 Abende, 90 €, nur im März\n- Nähen: montags 19 Uhr, 7 €, Leitung Vera Lindt"
SHARES = "Each member pays a joining fee of 15 % of the share. The share is 200 euros."

TRIP = """# Three towns

## Ghent

Your driver is Piet Maas. Lunch is served on the boat.

## Bruges

The boat leaves at noon. Your hotel is the Old Mint."""
REISE = """# Drei Städte

## Erfurt

Die Stadtführerin ist Anna Roth. Das Hotel liegt am Dom.

## Weimar

Der Bus fährt um 9 Uhr ab. Das Hotel liegt am Park."""
ROUTE = """# 三城之旅

## 苏州

导游是周敏，酒店在观前街。

## 无锡

上午乘船游湖，司机是陈涛。"""
FILTERS = """# 除湿机

## 更换

| 滤网 | 价格 | 寿命 |
|---|---|---|
| 活性炭滤网 | 85元 | 6个月 |
| 初效滤网 | 30元 | 12个月 |"""
MODELS = FILTERS.replace("| 滤网 |", "| 型号 |").replace("活性炭滤网", "CS-1").replace("初效滤网", "CS-2")
TANK = "| 参数 | 数值 |\n|---|---|\n| 水箱水压 | 0.3兆帕 |\n| 水箱颜色 | 灰色 |"


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        # A section about one place says nothing about another.
        (TRIP, "Who is our driver in Ghent?", "Piet Maas"),
        (TRIP, "Who is our driver in Bruges?", None),
        (REISE, "Wer ist die Stadtführerin in Erfurt?", "Anna Roth"),
        (REISE, "Wer ist die Stadtführerin in Weimar?", None),
        (ROUTE, "我们在苏州的导游是谁？", "周敏"),
        (ROUTE, "我们在无锡的导游是谁？", None),
        # The price of a part is not that of the whole; those of its models are.
        (FILTERS, "初效滤网的价格是多少？", "30元"),
        (FILTERS, "除湿机的价格是多少？", None),
        (MODELS, "除湿机的价格是多少？", "85元"),
        # How much something holds.
        (TANK, "水箱的容量是多少？", None),
        (TANK.replace("水箱水压 | 0.3兆帕", "水箱容量 | 2.5升"), "水箱的容量是多少？", "2.5升"),
        ("The tank of the van is made of steel. It has 2 doors.", "How much does the tank of the van hold?", None),
        ("The tank of the van holds 70 litres.", "How much does the tank of the van hold?", "70 litres"),
        ("Der Tank des Wagens hat 2 Deckel.", "Wie viel fasst der Tank des Wagens?", None),
        # A length is another dimension's than the one that is asked for.
        (DESK, "How wide is the desk Alder?", None),
        (DESK, "How wide is the bench Birch?", "35 cm wide"),
        (DESK, "How long is the desk Alder?", "140 cm long"),
        (PIER, "Wie breit ist die Mole am Hafen?", None),
        (PIER, "Wie tief ist das Dock?", None),
        (PIER_WIDE, "Wie breit ist die Mole am Hafen?", "6 Meter breit"),
        (TOWER, "石塔有多高？", "42米"),
        (TOWER, "石塔入口的石桥有多宽？", None),
        # A row is named like the dimension.
        (OVEN, "Wie schwer ist der Ofen?", "31 kg"),
        (SCALE, "烤箱有多重？", "8.5千克"),
        # A time of day or a room is no height.
        (BEACON.partition(". ")[0], "Wie hoch ist der Aussichtsturm?", None),
        (BEACON, "Wie hoch ist der Kirchturm?", "54 Meter"),
        # A telephone number belongs to somebody.
        (DESK_PHONES, "What is the phone number of Bram Oyelaran?", "555 0142"),
        (DESK_PHONES, "What is the phone number of Nora Quist?", None),
        (DESK_PHONES, "What is Bram Oyelaran's extension?", "extension 31"),
        (DESK_PHONES, "What is Nora Quist's extension?", None),
        (RECTORY, "Wie lautet die Telefonnummer von Rita Falk?", "0555 1234"),
        (RECTORY, "Wie lautet die Telefonnummer von Jonas Ebert?", None),
        ("Unser Gärtner ist unter 0555 77 12 zu erreichen.", "Wie ist die Telefonnummer des Gärtners?", "0555 77"),
        (OFFICE, "赵敏的电话是多少？", "5550-7788"),
        (OFFICE, "李国强的电话是多少？", None),
        ("Sister Agnes runs the ward.\n\nPhone: 555 0199", "What is the phone number of Sister Agnes?", "555 0199"),
        # The price of one thing is not that of another one beside it.
        (SOUP, "How much does a soup cost?", "£6"),
        (SOUP, "How much does a salad cost at lunch?", None),
        (SUPPE, "Was kostet eine Suppe?", "6 Euro"),
        (SUPPE, "Was kostet ein Salat?", None),
        # What is so is no reason.
        (MILL, "Why is the mill closed on Mondays?", None),
        (MILL, "Why is the bakery closed in August?", "oven"),
        (LADEN, "Warum ist der Laden mittwochs geschlossen?", None),
        (LADEN, "Warum ist der Keller gesperrt?", "Treppe"),
        (SHOP, "书店为什么周三休息？", None),
        (SHOP, "仓库为什么暂停使用？", "屋顶"),
        # How long something takes does not tell when it is.
        (CHOIR, "When does the choir meet?", None),
        (CHOIR, "When does the orchestra rehearse?", "Thursday"),
        # Since when something is there tells how old it is.
        (MINE, "How old is the mine?", "1871"),
        (SHARES, "How big a joining fee do members pay?", "15 %"),
        # A deadline need not be called one.
        ("Orders for the stall close on 3 June. It opens on 9 June.", "What is the deadline for orders?", "3 June"),
        ("Orders for the stall close on 3 June. It opens on 9 June.", "What is the deadline for refunds?", None),
        ("Bestellungen nehmen wir bis zum 3. Juni an.", "Was ist die Frist für Bestellungen?", "3. Juni"),
        ("摊位订单接受到6月3日。摊位6月9日开放。", "摊位订单的截止日期是什么时候？", "6月3日"),
        ("Ina took the bakery over from Ada in 1998. It has two ovens.", "How old is Ina?", None),
        ("The bakery is open from 3 March to 9 May.", "Why does the bakery close in May?", None),
        # One of two is not the other.
        ("The new kiln was bought from Orr for 900 pounds.", "How much was the old kiln bought for?", None),
        ("The old kiln was bought from Orr for 900 pounds.", "How much was the old kiln bought for?", "900"),
        ("Die vorderen Ventile wurden im März erneuert.", "Wann wurden die hinteren Ventile erneuert?", None),
        ("Die hinteren Ventile wurden im März erneuert.", "Wann wurden die hinteren Ventile erneuert?", "März"),
        ("新仓库的面积是300平方米。", "旧仓库的面积是多少？", None),
        ("旧仓库的面积是300平方米。", "旧仓库的面积是多少？", "300"),
        # Who leads something has a name.
        (CLASSES, "Wer leitet den Nähkurs?", "Vera Lindt"),
        (CLASSES.partition("\n")[0], "Wer leitet den Töpferkurs?", None),
    ],
)
async def test_attributes_owners_and_times_are_those_that_are_asked_for(
    provider: EmbeddedProvider, text: str, question: str, expected: str | None
) -> None:
    answer = await said(provider, question, base.PromptPassage(1, "Page", text, 0.5))
    if expected is None:
        assert answer == texts_for(question).not_found
    else:
        assert expected in answer


def test_chinese_words_that_only_ask_do_not_make_an_answer_unlikely() -> None:
    text = "仓库钥匙由陈雪保管。包裹重12公斤。"
    one, other = (
        answerability.estimate_answerability([each], [(text, "Page")], [(text, 1.0)])
        for each in ("谁保管仓库钥匙？", "保管仓库钥匙？")
    )
    assert one == pytest.approx(other)


def test_german_words_that_only_ask_are_no_evidence_in_a_small_project() -> None:
    text = "Die Mühle wird von einem Verein betrieben. Sie ist an der Ilm, und es gibt einen Laden."
    asked, bare = (
        answerability.estimate_answerability([each], [(text, "Seite")], [(text, 1.0)])
        for each in ("Wie breit ist die Scheune, die es an der Mühle gibt?", "breit Scheune Mühle")
    )
    assert asked == pytest.approx(bare)


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("The pool opens at nine. The pool closes at six.", "When does the pool close?", "closes at six"),
        ("The library closes at half past five.", "When does the library close?", "half past five"),
        ("The museum opens at ten in the morning.", "When does the museum open?", "ten in the morning"),
        ("The gate is locked at midnight.", "When is the gate locked?", "midnight"),
        ("Das Schwimmbad öffnet um neun Uhr.", "Wann öffnet das Schwimmbad?", "neun Uhr"),
        ("Das Schwimmbad schließt um halb sechs.", "Wann schließt das Schwimmbad?", "halb sechs"),
        # Numbers of other things are no times.
        ("The course opens at six schools.", "When does the course open?", None),
        ("The price of the ticket rose by six.", "When did the price of the ticket rise?", None),
        ("Der Preis der Karte stieg um sechs Euro.", "Wann stieg der Preis der Karte?", None),
    ],
)
async def test_times_of_day_in_words_answer_when(
    provider: EmbeddedProvider, text: str, question: str, expected: str | None
) -> None:
    found = await said(provider, question, base.PromptPassage(1, "Page", text, 0.5))
    assert (expected in found) if expected else (found == texts_for(question).not_found), found
