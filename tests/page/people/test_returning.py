"""Whoever loads the page again, goes back or follows a link to it is where they were."""

import re

from playwright.async_api import Page, expect

from tests.answers import Start
from tests.page.chatting import ask

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery."


async def test_the_parts_of_the_knowledge_have_addresses_and_keep_what_was_looked_for(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    for title in ("Returns", "Opening hours"):
        await client.ready(project, title, TEXT)
    root = f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge"
    await page.goto(root)
    documents = page.get_by_role("list", name="Documents").get_by_role("listitem")
    await expect(documents).to_have_count(2)
    await page.get_by_role("searchbox", name="Filter by title").fill("hours")
    await expect(documents).to_have_count(1)
    await page.get_by_role("tab", name="Search").click()
    words, found = page.get_by_role("searchbox", name="Words or a question"), page.locator("mark").first
    await words.fill("delivery")
    await words.press("Enter")
    await expect(found).to_have_text("delivery")
    await expect(page).to_have_url(f"{root}/search")

    await page.reload()
    await expect(page.get_by_role("tab", name="Search")).to_have_attribute("aria-selected", "true")
    await expect(found).to_have_text("delivery")
    await expect(words).to_have_value("delivery")
    await page.get_by_role("link", name="Members").click()
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    await page.go_back()
    await expect(found).to_have_text("delivery")
    await page.go_back()
    await expect(documents).to_have_count(1)
    await expect(page.get_by_role("searchbox", name="Filter by title")).to_have_value("hours")

    await page.goto(f"{root}/model")
    await expect(page.get_by_role("tab", name="Embedding model")).to_have_attribute("aria-selected", "true")
    await page.goto(f"{root}/nothing")
    await expect(page.get_by_text("There is nothing here")).to_be_visible()


async def test_the_sources_of_an_answer_stay_open(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    answer = await ask(page, "When may goods be returned?")
    await answer.get_by_role("link", name="Source 1").first.click()
    panel = page.get_by_role("complementary", name="Where this answer comes from")
    await expect(panel.locator("mark")).to_contain_text("30 days")
    await page.reload()
    await expect(panel.locator("mark")).to_contain_text("30 days")
    await expect(page.get_by_role("textbox", name="Your question")).to_be_focused()
    await panel.get_by_role("button", name="All sources").click()
    await panel.get_by_role("tab", name="Context window").click()
    await page.get_by_role("link", name="Members").click()
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    await page.go_back()
    await expect(panel.get_by_role("tabpanel", name="Context window")).to_contain_text("Whole window")
    await panel.get_by_role("button", name="Close the panel").click()
    await page.reload()
    await expect(page.get_by_role("article", name="Answer")).to_contain_text(re.compile("30 days"))
    await expect(panel).to_have_count(0)

    # Where the panel covers the chat, going back leads to the chat.
    await page.set_viewport_size({"width": 390, "height": 844})
    address, source = page.url, page.get_by_role("link", name="Source 1").first
    await source.click()
    await expect(panel.locator("mark")).to_contain_text("30 days")
    await page.go_back()
    await expect(panel).to_have_count(0)
    await source.click()
    await panel.get_by_role("button", name="Close the panel").click()
    await expect(panel).to_have_count(0)
    await expect(page).to_have_url(address)
    await page.go_back()
    await expect(page.get_by_role("heading", name="Shop")).to_be_visible()
