"""The first visit: from the address to an answer with footnotes, and into its sources."""

import re

from playwright.async_api import expect

from tests.page.chatting import FORMATS, ask, wait_for_documents
from tests.page.conftest import Visiting
from tests.page.holding import holding


async def test_the_first_answer_with_a_footnote_takes_a_question_and_no_upload(visit: Visiting) -> None:
    async with visit() as page:
        await wait_for_documents(page)
        answer = await ask(page, FORMATS)
        await expect(answer).to_contain_text("PDF, Word")

        await expect(page).to_have_title(f"{FORMATS} · Footnote")
        source = answer.get_by_role("button", name="1 Documents and formats · Formats", exact=True)
        await expect(source).to_be_visible()
        marker = answer.get_by_role("link", name="Source 1: Documents and formats").first
        await marker.hover()
        card = page.get_by_role("tooltip").filter(has_text="Documents and formats")
        await expect(card).to_contain_text("Footnote can read documents in these formats")
        await expect(card.get_by_role("code").first).to_have_text(".docx")

        await marker.click()
        panel = page.get_by_role("complementary", name="Where this answer comes from")
        await expect(panel.locator("mark").first).to_contain_text("Footnote can read documents in these formats")
        await expect(panel).to_contain_text("Source named by the model")

        await panel.get_by_role("button", name="Read in the document").click()
        original = page.get_by_role("dialog", name="Documents and formats")
        await expect(original.locator("mark").first).to_be_in_viewport()
        await page.keyboard.press("Escape")
        await expect(original).to_be_hidden()
        await page.keyboard.press("Escape")
        await expect(panel).to_be_hidden()
        await expect(marker).to_be_focused()


async def test_the_panel_tells_what_was_read_what_did_not_fit_and_how_the_window_was_divided(
    visit: Visiting,
) -> None:
    async with visit() as page:
        await wait_for_documents(page)
        answer = await ask(page, FORMATS)
        await answer.get_by_role("button", name="Everything that was found").click()
        panel = page.get_by_role("complementary", name="Where this answer comes from")
        await expect(panel).to_contain_text("Cited 1")
        await expect(panel).to_contain_text("Read, but not cited 4")
        left = panel.get_by_text("Found, but not given to the model")
        await left.click()
        await expect(panel.get_by_text("Enough better ones were found").first).to_be_visible()

        await panel.get_by_role("tab", name="Context window").click()
        await expect(panel.get_by_role("row", name="Passages 5 passages")).to_be_visible()
        await expect(panel.get_by_role("row", name="Whole window")).to_contain_text("32,768")


async def test_what_would_be_sent_is_shown_while_a_question_is_written(visit: Visiting) -> None:
    async with visit() as page:
        await wait_for_documents(page)
        await ask(page, FORMATS)
        await page.get_by_role("textbox", name="Your question").fill("And what happens to scanned PDFs?")
        line = page.get_by_role("button", name="Would send")
        await expect(line).to_contain_text(re.compile(r"\d passages"))
        await line.click()
        await page.get_by_role("button", name="Read the prompt").click()
        prompt = page.get_by_role("dialog", name="What would be sent to the model")
        await expect(prompt).to_contain_text("And what happens to scanned PDFs?")
        await expect(prompt).to_contain_text(FORMATS)


async def test_what_would_be_sent_stays_in_sight_while_somebody_writes_on(visit: Visiting) -> None:
    async with visit() as page:
        await wait_for_documents(page)
        field = page.get_by_role("textbox", name="Your question")
        await field.fill("What happens to scanned PDFs?")
        line = page.get_by_role("button", name="Would send")
        await line.click()
        prompt = page.get_by_role("button", name="Read the prompt")
        await expect(prompt).to_be_visible()
        async with holding(page, "PreviewAnswer", "ZIP") as held:
            await field.press_sequentially(" And to ZIP")
            await held.wait_for(1)
            await expect(prompt).to_be_visible(timeout=1)
            await field.fill("")
            await expect(line).to_have_count(0)
        await page.wait_for_load_state("networkidle")
        await expect(line).to_have_count(0)
