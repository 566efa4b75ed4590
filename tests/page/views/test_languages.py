"""The page in the language of the browser, with what the server says in English."""

import json
import re
from pathlib import Path

import pytest
from graphql import GraphQLEnumType, build_schema
from playwright.async_api import Browser, Route, expect

from app.knowledge.projects import sample
from app.providers.embedded import fixed_texts
from app.rag import refusals, routing
from tests.answers import Start
from tests.browser import visiting
from tests.conftest import StartSignedIn
from tests.files import office_samples
from tests.page.chatting import ask, wait_for_documents
from tests.page.conftest import Visiting
from tests.page.outages.test_refusals import templates
from tests.page.test_built import ROOT, SOURCE

# What is wider than its place, other than what is cut on purpose or scrolls.
TOO_WIDE = """() => [...document.querySelectorAll("main, main form, main form *, main li, main li *")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
  .filter((each) => each.matches("main") || getComputedStyle(each).overflowX === "visible")
  .filter((each) => getComputedStyle(each).display !== "inline")
  .map((each) => `${each.tagName} ${each.className} ${each.textContent.slice(0, 40)}`)"""

# Choices of which not all words are seen.
CUT = """() => [...document.querySelectorAll("select")].filter((select) => {
  const whole = select.cloneNode(true);
  whole.style.width = "max-content";
  select.after(whole);
  const width = whole.offsetWidth;
  whole.remove();
  return width > select.offsetWidth;
}).map((select) => select.textContent)"""


async def test_texts_are_german_where_the_browser_is(visit: Visiting) -> None:
    async with visit(locale="de-DE") as page:
        await expect(page.get_by_role("textbox", name="Ihre Frage")).to_be_visible()
        assert await page.evaluate("() => document.documentElement.lang") == "de"
        await page.get_by_role("button", name="Darstellung und Sprache").click()
        await page.get_by_role("menuitemradio", name="English").click()
        await expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
        await page.reload()
        await expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
    # Without its texts, the page is there in English.
    async with visit(locale="de-DE") as page:
        await page.route(re.compile("/assets/de-"), lambda route: route.abort("connectionreset"))
        await page.reload()
        await expect(page.get_by_role("textbox", name="Your question")).to_be_visible()


async def test_no_view_is_wider_than_a_small_phone(visit: Visiting) -> None:
    async with visit(locale="de-DE", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True) as page:
        await expect(page.get_by_role("textbox", name="Ihre Frage")).to_be_visible()
        project = page.url
        for view, heading in {"": "Handbook", "/settings": "Einstellungen", "/members": "Mitglieder"}.items():
            await page.goto(f"{project}{view}")
            await expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
            await expect(page.get_by_role("main").get_by_role("button").first).to_be_visible()
            assert await page.evaluate(TOO_WIDE) == [], view
    # A zoom of 200 % on a laptop.
    async with visit(locale="de-DE", viewport={"width": 640, "height": 400}) as page:
        await expect(page.get_by_role("textbox", name="Ihre Frage")).to_be_visible()
        await page.goto(f"{page.url}/knowledge")
        buttons = [page.get_by_role("button", name=name) for name in ("Dateien wählen", "Ordner wählen")]
        await expect(buttons[1]).to_be_visible()
        files, folder = [await button.evaluate("(each) => each.offsetTop") for button in buttons]
        assert files == folder, "they stand beside each other"


async def test_what_the_server_says_often_is_german_there(
    start: Start, signed: StartSignedIn, chromium: Browser, tmp_path: Path
) -> None:
    client = start(chat_model="openai/none", openai_base_url="http://127.0.0.1:9/v1")
    project = await client.project("Laden")
    (tmp_path / "kaputt.pdf").write_bytes(b"%PDF-1.7\nno more")
    async with visiting(chromium, locale="de-DE") as page:
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
        await page.locator("input[type=file]").first.set_input_files(tmp_path / "kaputt.pdf")
        await expect(page.get_by_text("Diese Datei ist beschädigt oder unvollständig.")).to_be_visible()
        refused = {"Eine Datei dieser Art kann nicht gelesen werden.": b"MZ\x90\0\3", "Die Datei ist leer.": b""}
        for says, data in refused.items():
            await page.locator("input[type=file]").first.set_input_files(
                {"name": "programm.exe", "mimeType": "", "buffer": data}
            )
            await expect(page.get_by_text(says)).to_be_visible()
        session = await client.session(project, enableRag=False)
        await page.goto(f"{client.url.removesuffix('/graphql')}/c/{session}")
        await page.get_by_role("textbox", name="Ihre Frage").fill("Wann darf ich etwas zurückgeben?")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("alert")).to_contain_text("Das Modell kann zurzeit nicht antworten.")
        await expect(page.get_by_role("alert")).to_contain_text("Der Server meldet auf Englisch: „")
        session = await client.session(project, model="embedded/extractive")
        await page.goto(f"{client.url.removesuffix('/graphql')}/c/{session}")
        await page.get_by_role("textbox", name="Ihre Frage").fill("Wann darf ich etwas zurückgeben?")
        await page.keyboard.press("Enter")
        answer = page.get_by_role("article", name="Antwort")
        await expect(answer).to_contain_text("In der Wissensbasis wurde nichts gefunden, was zu dieser Frage passt.")
        await expect(answer.get_by_role("button", name="Kontextfenster")).to_have_text("Kontextfenster")
    server = await signed()
    async with visiting(chromium, locale="de-DE") as page:
        await page.goto(server.url)
        await page.get_by_label("E-Mail-Adresse").fill("kim@example.org")
        await page.get_by_label("Passwort").fill("wrong")
        await page.get_by_role("button", name="Anmelden", exact=True).click()
        await expect(page.get_by_role("alert")).to_have_text("Die E-Mail-Adresse oder das Passwort ist falsch.")


