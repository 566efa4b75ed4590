"""What a question asks for decides which sentences answer it, and whether any does."""

import pytest

from app.providers import base
from app.providers.embedded.extractive import kinds, quote_answer
from tests.embedded.extractive.quoting import VECTORS, answer


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("When does the shop open?", {"time", "amount", "point"}),
        ("Wann öffnet das Geschäft?", {"time", "amount", "point"}),
        ("商店什么时候开门？", {"time", "amount", "point"}),
        ("Since what year is it open?", {"time"}),
        ("How many rooms are there?", {"number", "amount"}),
        ("Wie viele Zimmer gibt es?", {"number", "amount"}),
        ("Wie lange dauert es?", {"number", "amount", "measure"}),
        ("有多少个房间？", {"number", "amount"}),
        ("需要多久？", {"number", "amount", "measure"}),
        ("Which version introduced it?", {"number"}),
        ("Who opened it?", {"name", "person"}),
        ("Wer hat es eröffnet?", {"name", "person"}),
        ("Roughly how many rooms are there?", {"number", "amount"}),
        ("By early 2008, how many rooms were there?", {"number", "amount", "numbers", "likes"}),
        ("If it rains, how long does it take?", {"number", "amount", "measure"}),
        ("Wenn es regnet, wie lange dauert es?", {"number", "amount", "measure"}),
        ("When it rains, where is it?", {"place"}),
        ("是谁开的？", {"name"}),
        ("Where is it?", {"place"}),
        ("Wo ist es?", {"place"}),
        ("它在哪里？", {"place"}),
        ("What are the two categories?", {"list", "defined", "definitions"}),
        ("Which documents are needed?", {"list"}),
        ("Welche Unterlagen werden benötigt?", {"list"}),
        ("需要哪些文件？", {"list"}),
        ("Is it open?", {"whether"}),
        ("Ist es offen?", {"whether"}),
        ("它开着吗？", {"whether"}),
        ("是否开着", {"whether"}),
        ("Can you tell me where it is?", {"place"}),
        ("Kannst du mir sagen, wo es ist?", {"place"}),
        ("What is a voucher?", {"defined", "definitions"}),
        ("What does voucher mean?", {"defined", "definitions"}),
        ("Was ist ein Gutschein?", {"defined", "definitions"}),
        ("Was versteht man unter einem Gutschein?", {"defined", "definitions"}),
        ("什么是代金券？", {"defined", "definitions"}),
        ("代金券是什么意思？", {"defined", "definitions"}),
        ("What happens at night?", {"list"}),
        ("What do we have to do before we leave?", {"list"}),
        ("Was sollen die Kinder mitbringen?", {"list"}),
        ("爷爷来要带什么？", {"list"}),
        ("How often is it open?", {"number", "measure"}),
        ("Wie oft ist es offen?", {"number", "measure"}),
        ("它多久开一次？", {"number", "amount", "measure"}),
        ("Which flag turns it on?", {"code"}),
        ("Welche Option schaltet es ein?", {"code"}),
        ("哪个选项可以打开它？", {"code"}),
        ("What does max_size=3 do?", {"code_names", "numbers"}),
        ("What does error E3 mean?", {"defined", "definitions", "numbers", "likes"}),
        ("Which goods can't be returned?", {"list", "denied"}),
        ("Was darf man nicht?", {"denied"}),
        ("Which goods can’t be returned?", {"list", "denied"}),
        ("哪些物品不能退货？", {"list", "denied"}),
        ("What does the lid protect against?", set[str]()),
        ("Which unit is it?", set[str]()),
        ("Why is it open?", {"why"}),
    ],
)
def test_what_a_question_asks_for(question: str, asked: set[str]) -> None:
    found = kinds.read_question(question)
    assert {name for name in found.__dataclass_fields__ if name != "words" and getattr(found, name)} == asked


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("When are parcels shipped?", "Parcels are shipped on every working day.", "Parcels are shipped by Ada."),
        ("On which day are parcels shipped?", "Parcels are shipped each day.", "Parcels are shipped to Spain."),
        ("Wann werden Pakete verschickt?", "Pakete werden werktags verschickt.", "Pakete werden von Ada verschickt."),
        ("包裹什么时候发出？", "包裹每天发出。", "包裹从汉堡发出。"),
        ("How many characters may it have?", "It may have any number of characters.", "It may have characters."),
        ("How long are builds?", "Builds take two minutes.", "Builds are described in section 3."),
        ("Wie viele Tage sind es?", "Es sind dreißig Tage.", "Es sind Tage nach § 4."),
        ("有多少个房间？", "有三个房间。", "有房间。"),
        ("Which flag turns it on?", "Turn it on with --fast.", "Turn it on with care."),
        ("Who founded it?", "It was founded by Ada Brown.", "It was founded by a baker."),
        ("Who founded it?", "It was founded by Åse Øye.", "It was founded by a baker."),
    ],
)
def test_sentences_with_what_is_asked_for_are_preferred(question: str, right: str, wrong: str) -> None:
    asked = kinds.read_question(question)
    assert kinds.score_kind(asked, right) > kinds.score_kind(asked, wrong) == -1 or asked.place


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("How large may a document be?", "A document can have up to 50 MB.", "A document has 300 readers."),
        ("How long does a parcel take?", "A parcel takes two to three days.", "A parcel has twelve labels."),
        ("What does a parcel cost?", "A parcel is 4.90 euros.", "A parcel is kept for 30 days."),
        ("Wie alt ist der Turm?", "Der Turm steht seit 40 Jahren.", "Der Turm hat 300 Stufen."),
        ("Wie breit ist der Turm?", "Der Turm misst 12,5 m.", "Der Turm steht seit 40 Jahren."),
        ("包裹多重？", "包裹是三公斤。", "包裹保存三十天。"),
        (
            "How many drivers does the shop have?",
            "The shop pays 9 drivers.",
            "The shop has 7 cars, old and slow, for its drivers.",
        ),
        (
            "What is the most parcels a car can hold?",
            "Cars are limited to 40 parcels.",
            "A car can hold hot soup, too.",
        ),
        ("Which door code is used at night?", "Door code: lamp", "At night the code of the lamp changes."),
    ],
)
def test_amounts_in_the_units_that_are_asked_for_come_first(question: str, right: str, wrong: str) -> None:
    passages = [base.PromptPassage(1, "T", wrong, 0.51), base.PromptPassage(2, "T", right, 0.5)]
    parts = quote_answer(question, passages, VECTORS.sum_vectors) or [""]
    assert parts[0].replace(" [2]", "") == right


