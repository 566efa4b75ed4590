"""The embedded answerer refuses what is about another thing of the same kind, and answers what is about the thing."""

import pytest

from app.providers import base
from app.providers.embedded.fixed_texts import texts_for
from app.providers.embedded.provider import EmbeddedProvider
from app.rag.judgement import answerability
from tests.embedded.test_embedded import said


@pytest.fixture(scope="module")
def provider() -> EmbeddedProvider:
    return EmbeddedProvider()


ACCOUNTS = """| Account | Balance on 31 August | Balance on 30 June |
|---|---|---|
| Savings account | 41,300.00 | 41,180.00 |
"""
PLANTS = """| Plant | Height | Price |
|---|---|---|
| Hosta | 30 cm | 11.50 |
| Acer | 90 cm | 24.00 |
"""
POOL = (
    "Das Hallenbad ist dienstags bis freitags von 14 bis 21 Uhr geöffnet. Eine Tageskarte kostet im Hallenbad 6 Euro."
)
CLUB = """The deputy director of the museum is Ann Lee. These rules of the museum were adopted in 2017.

Subject: Leak above the hall

The ceiling of the hall should not be touched before April. The leak is caused by a cracked pipe above the hall."""
GARDEN = "Die Kündigung des Gartens bedarf der Schriftform. Auf der Parzelle steht eine Laube aus Holz."
LIBRARY = "图书馆的读书会由副馆长沈雁主持。图书馆大楼有三层，图书馆周一闭馆。"
LEAVE = """| Occasion | Days | Paid |
|---|---|---|
| Moving house | 1 | yes |
| Jury service | 5 | yes |
"""
INSURED = "Fahrräder sind bis 500 Euro versichert. Schmuck ist bis zu einem Betrag von 2000 Euro versichert."
COURSES = """Pupils who pay the fee of a course in time get a free lesson of the course, whatever the course costs.

| Course | Fee |
|---|---|
| Piano | 1,820 |
| Dance | 1,480 |
"""
TOOL = """# Parcels

`parcels manifest close` sends the manifest in parcels to the carrier. A *manifest* is the list of all labels.

## Go back to an earlier version

1. Close the program.
2. Uninstall the current version.
3. Install the earlier version of the program.

To delete your account, ask the operator."""