async def test_where_a_passage_stands_is_said_in_german(start: Start, chromium: Browser) -> None:
    client = start()
    project = await client.project("Laden")
    files = [each for each in office_samples.pptx_samples() if each.name == "bullets.pptx"]
    files += [each for each in office_samples.xlsx_samples() if each.heading[-1] == "row 5"]
    async with visiting(chromium, locale="de-DE") as page:
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
        await page.locator("input[type=file]").first.set_input_files(
            [{"name": each.name, "mimeType": "", "buffer": each.data} for each in files]
        )
        await expect(page.get_by_role("main").get_by_text("Bereit", exact=True)).to_have_count(3)
        await page.get_by_role("tab", name="Suche").click()
        assert await page.evaluate(CUT) == []
        for each, place in zip(files, ("Folie 2: Returns", "Blatt „Visits“ › Zeile 5"), strict=True):
            await page.get_by_role("searchbox").fill(each.query)
            await page.get_by_role("searchbox").press("Enter")
            await expect(page.get_by_text(place)).to_be_visible()
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
        await page.get_by_role("textbox", name="Ihre Frage").fill("Danke")
        await page.get_by_role("button", name="Würde").click()
        await expect(page.get_by_text("Das betrifft das Gespräch selbst, nicht die Dokumente.")).to_be_visible()


def test_every_failure_has_words_in_every_other_language() -> None:
    types = build_schema((ROOT / "schema.graphql").read_text()).type_map
    codes, notices = types["AnswerFailureCode"], types["NoticeCode"]
    assert isinstance(codes, GraphQLEnumType)
    assert isinstance(notices, GraphQLEnumType)
    handbook = (ROOT / "app" / "handbook" / "02-documents.md").read_text()
    table = handbook.partition("| code | why a document failed |")[2].partition("\n\n")[0]
    expected = {f"answer.{code}" for code in codes.values} | {
        f"document.{code}" for code in re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    }
    # Those that a chat can have; the others are of the OpenAI API.
    routes = [
        routing.choose_route(asked, enabled_on_server=on_server, enabled_for_request=in_chat)
        for asked, on_server, in_chat in (
            ("Why?", True, True),
            ("Why?", False, True),
            ("Why?", True, False),
            ("Thanks", True, True),
        )
    ]
    expected |= {f"route.{route.reason}" for route in routes} | {
        f"route.{routing.NOTHING_FOUND}",
        f"text.{sample.DESCRIPTION}",
    }
    fixed = {refusals.NO_SOURCES_TEXT, refusals.REJECTED_TEXT, fixed_texts.texts_for("").not_found}
    expected |= {f"text.{text}" for text in fixed} | {f"notice.{code}" for code in notices.values}
    files = sorted((SOURCE / "src" / "messages" / "server").glob("*.json"))
    assert [path.stem for path in files] == ["de"]
    for path in files:
        texts: dict[str, str] = json.loads(path.read_text())
        assert {
            key for key in texts if key.startswith(("answer.", "document.", "notice.", "route.", "text."))
        } == expected, path
        assert all(text.strip() for text in texts.values()), path
        asked = {"de": "Was ist das?"}[path.stem]
        for english, said in (
            (refusals.NO_SOURCES_TEXT, refusals.no_sources_text(asked)),
            (refusals.REJECTED_TEXT, refusals.rejected_text(asked)),
            (fixed_texts.texts_for("").not_found, fixed_texts.texts_for(asked).not_found),
        ):
            assert texts[f"text.{english}"] == said, "the server says the same itself"