@pytest.mark.parametrize(
    ("question", "text", "is_answered"),
    [
        ("What is the top speed of the tram?", "The tram is 30 metres long.", False),
        ("What is the top speed of the tram?", "The tram reaches a velocity of 60 km/h.", True),
        ("Does the tram have a toilet?", "The tram has 60 seats.", False),
        ("What is the price of a ticket in dollars?", "The price of a ticket is 2.90 euros.", False),
        ("How many tickets were sold in Austria?", "In Germany 300 tickets were sold.", False),
        ("Does the tram have ABS?", "The tram has an absolute limit of 60 km/h.", False),
        ("Which tram is the cheapest?", "Tram: Red; Price: 3 euros", True),
        ("What does a ticket cost for adults?", "A ticket costs 2.90 euros.", True),
        ("Was kostet der Weg mit dem Fahrrad?", "Der Weg kostet 2 Euro.", False),
        ("Was kostet der Weg mit dem Fahrrad?", "Mit einem Fahrrad kostet der Weg 2 Euro.", True),
        ("Is pregnancy covered?", "Skiing is covered.", False),
        ("Is skiing covered?", "Skiing is covered.", True),
        ("Hat der Turm WLAN?", "Der Turm hat 300 Stufen.", False),
        ("Darf man Plastik in der Maschine waschen?", "Stoffe darf man waschen.", False),
        ("Darf man Stoffe in der Maschine waschen?", "Stoffe darf man waschen.", True),
        ("When was the tram repainted?", "The tram was bought in 1998.", False),
        ("Wann wurde der Turm gesprengt?", "Der Turm wurde 1998 eröffnet.", False),
        ("How do I stop the ticket from renewing?", "To stop the renewal of the ticket, call us.", True),
        ("托班的保教费是多少？", "中班的保教费是1180元。", False),
        ("中班的保教费是多少？", "中班的保教费是1180元。", True),
        ("商店有几个操场？", "商店有3个大厅。", False),
        ("图书馆是谁设计的？", "图书馆在北街，馆长是王磊。", False),
    ],
)
def test_a_short_question_about_something_that_no_passage_knows_is_refused(
    question: str, text: str, is_answered: bool
) -> None:
    assert bool(answer(question, text)) == is_answered


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        (
            "How long may I keep a tram, and what is the deposit?",
            ["A tram is lent for 3 days", "The deposit is 40 euros"],
        ),
        ("What is the deposit and who is the king of Spain?", ["The deposit is 40 euros"]),
    ],
)
def test_two_questions_in_one_are_answered_one_by_one(question: str, quoted: list[str]) -> None:
    text = "A tram is lent for 3 days.\n\nTrams are painted red.\n\nThe deposit is 40 euros."
    assert answer(question, text) == [f"{quotation} [1]." for quotation in quoted]


