"""The focus stays where somebody works with the keyboard: when a dialog closes, and when what was pressed goes."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from tests.answers import Start
from tests.page.chatting import FORMATS, ask, wait_for_documents
from tests.page.conftest import Visiting, place_with

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery."
QUESTION = "When may goods be returned?"
_ADD = """mutation($project: ID!, $documents: [TextDocumentInput!]!) {
  addTextDocuments(input: { projectId: $project, documents: $documents }) { __typename } }"""


@pytest.fixture
async def address(start: Start) -> str:
    """Where a chat can be begun in a project with a document."""
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    return f"{client.url.removesuffix('/graphql')}/p/{project}"


async def leave_dialog(page: Page) -> None:
    """Leave the dialog that opens, by keyboard."""
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def check_dialogs_of(page: Page, trigger: Locator, items: tuple[str, ...]) -> None:
    """Whoever leaves a dialog is back at the button of the menu that it was chosen from."""
    for item in items:
        await trigger.press("Enter")
        await page.get_by_role("menuitem", name=item).press("Enter")
        await leave_dialog(page)
        await expect(trigger).to_be_focused()


async def test_whoever_leaves_a_dialog_is_back_where_they_were(page: Page, address: str) -> None:
    await page.goto(address)
    answer = await ask(page, QUESTION)
    field = page.get_by_role("textbox", name="Your question")
    await field.focus()
    await page.keyboard.press("Control+k")
    await leave_dialog(page)
    await expect(field).to_be_focused()
    chat = page.get_by_role("main").get_by_role("button", name="More options for this chat")
    await check_dialogs_of(page, chat, ("Rename", "Delete", "Settings of this chat"))
    await check_dialogs_of(
        page, answer.get_by_role("button", name="More options for this answer"), ("Ask again with one change",)
    )
    poor = answer.get_by_role("button", name="Not helpful")
    await poor.press("Enter")
    await leave_dialog(page)
    await expect(poor).to_be_focused()
    await check_dialogs_of(page, page.get_by_role("button", name=re.compile("^Project: ")), ("New project",))
    await page.goto(f"{address}/knowledge")
    document = page.get_by_role("button", name="More options for Returns")
    await check_dialogs_of(page, document, ("Preview", "Rename", "Replace", "Delete"))


async def test_whoever_stops_an_answer_or_waits_for_its_end_writes_the_next_question(
    page: Page, tmp_path: Path
) -> None:
    with place_with(tmp_path, ["Goods may be returned", " within 30 days [1]."]) as place:
        await page.goto(f"{place.url}/p/{await place.create_project('Shop', {'Returns': TEXT})}")
        await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
        field, stop = (
            page.get_by_role("textbox", name="Your question"),
            page.get_by_role("button", name="Stop the answer"),
        )
        answers = page.get_by_role("article", name="Answer")
        for count, act in enumerate((lambda: stop.press("Enter"), place.say_more), start=1):
            await field.fill(QUESTION)
            await page.keyboard.press("Enter")
            await expect(answers).to_have_count(count)
            await expect(answers.last).to_contain_text("Goods may be returned")
            await stop.focus()
            await act()
            await expect(stop).to_have_count(0)
            await expect(field).to_be_focused()

        again = page.get_by_role("button", name="Answer again")
        await again.press("Enter")
        await expect(stop).to_be_visible()
        await expect(page.get_by_role("listitem").filter(has=answers).last).to_be_focused()
        await expect(answers.last).not_to_contain_text("30 days")
        await expect(answers.last).to_contain_text("Goods may be returned")
        await place.say_more()
        await expect(again).to_be_visible()


async def test_whoever_asks_for_the_rest_of_a_list_goes_on_where_it_begins(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    for number in range(52):
        await client.session(project, title=f"Chat {number}")
    texts = [{"title": f"Document {number}", "text": f"Bicycle {number}."} for number in range(52)]
    await client.run(_ADD, project=project, documents=texts)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    for button, first in (
        ("Show more", page.get_by_role("button", name=re.compile("^Document [01]$"))),
        ("Show older chats", page.get_by_role("link", name=re.compile(r"^Chat [01](\D|$)"))),
    ):
        more = page.get_by_role("button", name=button)
        await more.press("Enter")
        await expect(more).to_have_count(0)
        await expect(first.first).to_be_focused()


async def test_whoever_has_seen_how_it_works_goes_on_at_the_questions(visit: Visiting) -> None:
    async with visit() as page:
        await wait_for_documents(page)
        await page.get_by_role("button", name="Got it").press("Enter")
        await expect(page.get_by_role("button", name=FORMATS)).to_be_focused()