STAFF = (
    "Employees have 30 days of paid holiday a year, and sick leave when they are ill. Call Otis if the lift is broken."
)
MINUTES = """## Summer festival

The festival takes place on Saturday, 18 July 2026, in the park behind the library.

- Mei Lin books the band by 30 April.

The board set a limit of 3,500 euros for the festival.

## Website

The website is outdated. Fatima Haddad offered to redesign it, but she needs photos from all groups. The decision was
postponed to the next meeting."""
URLAUB = "Alle Mitarbeiter haben 30 Tage Urlaub im Jahr. Die Firma hat sechs Büros."
STELLEN = "员工每年有三十天年假。公司有六个办公室。"
LEASE = """zwischen **Frau Gudrun Albrecht**, Parkallee 7 – nachfolgend Vermieterin – und den Mietern

Vermietet wird die Wohnung im zweiten Stock des Hauses Lindenstraße 18. Die Vermieterin legt die Kaution an.

Die Miete wird im Voraus überwiesen, bis zum dritten Werktag. Der Austritt ist nur zum 31. Dezember möglich. Die
Erklärung muss bis zum 30. September vorliegen."""
BALCONY = """Das Grillen auf dem Balkon ist nur elektrisch erlaubt. Im Keller ist Ruhe zu halten.

Die Miete steigt nicht. Die Treppe wird am Samstag gereinigt. Der Hausmeister kommt am Montag."""
STAY = "Two nights at the Quinta Velha, half board. Roses of the Quinta should be cut every two days."
KETTLES = """Kettles Duo and Grande

This page is about the kettles Duo and Grande.

| | Kettle Duo | Kettle Grande |
|---|---|---|
| Tank | 1.8 l | 2.4 l |
| Weight | 6.2 kg | 9.8 kg |
"""
TRIP = "春游定于2026年4月17日前往云台植物园。植物园有3座温室。"


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        (LEASE, "Wer ist die Vermieterin der Wohnung in der Lindenstraße?", "Gudrun Albrecht"),
        (LEASE.partition("\n\n")[2], "Wer ist die Vermieterin der Wohnung in der Lindenstraße?", None),
        (LEASE, "Bis wann muss der Austritt erklärt werden?", "30. September"),
        (
            "Das Grillen auf dem Balkon ist nur elektrisch erlaubt.",
            "Ist Grillen mit Holzkohle auf dem Balkon erlaubt?",
            "nur elek",
        ),
        (BALCONY.replace(" nur", ""), "Ist Grillen mit Holzkohle auf dem Balkon erlaubt?", None),
        (STAY, "How many nights at the Quinta Velha?", "Two nights"),
        (STAY, "How many rooms does the Quinta Velha have?", None),
        (STAY, "How tall are the roses?", None),
        (TRIP, "植物园有多少座温室？", "3座"),
        (TRIP, "云台植物园有多少种植物？", None),
        ("Die Jugendarbeit leitet Jan Ott.", "Wer ist der Jugendwart?", None),
        ("Unsere Jugendwartin ist Ina Ott.", "Wer ist der Jugendwart?", "Ina Ott"),
        ("| Tart | Minimum order |\n|---|---|\n| Lemon | 12 |", "How many calories does the lemon tart have?", None),
        ("| Service | Per | Price (£) |\n|---|---|---|\n| Waiter | hour | 21 |", "How much does a waiter cost?", "21"),
        (KETTLES, "Which kettle has the biggest tank?", "Grande: 2.4 l"),
        (KETTLES, "How heavy is the Duo?", "6.2 kg"),
        (STAFF, "How many days of holiday do I get?", "30 days"),
        (STAFF, "How many days of parental leave do I get?", None),
        (MINUTES, "Who books the band for the festival?", "Mei Lin"),
        (MINUTES, "Who paints the festival posters?", None),
        (STAFF, "Who repairs the lift?", "Otis"),
        (URLAUB, "Wie viele Tage Urlaub bekomme ich?", "30 Tage"),
        (URLAUB, "Wie viele Tage Elternzeit bekomme ich?", None),
        (STELLEN, "员工有多少天年假？", "三十天"),
        (STELLEN, "员工有几天育儿假？", None),
        (ACCOUNTS, "What was the balance of the savings account on 31 August?", "41,300.00"),
        (ACCOUNTS, "What was the balance of the savings account on 30 November?", None),
        (PLANTS, "How high does the Hosta grow?", "30 cm"),
        (PLANTS, "How wide does the Hosta grow?", None),
        (POOL, "Wann ist das Hallenbad mittwochs geöffnet?", "14 bis 21 Uhr"),
        (POOL, "Wann ist das Hallenbad montags geöffnet?", None),
        (POOL, "Was kostet eine Tageskarte im Hallenbad?", "6 Euro"),
        (POOL, "Was kostet eine Jahreskarte im Hallenbad?", None),
        (CLUB, "Who is the deputy director of the museum?", "Ann Lee"),
        (CLUB, "Who is the director of the museum?", None),
        (CLUB, "What caused the leak above the hall?", "cracked pipe"),
        (CLUB, "Who painted the ceiling of the hall?", None),
        (CLUB, "How many visitors does the museum have?", None),
        (GARDEN, "Was steht auf der Parzelle?", "Laube"),
        (GARDEN, "Wer ist der Schriftführer des Vereins?", None),
        (GARDEN, "Wer hat die Laube gebaut?", None),
        (LIBRARY, "图书馆的副馆长是谁？", "沈雁"),
        (LIBRARY, "图书馆的馆长是谁？", None),
        (LIBRARY, "图书馆大楼是谁设计的？", None),
        (LEAVE, "How many days off do I get when I move house?", "Days: 1"),
        (INSURED, "Sind Fahrräder versichert?", "bis 500 Euro"),
        (INSURED, "Sind Musikinstrumente versichert?", None),
        (COURSES, "Which course has the highest fee?", "Piano"),
        (TOOL, "What is a manifest in parcels?", "list of all labels"),
        (TOOL, "How do I go back to an earlier version?", "Uninstall the current version"),
        (TOOL, "How do I delete my account?", "ask the operator"),
        ("The lease began on 1 April 2021 and ends on 31 March 2026.", "Is there a lease on 1 June 2021?", "2026"),
        ("The fair takes place on 12 and 13 July.", "What takes place on 12 July?", "The fair"),
        ("Das Fest ist am 12. und 13. Juli.", "Was ist am 12. Juli?", "Das Fest"),
        ("Entry costs €8 for adults.", "How many euros does entry cost?", "€8"),
        ("The firm employs 300 people.", "How many workers does the firm have?", "300"),
        ("The lease runs from April 2021 to March 2024.", "How many years does the lease run?", "2024"),
        ("The lake is 30 m at its deepest point and 2 km across.", "How deep is the lake?", "30 m"),
        ("Fees across all courses are 20 euros.", "How high are the fees?", "20 euros"),
        ("The ceiling was restored by Maria Paz in 1998.", "Who repaired the ceiling?", "Maria Paz"),
        ("The school was founded by Élodie Roux.", "Who founded the school?", "Élodie Roux"),
        ("The bar is open until 3 am.", "Is the bar open after midnight?", "3 am"),
        ("The co-founders of the bakery are Ann Lee and Bob Orr.", "Who is the founder of the bakery?", "Ann Lee"),
        ("Das Projekt leitet Anna Berg. Es endet 2026.", "Wer ist die Projektleiterin?", "Anna Berg"),
        ("图书馆目前馆长是张伟。图书馆有三层。", "图书馆的馆长是谁？", "张伟"),
        ("大楼由王磊修建，共三层。", "大楼是谁建造的？", "王磊"),
        ("Mo, Mi und Fr ist Training. Am Dienstag ist die Halle zu.", "Ist mittwochs Training?", "Training"),
    ],
)
async def test_questions_about_the_thing_and_about_others_like_it(
    provider: EmbeddedProvider, text: str, question: str, expected: str | None
) -> None:
    answer = await said(provider, question, base.PromptPassage(1, "Page", text, 0.5))
    if expected is None:
        assert answer == texts_for(question).not_found
    else:
        assert expected in answer
    if "leak" in question:
        assert "Subject" not in answer


