"""Chats on paper and on the clipboard: nothing is cut off or lost, and footnotes stay apart from the text."""

from collections.abc import Generator

import pytest
from playwright.async_api import Page, expect

from tests.answers import Start, openai
from tests.page.chatting import ask, complete_answer
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

TEXT = "# Prices\n\nThe price of the bicycle is 5 euros, and that of the cargo bicycle is 6 euros."
WORD = "x" * 400
CELLS = "|".join(f" column{number}{'y' * 30} " for number in range(12))
RULE = "|".join(["---"] * 12)
ANSWER = f"""The price of the bicycle is 5 euros [1].

That of the cargo bicycle is 6 [1].

```text
{WORD}
```

|{CELLS}|
|{RULE}|
|{CELLS}|
"""
PRINT = "dispatchEvent(new Event('beforeprint'))"
SELECTED = "(article) => document.getSelection().selectAllChildren(article)"
HTML = """async () => { for (const item of await navigator.clipboard.read())
  return await (await item.getType("text/html")).text(); }"""
WIDER = """() => [...document.querySelectorAll("main, main *")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== "visible"
    && each.clientWidth > 1 && !each.matches(".truncate, .visually-hidden"))
  .map((each) => each.outerHTML.slice(0, 100))"""
PAPER_WIDTH = 700


@pytest.fixture
def model() -> Generator[OpenAIServer]:
    """A model whose answer has footnotes, a long line and a wide table."""
    with running(OpenAIServer(lambda _: [ANSWER])) as running_model:
        yield running_model


@pytest.fixture
async def address(start: Start, model: OpenAIServer) -> str:
    """Where a chat can be begun in a project with a document."""
    client = start(**openai(model))
    project = await client.project("Shop")
    await client.ready(project, "Prices", TEXT)
    return f"{client.url.removesuffix('/graphql')}/p/{project}"


async def test_paper_has_all_of_an_answer_with_its_quotes_and_nothing_to_press(page: Page, address: str) -> None:
    await page.goto(address)
    answer = await ask(page, "What is the price of the bicycle?")
    await page.get_by_role("link", name="Source 1").first.click()
    panel = page.get_by_role("complementary", name="Where this answer comes from")
    await expect(panel).to_be_visible()
    await page.set_viewport_size({"width": PAPER_WIDTH, "height": 1000})
    await page.evaluate(PRINT)
    await page.emulate_media(media="print")
    await expect(panel).to_be_hidden()
    await expect(answer.get_by_text("[1] Prices")).to_be_visible()
    await expect(answer.get_by_role("definition").first).to_contain_text("The price of the bicycle is 5 euros")
    await expect(page.get_by_role("button")).to_have_count(0)
    assert await page.evaluate(WIDER) == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= PAPER_WIDTH


async def test_quotes_on_paper_and_in_comparisons_are_set_like_text(start: Start, page: Page) -> None:
    with running(OpenAIServer(lambda _: ["The option is --slow [1]."])) as model:
        client = start(**openai(model))
        project = await client.project("Shop")
        await client.ready(project, "Options", "# Options\n\nThe option that takes more time\n   is `--slow`.")
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
        answer = await ask(page, "Which option takes more time?")
        await answer.get_by_role("button", name="More options for this answer").click()
        await page.get_by_role("menuitem", name="Ask again with one change").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("slider").fill("2")
        await dialog.get_by_role("button", name="Ask", exact=True).click()
        await dialog.locator("summary").first.click()
        await expect(dialog.get_by_role("blockquote").get_by_role("code").first).to_have_text("--slow")
        await dialog.get_by_role("button", name="Close").first.click()
        await page.evaluate(PRINT)
        await page.emulate_media(media="print")
        quote = page.get_by_role("definition")
        assert await quote.inner_text() == "The option that takes more time is --slow."
        await expect(quote.get_by_role("code")).to_have_text("--slow")


async def test_paper_has_no_card_that_is_open_on_the_screen(page: Page, address: str) -> None:
    await page.goto(address)
    answer = await ask(page, "What is the price of the bicycle?")
    await page.keyboard.press("Tab")
    await answer.get_by_role("link", name="Source 1").first.focus()
    card = page.get_by_role("tooltip").filter(has_text="Prices")
    await expect(card).to_be_visible()
    await page.emulate_media(media="print")
    await expect(card).to_be_hidden(timeout=1_000)


async def test_paper_says_that_earlier_messages_are_not_on_it(start: Start, page: Page) -> None:
    client = start()
    session = await client.session(await client.project("Long"), enableRag=False)
    for number in range(12):
        await client.answered(session, f"question {number:02}")
    await page.goto(f"{client.url.removesuffix('/graphql')}/c/{session}")
    await complete_answer(page)
    await page.route("**/graphql", lambda route: route.abort("connectionreset"))  # older ones are not read
    await page.evaluate(PRINT)
    await expect(page.get_by_text("Earlier messages of this chat are not printed.")).to_be_visible()


async def test_what_is_copied_has_its_footnotes_in_brackets(page: Page, address: str) -> None:
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.goto(address)
    answer = await ask(page, "What is the price of the bicycle?")
    await answer.evaluate(SELECTED)
    await page.keyboard.press("Control+c")
    text = await page.evaluate("navigator.clipboard.readText()")
    assert "is 5 euros[1].\n\nThat of the cargo bicycle is 6[1]." in text.replace(" [1]", "[1]")
    assert "confident" not in text
    assert "token" not in text
    html = await page.evaluate(HTML)
    assert html.count("[1]") == 2
    assert "<table" in html


async def test_the_buttons_copy_an_answer_as_it_looks_too(page: Page, address: str) -> None:
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.goto(address)
    answer = await ask(page, "What is the price of the bicycle?")
    await answer.get_by_role("button", name="Copy the text").click()
    await expect(answer.get_by_role("button", name="Copied").first).to_be_visible()
    assert await page.evaluate("navigator.clipboard.readText()") == ANSWER
    html = await page.evaluate(HTML)
    assert (html.count("[1]"), html.count("<table"), html.count("<button")) == (2, 1, 0)
    await answer.get_by_role("button", name="More options for this answer").click()
    await page.get_by_role("menuitem", name="Copy with its sources").click()
    await expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    html = await page.evaluate(HTML)
    assert "[1] Prices" in html
    assert "**" not in html
