"""Texts of others as attacks: in answers, documents, titles and names, nothing runs and nothing is fetched."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.page.chatting import complete_answer
from tests.page.conftest import Place, place_with

ATTACKS = (Path(__file__).parent / "attacks.txt").read_text().splitlines()
# One document for all: what it says supports the answer, and what is cited is shown.
FACT = "Bicycles are lent for 3 days."
TITLE = '<img src=x onerror="window.pwned = 1"> "><script>window.pwned=1</script>'
HEADING = "## <svg onload=window.pwned=1> [x](javascript:window.pwned=1)"
QUESTION = "For how long are bicycles lent? " + ATTACKS[1]
# What of ours is drawn into texts: nothing else may come out of them.
ALLOWED = """(root) => [...root.querySelectorAll("*")]
  .filter((element) => !["http://www.w3.org/1998/Math/MathML"].includes(element.namespaceURI))
  .filter((element) => !element.closest("svg.lucide") && !element.closest("button"))
  .filter((element) => !["A", "BLOCKQUOTE", "BR", "CODE", "DEL", "DIV", "EM", "FIGCAPTION", "FIGURE", "H2", "H3", "H4",
    "HR", "LI", "MARK", "OL", "P", "PRE", "SPAN", "STRONG", "TABLE", "TBODY", "TD", "TH", "THEAD", "TR",
    "UL"].includes(element.tagName))
  .map((element) => element.outerHTML)"""
HANDLERS = """() => [...document.querySelectorAll("*")].flatMap((element) => [...element.attributes]
  .filter(({ name, value }) => name.startsWith("on") || name === "style" && element.closest(".markdown math")
    || ["href", "src", "action", "data"].includes(name) && /^\\s*(javascript|data|vbscript):/i.test(value))
  .map(({ name, value }) => `${element.tagName} ${name}=${value}`))"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    says = [f"{FACT} [1]\n\n", *(f"{attack}\n\n" for attack in ATTACKS)]
    with place_with(tmp_path_factory.mktemp("attacks"), says) as place:
        yield place


async def check_harmless(page: Page) -> None:
    """Nothing ran, and nothing that could run is there."""
    assert await page.evaluate("() => window.pwned") is None
    assert await page.evaluate(HANDLERS) == []


async def test_nothing_in_answers_documents_titles_and_names_runs_or_is_fetched(page: Page, place: Place) -> None:
    text = "\n\n".join([HEADING, FACT, *ATTACKS])
    project = await place.create_project(f"{TITLE} of a project", {TITLE: text})
    await page.goto(f"{place.url}/p/{project}")
    await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
    await page.get_by_role("textbox", name="Your question").fill(QUESTION)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("article", name="Answer")).to_contain_text(FACT)
    await place.say_more(len(ATTACKS))
    answer = await complete_answer(page)
    await check_harmless(page)
    assert await answer.locator(".markdown").evaluate(ALLOWED) == []
    for words in ("<script>window.pwned = 1</script>", "{@html ", "<iframe srcdoc="):
        await expect(answer).to_contain_text(words)

    # Not by a click: the page may still be following the end of so long an answer.
    await answer.get_by_role("link", name="Source 1").first.press("Enter")
    panel = page.get_by_role("complementary", name="Where this answer comes from")
    await expect(panel.locator("mark").first).to_contain_text("Bicycles are lent")
    await check_harmless(page)
    await panel.get_by_role("button", name="Read in the document").click()
    original = page.get_by_role("dialog")
    await expect(original.locator("mark").first).to_be_visible()
    assert await original.locator(".markdown").first.evaluate(ALLOWED) == []
    await check_harmless(page)

    # What looks like a link and is none does nothing; those that are lead to web pages, and tell them nothing.
    for link in await answer.locator(".markdown a:not([role=doc-noteref])").all():
        assert str(await link.get_attribute("href")).startswith("https://attacker.example/")
        assert await link.get_attribute("rel") == "noopener noreferrer nofollow"
        assert await link.get_attribute("target") == "_blank"


async def test_a_hostile_title_is_shown_as_it_is(page: Page, place: Place) -> None:
    project = await place.create_project(f"Another {TITLE}", {"x": FACT})
    await page.goto(f"{place.url}/p/{project}")
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Another {TITLE}")
    await check_harmless(page)


async def test_an_address_that_cannot_be_read_is_a_page_that_says_so(page: Page, place: Place) -> None:
    for path in ("/c/%", "/p/%ff/knowledge"):
        await page.goto(f"{place.url}{path}")
        await expect(page.get_by_role("main")).to_contain_text("There is nothing here")
    await page.get_by_role("link", name="Go to the start page").click()
    await expect(page.get_by_role("main")).not_to_contain_text("There is nothing here")
