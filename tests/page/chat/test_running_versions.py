"""Another version of an answer while it is written: it is shown, and can be stopped, wherever its chat is looked at."""

import asyncio
from collections.abc import Generator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, Route, expect

from tests.page.chatting import complete_answer
from tests.page.conftest import Place, place_with
from tests.page.people.test_other_people import LOOKED_AT

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery."
QUESTION, SECOND = "When may goods be returned?", "And how long after delivery?"
BEGIN, END = "Goods may be returned", " within 30 days of delivery [1]."
SEND = """mutation($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { answer { id } } } }"""
CANCEL = "mutation($id: ID!) { cancelAnswer(input: { messageId: $id }) { __typename } }"
AGAIN = """mutation($input: RegenerateAnswerInput!) { regenerateAnswer(input: $input) {
  ... on RegenerateAnswerPayload { answer { id } } } }"""
FIRST_SHOWN = """query($id: ID!) { chatSession(id: $id) {
  messages(first: 2, allBranches: true) { nodes { id role } } } }"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    with place_with(tmp_path_factory.mktemp("versions"), [BEGIN, END]) as place:
        yield place


@pytest_asyncio.fixture(loop_scope="session")
async def chat(place: Place, page: Page, request: pytest.FixtureRequest) -> Page:
    """A page with a chat of one question, whose answer is complete."""
    await page.goto(f"{place.url}/p/{await place.create_project(request.node.name, {'Returns': TEXT})}")
    await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
    await page.get_by_role("textbox", name="Your question").fill(QUESTION)
    await page.keyboard.press("Enter")
    await expect(answers(page)).to_contain_text(BEGIN)
    await place.say_more()
    await complete_answer(page)
    await page.wait_for_url("**/c/*")
    return page


def answers(page: Page) -> Locator:
    """The answers that are shown."""
    return page.get_by_role("article", name="Answer")


def stop(page: Page) -> Locator:
    """What stops the answer that is being written."""
    return page.get_by_role("button", name="Stop the answer")


async def answer_again(page: Page) -> None:
    """Ask for another version, and wait for its first words."""
    await page.get_by_role("button", name="Answer again").click()
    await check_growing(page)


async def check_growing(page: Page) -> None:
    """The version that is being written is shown, with its first words, and can be stopped."""
    await expect(answers(page).last).to_have_attribute("aria-busy", "true")
    await expect(answers(page).last).to_contain_text(BEGIN)
    await expect(answers(page).last).not_to_contain_text("30 days")
    await expect(stop(page)).to_be_visible()


async def check_second(page: Page) -> None:
    """The second version is shown, and complete."""
    answer = await complete_answer(page)
    await expect(answer).to_contain_text("30 days")
    await expect(answer.get_by_role("group", name="Versions")).to_contain_text("Version 2 of 2")


async def test_a_version_that_is_being_written_is_shown_after_a_reload_and_on_coming_back(
    chat: Page, place: Place
) -> None:
    await answer_again(chat)
    await chat.reload()
    await check_growing(chat)
    await chat.get_by_role("link", name="Knowledge").click()
    await expect(chat.get_by_role("group", name="Add documents")).to_be_visible()
    await chat.go_back()
    await check_growing(chat)
    await place.say_more()
    await check_second(chat)


async def test_a_version_that_is_being_written_can_be_stopped_after_a_reload(chat: Page) -> None:
    await answer_again(chat)
    await chat.reload()
    await check_growing(chat)
    shown = chat.get_by_text("The earlier answer is shown again.")
    told = asyncio.Event()

    async def reply_last(route: Route) -> None:
        if "CancelAnswer" not in (route.request.post_data or ""):
            return await route.continue_()
        reply = await route.fetch()
        await expect(shown).to_be_visible()
        await route.fulfill(response=reply)
        return told.set()

    await chat.route("**/graphql", reply_last)
    await stop(chat).click()
    await told.wait()
    await expect(answers(chat)).to_contain_text("30 days")
    await expect(stop(chat)).to_have_count(0)
    await expect(shown).to_have_count(1)


async def test_a_version_that_another_tab_asked_for_is_shown_when_somebody_looks(chat: Page, place: Place) -> None:
    other = await chat.context.new_page()
    await other.goto(chat.url)
    await complete_answer(other)
    await answer_again(other)
    await chat.evaluate(LOOKED_AT)
    await check_growing(chat)
    await expect(chat.get_by_text("Another version of this chat")).to_be_visible()
    await place.say_more()
    await check_second(chat)


async def test_a_question_that_meets_a_version_for_another_tab_stays_and_shows_it(chat: Page, place: Place) -> None:
    other = await chat.context.new_page()
    await other.goto(chat.url)
    await complete_answer(other)
    await answer_again(other)
    await chat.get_by_role("textbox", name="Your question").fill(SECOND)
    await chat.keyboard.press("Enter")
    await check_growing(chat)
    await place.say_more()
    await check_second(chat)
    await expect(chat.get_by_role("textbox", name="Your question")).to_have_value(SECOND)


async def test_a_comparison_that_is_dismissed_can_be_stopped(chat: Page, place: Place) -> None:
    await chat.get_by_role("button", name="More options for this answer").click()
    await chat.get_by_role("menuitem", name="Ask again with one change").click()
    dialog = chat.get_by_role("dialog", name="Ask again with one change")
    await dialog.get_by_label("What to change").select_option("Temperature")
    await dialog.get_by_role("slider", name="Temperature").fill("1.3")
    await dialog.get_by_role("button", name="Ask").click()
    await expect(dialog.get_by_role("article", name="Temperature: 1.3")).to_contain_text(BEGIN)
    await chat.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(stop(chat)).to_be_visible()
    await chat.reload()
    await expect(answers(chat)).to_contain_text("30 days")
    await stop(chat).click()
    await expect(stop(chat)).to_have_count(0)
    await expect(answers(chat)).to_contain_text("30 days")
    await chat.get_by_role("textbox", name="Your question").fill(SECOND)
    await chat.keyboard.press("Enter")
    await expect(answers(chat)).to_have_count(2)
    await expect(answers(chat).last).to_contain_text(BEGIN)
    await place.say_more()
    await complete_answer(chat)


async def test_a_version_of_an_early_answer_is_shown_in_a_long_chat(chat: Page, place: Place) -> None:
    session = chat.url.rpartition("/")[2]
    for number in range(12):
        sent = await place.run(SEND, input={"sessionId": session, "content": f"{SECOND} {number}"})
        await place.run(CANCEL, id=sent["sendMessage"]["answer"]["id"])
    first = (await place.run(FIRST_SHOWN, id=session))["chatSession"]["messages"]["nodes"][1]
    await place.run(AGAIN, input={"messageId": first["id"]})
    await chat.reload()
    await check_growing(chat)
    await expect(answers(chat)).to_have_count(1)
    await place.say_more()
    await check_second(chat)


async def test_a_branch_that_another_tab_asked_for_is_not_shown_without_a_word(chat: Page, place: Place) -> None:
    other = await chat.context.new_page()
    await other.goto(chat.url)
    await complete_answer(other)
    question = chat.get_by_role("article", name="Your question")
    await question.hover()
    await question.get_by_role("button", name="Edit and ask again").click()
    await chat.get_by_role("textbox", name="The edited question").fill("When may goods be sent back?")
    await chat.keyboard.press("Enter")
    await expect(stop(chat)).to_be_visible()
    await expect(answers(chat)).to_contain_text(BEGIN)
    await place.say_more()
    await complete_answer(chat)
    await other.get_by_role("textbox", name="Your question").fill(SECOND)
    await other.keyboard.press("Enter")
    await expect(answers(other)).to_have_count(2)
    await expect(answers(other).last).to_contain_text(BEGIN)
    await place.say_more()
    await expect(answers(other).last).to_contain_text("30 days")
    await expect(chat.get_by_text("Another version of this chat")).to_have_count(0)
    await chat.evaluate(LOOKED_AT)
    await expect(question).to_contain_text([QUESTION, SECOND])
    await expect(chat.get_by_text("Another version of this chat")).to_be_visible()
