"""Long chats: only what is near is drawn, and yet everything is there to be found, read, reached and pointed at."""

from collections.abc import Generator
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.answers import Start, openai
from tests.graphql.client import Client
from tests.page.chatting import wait_for_layout
from tests.page.holding import holding
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

TURNS = 14
LINES = "\n\n".join(f"* **Line {number}** of an answer that fills a screen." for number in range(40))
# Until the page keeps where somebody reads, which it does when nobody has scrolled for a moment.
KEPT = """(region) => new Promise((done) => {
  const look = () => {
    const { offsetTop } = region.querySelector(`[data-message="${history.state?.reading?.id}"]`) ?? {};
    if (offsetTop - region.scrollTop === history.state?.reading?.below) done();
    else requestAnimationFrame(look);
  };
  look(); })"""
MESSAGES = """query($id: ID!) { chatSession(id: $id) { messages(first: 100) { nodes { id role content } } } }"""


@pytest.fixture
def model() -> Generator[OpenAIServer]:
    """A model whose answers are longer than a screen, and name their question."""
    with running(OpenAIServer(lambda body: [f"To {body['messages'][-1]['content']}\n\n{LINES}"])) as running_model:
        yield running_model


def drawn(page: Page) -> Locator:
    """The answers whose Markdown is drawn."""
    return page.locator("article .markdown")


async def top_of(item: Locator) -> float:
    """How far from the top of the window it is, in pixels."""
    box = await item.bounding_box()
    assert box is not None
    return box["y"]


async def fill_chat(start: Start, model: OpenAIServer) -> tuple[Client, str, str]:
    """A chat of many turns: its server's client, its id and its address."""
    client = start(**openai(model))
    session = await client.session(await client.project("Long"), enableRag=False)
    for number in range(TURNS):
        await client.answered(session, f"question {number:02}")
    return client, session, f"{client.url.removesuffix('/graphql')}/c/{session}"


async def test_what_is_far_is_not_drawn_but_can_be_found_reached_and_pointed_at(
    start: Start, model: OpenAIServer, page: Page
) -> None:
    client, session, address = await fill_chat(start, model)
    answers = page.get_by_role("article", name="Answer")

    # Whoever scrolls up reads what is older; what was left behind is plain text, which a screen reader still finds.
    await page.goto(address)
    await expect(answers.last.get_by_role("strong")).to_have_count(40)
    region = page.get_by_role("region", name="Messages")
    await region.evaluate("(region) => region.scrollTo(0, 0)")
    await expect(answers).to_have_count(TURNS)
    await region.evaluate("(region) => region.scrollTo(0, 0)")
    await expect(answers.first.get_by_role("strong")).to_have_count(40)
    await expect(answers.last.get_by_role("strong")).to_have_count(0)
    await expect(answers.last).to_contain_text("To question 13")
    assert await drawn(page).count() < TURNS / 2
    await region.focus()
    await page.keyboard.press("End")
    await expect(answers.last.get_by_role("strong")).to_have_count(40)
    await expect(answers.last.get_by_role("button", name="Copy the text")).to_be_in_viewport()

    # On paper, all that has been read is drawn, and nothing is cut off.
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await page.emulate_media(media="print")
    await expect(answers.first.get_by_role("strong")).to_have_count(40)
    assert await region.evaluate("(region) => region.scrollHeight <= region.clientHeight")
    await expect(page.get_by_role("textbox", name="Your question")).to_be_hidden()
    await expect(page.get_by_role("navigation")).to_be_hidden()
    await page.emulate_media(media="screen")

    # A link to a message leads there, and what is drawn around it does not move it.
    nodes: list[Any] = (await client.run(MESSAGES, id=session))["chatSession"]["messages"]["nodes"]
    wanted = next(node for node in nodes if node["content"] == "question 05")
    await page.goto(f"{address}/{wanted['id']}")
    item = page.get_by_role("listitem").filter(has_text="question 05").first
    await expect(item).to_be_focused()
    before = await top_of(item)
    await expect(answers.filter(has_text="To question 05").get_by_role("strong")).to_have_count(40)
    await wait_for_layout(page)
    assert abs(await top_of(item) - before) <= 1
    await expect(item).to_be_in_viewport()
    await page.keyboard.press("Tab")
    assert await item.evaluate("(item) => item.contains(document.activeElement)")

    # Whoever loads the chat again, or comes back to it, goes on where they read.
    await region.evaluate("(region) => region.scrollBy(0, 150)")
    read = answers.filter(has_text="To question 05")
    place = await top_of(read)
    await region.evaluate(KEPT)
    await page.reload()
    await expect(read.get_by_role("strong")).to_have_count(40)
    await wait_for_layout(page)
    assert abs(await top_of(read) - place) <= 1
    await page.get_by_role("link", name="New chat").click()
    await expect(page.get_by_role("heading", name="Long")).to_be_visible()
    await page.go_back()
    await expect(read.get_by_role("strong")).to_have_count(40)
    await wait_for_layout(page)
    assert abs(await top_of(read) - place) <= 1


async def test_a_long_chat_that_is_read_again_while_older_messages_are_read_keeps_its_order(
    start: Start, model: OpenAIServer, page: Page
) -> None:
    _, _, address = await fill_chat(start, model)
    await page.goto(address)
    await expect(page.get_by_role("article", name="Answer").last.get_by_role("strong")).to_have_count(40)
    region = page.get_by_role("region", name="Messages")
    async with holding(page, "query ChatSession(", '"before":null') as newest:
        await page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
        await newest.wait_for(1)
        async with holding(page, "query ChatSession(", '"before":"') as older:
            await region.evaluate("(region) => region.scrollTo(0, 0)")
            await expect(region.get_by_role("status").filter(has_text="Loading")).to_have_count(1)
            await page.evaluate("() => fetch(location.href).then(() => null)")  # comes after what was sent before it
        for route in older.routes:  # what was sent later is answered first
            await route.request.response()
        await wait_for_layout(page)
    await newest.routes[0].request.response()
    await wait_for_layout(page)
    questions = page.get_by_role("article", name="Your question")
    await expect(questions).to_have_text([f"question {number:02}" for number in range(TURNS)])