def test_the_word_that_a_question_ends_with_is_where_its_answer_is() -> None:
    saddles = base.PromptPassage(1, "Stock", "A saddle costs 30 euros.", 0.5)
    warranty = base.PromptPassage(2, "Warranty", "The warranty of the frame is two years.", 0.6)
    for question, is_answered in (
        ("How long is the warranty on the saddle?", False),
        ("How long is the warranty on the frame?", True),
    ):
        assert bool(quote_answer(question, [warranty, saddles], VECTORS.sum_vectors)) == is_answered


@pytest.mark.parametrize(
    ("question", "shown", "other"),
    [
        ("What colour is a parcel?", "A parcel is dark brown.", "A parcel arrives within three days."),
        ("Welche Farbe hat der Turm?", "Der Turm ist aus rotem Stein.", "Der Turm hat 300 Stufen."),
        ("包裹是什么颜色？", "包裹是黄色的。", "包裹保存三十天。"),
        ("How heavy may a parcel be?", "A parcel may weigh 20 kg.", "A parcel arrives within three days."),
        ("What is the phone number of the shop?", "Call the shop: 040 123-456.", "The shop opens at 9."),
        ("What is the email address of the shop?", "Write to shop@example.org.", "The shop opens at 9."),
        ("What does a parcel cost?", "A parcel is 4.90 euros.", "A parcel is kept every year."),
        ("How many parcels come per day?", "There come 40 parcels each day.", "Parcels come with 3 labels."),
        ("How long is a parcel kept?", "The shop keeps a parcel for three weeks.", "A parcel is kept in room 12."),
        ("Which flag wraps a parcel?", "Wrap the parcel with --paper.", "A parcel is wrapped in paper."),
        ("How big is the shop?", "The shop has 80 square metres.", "You may enter the shop at 9 am or at 6 pm."),
        ("What does the shop cost per year?", "The shop costs 900 euros a year.", "A shop takes 20 euros."),
        ("What is the website of the shop?", "The shop website: www.shop.example.", "The shop opens at 9."),
        ("What is the shop number?", "The shop number is A-17.", "The shop opened in 2026."),
        ("What is the colour of the shop?", "The shop has a green door.", "The shop has a door of wood."),
        ("Wie laut ist der Turm?", "Der Turm ist mit 40 dB zu hören.", "Der Turm hat 300 Stufen."),
        ("包裹的电话是多少？", "包裹的电话：8555 0163。", "包裹保存三十天。"),
        ("Who packs a parcel?", "Each parcel is packed by Ada Brown.", "A parcel is packed in paper."),
        ("Who insures the shop?", "The landlord insures the shop.", "The shop is insured in full."),
        ("What is the weight of a parcel?", "A parcel is 3 kg.", "A parcel arrives within three days."),
        ("How often is the shop cleaned?", "The shop is cleaned twice a week.", "The shop is cleaned with water."),
        ("How long can a password be?", "A password has up to 64 characters.", "A password link lasts 15 minutes."),
        ("How much notice does the shop want?", "The shop wants two weeks of notice.", "The shop wants £22 a year."),
        ("When was the shop built?", "The shop was built in 1950.", "3.3 The tenants insure the shop."),
    ],
)
def test_what_has_a_form_of_its_own_is_not_answered_without_it(question: str, shown: str, other: str) -> None:
    assert answer(question, other) == []
    assert any(part.startswith(shown[:-1]) for part in answer(question, f"{other} {shown}"))


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("What is the weight of Neptune?", ["The weight of a parcel is 3 kg for historical reasons that we keep."]),
        ("What is the shelf life of beans?", ["The shelf life of peas is two years."]),
        ("Was ist die Farbe von Neptun?", ["Die Farbe der Pakete, die wir verschicken, ist rot."]),
        ("How long does the shop keep parcels?", ["The shop keeps parcels.", "Shop cars need a wash after 3 weeks."]),
        ("How many cats live in the shop?", ["The shop asks £140 for a dog and £75 for a cat; a chip is included."]),
        ("How many clients does the shop have?", ["Write to the clients desk of the shop, PO Box 218."]),
        (
            "Wie viele Mitglieder hat der Verein?",
            ["Im Verein stimmen alle Mitglieder ab 16 Jahren ab und wählen den Vorstand."],
        ),
        ("Wie viele Arme hat der Turm?", ["Die Arme sind am Turm alle drei Monate zu prüfen und zu reinigen."]),
        ("Was kostet der Turm?", ["# Turm\n\nDie Anfahrt kostet 69 Euro."]),
        (
            "How much do you pay for a lost passport?",
            ["| What | You pay |\n|---|---|\n| Lost key | £25 |\n| Lost tag | £5 |", "Bring a passport."],
        ),
    ],
)
def test_what_belongs_to_something_else_is_no_answer(question: str, texts: list[str]) -> None:
    assert answer(question, *texts) == []


