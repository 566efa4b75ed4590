"""Versions of questions and answers on the page: edited, switched between, asked again, and taken away as files."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from tests.answers import Start, openai
from tests.graphql.client import Client
from tests.page.chatting import ask
from tests.page.holding import holding
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, Refusal, running

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery. Opened software cannot be returned."
FIRST, SECOND, EDITED = "When may goods be returned?", "And opened software?", "When may goods be sent back?"


@pytest.fixture
def model() -> Generator[OpenAIServer]:
    """A model whose answers are numbered."""
    answered = 0

    def answer(_: Body) -> list[str]:
        nonlocal answered
        answered += 1
        return [f"Reply {answered}: ", "within 30 days of delivery [1]."]

    with running(OpenAIServer(answer)) as running_model:
        yield running_model


@pytest_asyncio.fixture(loop_scope="session")
async def client(start: Start, model: OpenAIServer) -> Client:
    client = start(**openai(model))
    await client.ready(await client.project("Shop"), "Returns", TEXT)
    return client


@pytest_asyncio.fixture(loop_scope="session")
async def chat(client: Client, page: Page) -> Page:
    """A page with a chat of two questions."""
    await page.goto(client.url.removesuffix("/graphql"))
    await ask(page, FIRST)
    await expect(shown(page)).to_contain_text(["Reply 1"])
    await ask(page, SECOND)
    await expect(shown(page)).to_contain_text(["Reply 1", "Reply 2"])
    return page


def shown(page: Page) -> Locator:
    """The answers that are shown."""
    return page.get_by_role("article", name="Answer")


def questions(page: Page) -> Locator:
    """The questions that are shown."""
    return page.get_by_role("article", name="Your question")


def sent(model: OpenAIServer) -> str:
    """All that the model was last sent."""
    return json.dumps(model.chats[-1]["messages"])


async def test_an_edited_question_is_another_version_and_both_can_be_gone_on_from(
    chat: Page, model: OpenAIServer
) -> None:
    await questions(chat).first.hover()
    await questions(chat).first.get_by_role("button", name="Edit and ask again").click()
    field = chat.get_by_role("textbox", name="The edited question")
    await expect(field).to_have_value(FIRST)
    await field.fill(EDITED)
    await field.press("Enter")
    await expect(shown(chat)).to_contain_text(["Reply 3"])
    assert SECOND not in sent(model)
    versions = questions(chat).first.get_by_role("group", name="Versions")
    await expect(versions).to_contain_text("Version 2 of 2")
    await chat.reload()
    await expect(questions(chat)).to_contain_text([EDITED])
    await expect(shown(chat)).to_contain_text(["Reply 3"])

    back = versions.get_by_role("button", name="Previous version")
    await back.press("Enter")
    await expect(shown(chat)).to_contain_text(["Reply 1", "Reply 2"])
    await expect(back).to_be_focused()
    await chat.reload()
    await expect(questions(chat)).to_contain_text([FIRST, SECOND])

    composer = chat.get_by_role("textbox", name="Your question")
    await composer.press("ArrowUp")
    await expect(field).to_have_value(SECOND)
    await field.press("Escape")
    await expect(composer).to_be_focused()
    await expect(questions(chat)).to_contain_text([FIRST, SECOND])

    await chat.get_by_role("button", name="Answer again").click()
    await expect(shown(chat)).to_contain_text(["Reply 1", "Reply 4"])
    await shown(chat).last.get_by_role("button", name="Previous version").click()
    await expect(shown(chat)).to_contain_text(["Reply 1", "Reply 2"])
    await ask(chat, "And who pays for returned goods?")
    await expect(shown(chat)).to_contain_text(["Reply 1", "Reply 2", "Reply 5"])
    assert "Reply 2" in sent(model)
    assert "Reply 4" not in sent(model)


async def test_a_chat_is_saved_under_its_title_and_an_answer_copied_with_its_sources(
    chat: Page, tmp_path: Path
) -> None:
    await chat.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await expect(chat.get_by_role("heading", level=1)).to_contain_text("When may goods be returned")
    for item, ending in (("Save as Markdown", "md"), ("Save as JSON", "json")):
        await chat.get_by_role("button", name="More options for this chat").click()
        async with chat.expect_download() as started:
            await chat.get_by_role("menuitem", name=item).click()
        download = await started.value
        assert download.suggested_filename == f"When may goods be returned.{ending}"
        await download.save_as(tmp_path / ending)
        text = (tmp_path / ending).read_text()
        assert SECOND in text
        assert text.startswith("{") is (ending == "json")
    await shown(chat).first.get_by_role("button", name="More options for this answer").click()
    await chat.get_by_role("menuitem", name="Copy with its sources").click()
    await expect(chat.get_by_text("Copied", exact=True)).to_be_visible()
    copied = await chat.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("Reply 1: within 30 days")
    assert "**Sources:**" in copied


async def test_an_answer_is_compared_with_one_of_another_option(chat: Page, model: OpenAIServer) -> None:
    await shown(chat).first.get_by_role("button", name="More options for this answer").click()
    await chat.get_by_role("menuitem", name="Ask again with one change").click()
    dialog = chat.get_by_role("dialog", name="Ask again with one change")
    await expect(dialog.get_by_role("button", name="Ask")).to_be_disabled()
    await dialog.get_by_label("What to change").select_option("Answer from the documents")
    await expect(dialog.get_by_role("switch", name="Answer from the documents")).not_to_be_checked()
    changes = dialog.get_by_role("region", name="What would be sent differently")
    await expect(changes.get_by_label("Removed")).to_be_visible()
    await expect(changes).to_contain_text("Returns")
    assert len(model.chats) == 2, "a preview calls no model"

    await dialog.get_by_label("What to change").select_option("Temperature")
    await dialog.get_by_role("slider", name="Temperature").fill("1.3")
    await expect(changes).to_contain_text("1 passage stays")
    await dialog.get_by_role("button", name="Ask").click()
    first, second = dialog.get_by_role("article").first, dialog.get_by_role("article", name="Temperature: 1.3")
    await expect(second).to_contain_text("Reply 3")
    assert [asked["temperature"] == 1.3 for asked in model.chats] == [False, False, True]
    await expect(first).to_contain_text("Reply 1")
    await expect(first).to_contain_text("Shown in the chat")
    await second.get_by_role("link", name="Source 1").click()
    await expect(second.locator("blockquote")).to_contain_text("30 days")
    await expect(shown(chat).filter(has_text="Reply 2")).to_have_count(1)

    await second.get_by_role("button", name="Keep this one").click()
    await expect(dialog).to_have_count(0)
    await expect(shown(chat)).to_contain_text(["Reply 3"])
    # Both are answers of one question; what followed the first follows it still.
    await expect(questions(chat).get_by_role("group", name="Versions")).to_have_count(0)
    versions = shown(chat).first.get_by_role("group", name="Versions")
    await expect(versions).to_contain_text("Version 2 of 2")
    await versions.get_by_role("button", name="Previous version").click()
    await expect(shown(chat)).to_contain_text(["Reply 1", "Reply 2"])


async def test_an_answer_that_failed_again_gives_way_to_the_earlier_one(chat: Page, model: OpenAIServer) -> None:
    model.faults = iter([Refusal(400, {"error": {"message": "out of order"}})])
    await chat.get_by_role("button", name="Answer again").click()
    await expect(chat.get_by_text("The earlier answer is shown again.")).to_be_visible()
    await expect(shown(chat)).to_contain_text(["Reply 1", "Reply 2"])
    await expect(chat.get_by_role("alert")).to_contain_text("out of order")
    assert len(model.chats) == 3


async def test_a_message_is_found_by_its_words_and_shown_on_its_branch(chat: Page) -> None:
    await questions(chat).first.hover()
    await questions(chat).first.get_by_role("button", name="Edit and ask again").click()
    await chat.get_by_role("textbox", name="The edited question").fill(EDITED)
    await chat.keyboard.press("Enter")
    await expect(shown(chat)).to_contain_text(["Reply 3"])
    await chat.keyboard.press("Control+k")
    await chat.get_by_role("combobox", name="Search chats").fill("opened software")
    found = chat.get_by_role("option").filter(has_text="Your question")
    await expect(found.locator("mark")).to_have_text(["opened", "software"])
    await found.click()
    await expect(chat.get_by_text("in another version of this chat")).to_be_visible()
    await expect(shown(chat)).to_contain_text(["Reply 1", "Reply 2"])
    await expect(chat.get_by_role("listitem").filter(has=questions(chat).filter(has_text=SECOND))).to_be_focused()


async def test_an_answer_is_asked_for_again_once_however_often_the_button_is_pressed(
    chat: Page, model: OpenAIServer
) -> None:
    asked = len(model.chats)
    sent: list[str] = []
    chat.on("request", lambda request: sent.append(request.post_data or ""))
    again = chat.get_by_role("button", name="Answer again")
    async with holding(chat, "mutation RegenerateAnswer", lose=True) as held:
        await again.dblclick()
        await held.wait_for(1)
    await expect(chat.get_by_role("alert")).to_have_count(1)
    await again.click()
    await expect(shown(chat)).to_contain_text(["Reply 1", "Reply 3"])
    assert len(model.chats) == asked + 1
    requests = [json.loads(body) for body in sent if "mutation RegenerateAnswer" in body]
    assert len(requests) == 2
    assert len({request["variables"]["input"]["idempotencyKey"] for request in requests}) == 1
