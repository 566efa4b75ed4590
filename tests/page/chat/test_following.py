"""The end of a chat stays in view while answers are written, until somebody scrolls up."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.answers import Start, openai
from tests.browser import visiting
from tests.page.chatting import ask, wait_for_layout
from tests.page.conftest import place_with
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery."
LONG = "\n\n".join(f"Line {number} of an answer that fills a screen [1]." for number in range(20))
DISTANCE = "(region) => region.scrollHeight - region.scrollTop - region.clientHeight"
SCROLLED = "(region) => ({ ended: new Promise((done) => region.addEventListener('scrollend', done, { once: true })) })"
SIZE = {"width": 1280, "height": 800}


@pytest.fixture
def model() -> Generator[OpenAIServer]:
    """A model that answers at length, or in one line if it is asked to be brief."""

    def answer(body: dict[str, object]) -> list[str]:
        question = str(body["messages"]).rpartition("Question")[2]
        return ["Goods may be returned within 30 days of delivery [1]."] if "brief" in question else [LONG]

    with running(OpenAIServer(answer)) as running_model:
        yield running_model


def region(page: Page) -> Locator:
    """What scrolls."""
    return page.get_by_role("region", name="Messages")


async def turn_wheel(page: Page, pixels: int) -> None:
    """Turn the wheel over the messages, and wait until they have come to rest."""
    scrolled = await region(page).evaluate_handle(SCROLLED)
    await page.mouse.wheel(0, pixels)
    await scrolled.evaluate("({ ended }) => ended")


async def test_a_short_answer_is_seen_with_its_sources_and_its_buttons(
    start: Start, model: OpenAIServer, chromium: Browser
) -> None:
    client = start(**openai(model))
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    session = await client.session(project, ragThreshold=0.01, grounding="OPEN")
    await client.answered(session, "Tell me everything about returns.")
    async with visiting(chromium, viewport=SIZE) as page:
        await page.goto(f"{client.url.removesuffix('/graphql')}/c/{session}")
        await expect(page.get_by_text("Line 19")).to_be_visible()
        for number in range(5):
            answer = await ask(page, f"In brief, when may goods be returned? {number}")
            await expect(page.get_by_role("article", name="Answer")).to_have_count(number + 2)
            await expect(answer.get_by_role("button", name="Copy the text")).to_be_in_viewport(ratio=1)
            await expect(answer.get_by_role("button", name="Returns")).to_be_in_viewport(ratio=1)
            await wait_for_layout(page)  # what scrolls late would scroll away
            assert await region(page).evaluate(DISTANCE) <= 2
            await expect(page.get_by_role("button", name="Go to the newest message")).to_have_count(0)


async def test_whoever_scrolls_up_is_left_there_until_they_come_back(page: Page, tmp_path: Path) -> None:
    says = [LONG, f"\n\n{LONG}", "\n\nMore.", "\n\nThe end."]
    with place_with(tmp_path, says) as place:
        await page.goto(f"{place.url}/p/{await place.create_project('Shop', {'Returns': TEXT})}")
        await page.get_by_role("textbox", name="Your question").fill("When may goods be returned?")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Line 19")).to_be_visible()
        await place.say_more()
        await expect(page.get_by_text("Line 19")).to_have_count(2)
        await expect(page.get_by_text("Line 19").last).to_be_in_viewport()
        await region(page).hover()
        await turn_wheel(page, -60)
        before = await region(page).evaluate("(region) => region.scrollTop")
        await place.say_more()
        await expect(page.get_by_text("More.")).to_have_count(1)
        await wait_for_layout(page)
        assert await region(page).evaluate("(region) => region.scrollTop") == before
        await turn_wheel(page, -600)
        await page.get_by_role("button", name="Go to the newest message").click()
        await expect(page.get_by_text("More.")).to_be_in_viewport()
        await place.say_more()
        await expect(page.get_by_role("button", name="Copy the text").last).to_be_in_viewport()


async def test_a_found_message_in_a_chat_that_does_not_scroll_offers_no_way_to_its_end(
    start: Start, page: Page
) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    session = await client.session(project)
    await client.answered(session, "When may goods be returned?")
    await page.goto(f"{client.url.removesuffix('/graphql')}/c/{session}")
    await expect(page.get_by_role("article", name="Answer")).to_be_visible()
    await page.keyboard.press("Control+k")
    await page.get_by_role("combobox", name="Search chats").fill("delivery")
    await expect(page.get_by_role("option").filter(has_text="Answer")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_role("listitem").filter(has=page.get_by_role("article", name="Answer"))).to_be_focused()
    await expect(page.get_by_role("button", name="Go to the newest message")).to_have_count(0)