CHRONICLE = "\n\n".join(
    f"## Year {year}\n\nIn {year} {name} was reeve. The harvest brought {crop} bushels of rye."
    for year, name, crop in ((1398, "Ann", 1352), (1399, "Öyvind", 720), (1400, "Øystein", 981))
)


@pytest.mark.parametrize(
    ("question", "text", "wanted", "unwanted"),
    [
        ("How many bushels did the harvest of 1399 bring?", CHRONICLE, ("In 1399", "720"), ("1352", "981", "1398")),
        ("Who was reeve in 1400?", CHRONICLE, ("Øystein",), ("Ann", "Öyvind")),
        ("What does E3 mean?", "E2: too hot. Wait.\n\nE3: no water. Fill in some.", ("no water",), ("hot",)),
        ("Which dogs are not allowed?", "Small dogs are allowed. Large dogs are not allowed.", ("Large",), ("Small",)),
        (
            "Welche Tiere sind nicht erlaubt?",
            "Fische sind erlaubt. Nattern sind nicht erlaubt.",
            ("Nattern",),
            ("Fische",),
        ),
    ],
)
def test_other_numbers_and_what_is_so_are_left_out(
    question: str, text: str, wanted: tuple[str, ...], unwanted: tuple[str, ...]
) -> None:
    given = " ".join(answer(question, text))
    assert all(each in given for each in wanted) and not any(each in given for each in unwanted), given


def test_what_follows_the_beginning_of_a_long_question_decides_nothing() -> None:
    question = "What does the shop sell? ".ljust(kinds.LONGEST, ".")
    assert answer(question + " Is it in unknown_shop_12?", "The shop sells lamps.") == ["The shop sells lamps [1]."]