async def test_numbered_items_below_another_line_are_no_steps(provider: EmbeddedProvider) -> None:
    text = "## Questions\n\n1. Refunds are paid by card.\n2. Parcels take three days.\n3. Returns are sent in the box."
    answer = await said(provider, "How do I send returns?", base.PromptPassage(1, "Page", text, 0.5))
    assert "Returns are sent in the box" in answer
    assert "Refunds" not in answer


async def test_a_passage_that_ends_inside_code_keeps_its_text(provider: EmbeddedProvider) -> None:
    text = "A citation is a number that names its source.\n\nTo stop it, run this.\n\n```\nfootnote stop --all\n"
    answer = await said(provider, "What is a citation?", base.PromptPassage(1, "Page", text, 0.5))
    assert answer == "A citation is a number that names its source [1]."


async def test_a_passage_that_begins_inside_code_ends_it_where_the_fence_does(provider: EmbeddedProvider) -> None:
    text = "--project docs\n$ footnote serve\n```\n\nA citation is a number that names its source.\n\n```sh\nls\n```\n"
    answer = await said(provider, "What is a citation?", base.PromptPassage(1, "Page", text, 0.5))
    assert answer == "A citation is a number that names its source [1]."


@pytest.mark.parametrize(
    ("text", "question", "bare"),
    [
        ("春游每人交费85元。请穿校服。", "交费多少钱？", "交费？"),
        ("Die Haltung von Katzen bedarf der Zustimmung. Der Flur ist frei.", "Haltung Katze?", "Haltung Katzen?"),
        ("Between 11 April and 1 May 40 % are charged.", "Charged on 20 April?", "Charged April?"),
    ],
)
def test_what_only_asks_endings_and_days_do_not_make_an_answer_unlikely(text: str, question: str, bare: str) -> None:
    one, other = (
        answerability.estimate_answerability([each], [(text, "Page")], [(text, 1.0)]) for each in (question, bare)
    )
    assert one == pytest.approx(other)
