"""What somebody does on the page, by the names that a screen reader reads."""

import re

from playwright.async_api import Locator, Page, expect

# Observers of sizes and places are called in a frame, and may change what the next one shows.
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
FORMATS = "Which document formats can Footnote read?"


async def wait_for_documents(page: Page) -> None:
    """Until everything can be asked about."""
    await expect(page.get_by_text(re.compile("Ask about .* documents"))).to_be_visible()


async def ask(page: Page, question: str) -> Locator:
    """Ask what was not asked last, and return the answer when it is complete."""
    await page.get_by_role("textbox", name="Your question").fill(question)
    await page.get_by_role("button", name="Send", exact=True).click()
    # Until it is shown, the newest answer is that to the question before.
    await expect(page.get_by_role("article", name="Your question").last).to_contain_text(question)
    return await complete_answer(page)


async def complete_answer(page: Page) -> Locator:
    """The newest answer, complete."""
    answer = page.get_by_role("article", name="Answer").last
    await expect(answer.get_by_role("button", name="Copy the text")).to_be_visible()
    return answer


async def wait_for_layout(page: Page) -> None:
    """Until the page has laid out what it shows, and has scrolled where that moves it to."""
    await page.evaluate(TWO_FRAMES)