def test_what_the_server_remarks_on_a_source_is_said_as_fully_elsewhere() -> None:
    said = set(templates((ROOT / "app" / "rag" / "judgement" / "outcome.py").read_text()))
    remark, places = "The source of {} hardly supports the text that cites it{}.", " in {} of {} places"
    assert {remark, places} <= said
    for path in sorted((SOURCE / "src" / "messages" / "server").glob("*.json")):
        keys = [key.removeprefix("remark.") for key in json.loads(path.read_text()) if key.startswith("remark.")]
        assert {re.sub(r"\{\w+\}", "{}", key) for key in keys} == {remark[:-3] + places + ".", remark[:-3] + "."}


async def test_why_a_picture_is_not_sent_is_said_in_german(
    start: Start, chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # without Tesseract
    client = start()
    project = await client.project("Laden")
    (tmp_path / "beleg.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00")
    async with visiting(chromium, locale="de-DE") as page:
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
        await expect(page.get_by_role("group", name="Dokumente hinzufügen")).to_contain_text("Markdown")
        await page.locator("input[type=file]").first.set_input_files(tmp_path / "beleg.jpg")
        await expect(page.get_by_role("listitem").filter(has_text="beleg.jpg")).to_contain_text("Der Text von Bildern")


# The key that ends a word, as Safari reports it: the input method is said to have ended already.
END_OF_WORD = """(field, key) => field.dispatchEvent(
  new KeyboardEvent("keydown", { key, keyCode: 229, bubbles: true, cancelable: true }))"""


async def test_a_key_of_an_input_method_sends_nothing_opens_nothing_and_gives_nothing_up(visit: Visiting) -> None:
    async with visit() as page:
        await wait_for_documents(page)
        field = page.get_by_role("textbox", name="Your question")
        await field.fill("日本")
        await field.evaluate(END_OF_WORD, "Enter")
        await field.fill("日本語の文書は読めますか")
        answer = await ask(page, "日本語の文書は読めますか")
        questions = page.get_by_role("article", name="Your question")
        await expect(questions).to_have_text(["日本語の文書は読めますか"])
        await questions.hover()
        await questions.get_by_role("button", name="Edit and ask again").click()
        edited = page.get_by_role("textbox", name="The edited question")
        await edited.fill("日本")
        for key in ("Enter", "Escape"):
            await edited.evaluate(END_OF_WORD, key)
        await expect(edited).to_have_value("日本")
        await edited.press("Escape")  # the question whether it may be lost is answered with no
        await expect(edited).to_have_value("日本")
        await page.get_by_role("button", name="Cancel").click()
        await expect(edited).to_have_count(0)
        await expect(answer).to_be_visible()
        address = page.url
        await page.get_by_role("link", name="New chat").click()
        await page.keyboard.press("Control+k")
        search = page.get_by_role("combobox", name="Search chats")
        await search.fill("日本語")
        await expect(page.get_by_role("option").first).to_be_visible()
        await search.evaluate(END_OF_WORD, "Enter")
        await expect(search).to_be_visible()
        assert page.url != address
        await search.press("Enter")
        await expect(page).to_have_url(address)


async def test_what_ails_the_server_is_said_in_german_or_marked_as_english(start: Start, chromium: Browser) -> None:
    client = start(chat_model="openai/none", openai_base_url="http://127.0.0.1:9/v1")
    async with visiting(chromium, locale="de-DE") as page:
        root = client.url.removesuffix("/graphql")
        await page.goto(f"{root}/status")
        provider = page.get_by_role("main").get_by_role("listitem").filter(has_text="openai")
        await expect(provider).to_contain_text("openai ist nicht erreichbar: Die Verbindung wurde abgelehnt.")
        said = {
            "The database is busy writing.": "Die Datenbank schreibt gerade viel.",
            "Documents waiting: 1234.": "Wartende Dokumente: 1.234.",
            "It is sulking.": "Der Server meldet auf Englisch: „It is sulking.“",
        }

        async def tell(route: Route) -> None:
            if "query Status" not in (route.request.post_data or ""):
                return await route.fallback()
            response = await route.fetch()
            told = await response.json()
            for component, detail in zip(told["data"]["health"]["components"], said, strict=False):
                component["detail"] = detail
            return await route.fulfill(response=response, json=told)

        await page.route("**/graphql", tell)
        await page.reload()
        for text in said.values():
            await expect(page.get_by_text(text, exact=True)).to_be_visible()


def test_every_sentence_of_the_status_is_one_of_the_servers() -> None:
    files = ("services/health.py", "providers/resilience/error_mapping.py", "observation/connection_failures.py")
    source = "".join((ROOT / "app" / path).read_text() for path in files)
    for path in (SOURCE / "src" / "messages" / "server").glob("*.json"):
        keys = [key.removeprefix("health.") for key in json.loads(path.read_text()) if key.startswith("health.")]
        assert keys
        for key in keys:
            # The cause is a clause of its own in the source.
            parts = filter(None, re.split(r"\{\w+\}|(?<=cannot be reached: )([^{]+)\.", key))
            assert all(part in source for part in parts), key
