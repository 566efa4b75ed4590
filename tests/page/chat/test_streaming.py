"""Answers on the page while they are written: nothing is lost or repeated when it is reloaded or cut off."""

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from app.settings import Settings
from tests.browser import visiting
from tests.clients.conftest import Prompted
from tests.page.chatting import complete_answer
from tests.page.conftest import Place, place_with
from tests.page.holding import holding
from tests.page.wire import wire_to
from tests.servers.running import running
from tests.serving import serve

SAYS = [
    "Bicycles are lent for **3 days** [1].",
    " The deposit is 120 euros [1].",
    "\n\n| day | price |\n|---|---|\n| first | 10 |\n",
    "| second | 8 |\n\n",
    "```python\nprint('lent')\n```\n",
    "\nThe end.",
]
FACTS = "Cargo bicycles are lent for 3 days. The deposit is 120 euros. The first day costs 10, the second 8."

DELETE = """mutation($id: ID!) { deleteChatSession(input: { id: $id }) { __typename } }"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    with place_with(tmp_path_factory.mktemp("streaming"), SAYS) as place:
        yield place


@pytest.fixture
async def project(place: Place, request: pytest.FixtureRequest) -> str:
    return await place.create_project(request.node.name, {"Lending": FACTS})


async def start(page: Page) -> Locator:
    """Ask, and return the answer that is being written."""
    await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
    await page.get_by_role("textbox", name="Your question").fill("For how long are bicycles lent?")
    await page.keyboard.press("Enter")
    answer = page.get_by_role("article", name="Answer")
    await expect(answer).to_contain_text("Bicycles are lent for 3 days")
    return answer


async def check_complete(page: Page) -> None:
    """The whole answer, once."""
    answer = await complete_answer(page)
    text = await answer.inner_text()
    for words in ("Bicycles are lent", "The deposit is 120 euros", "The end."):
        assert text.count(words) == 1, text
    await expect(answer.get_by_role("cell")).to_have_text(["first", "10", "second", "8"])
    await expect(answer.get_by_role("strong")).to_have_text("3 days")
    await expect(answer.locator("pre")).to_have_text("print('lent')")
    await expect(answer.get_by_role("link", name="Source 1: Lending")).to_have_count(2)


async def test_a_reload_in_the_middle_loses_no_word(page: Page, place: Place, project: str) -> None:
    await page.goto(f"{place.url}/p/{project}")
    await start(page)
    await place.say_more()
    answer = page.get_by_role("article", name="Answer")
    await expect(answer).to_contain_text("The deposit is 120 euros")
    await page.reload()
    await expect(answer).to_contain_text("The deposit is 120 euros")
    await place.say_more(len(SAYS[2:]))
    await check_complete(page)


async def test_a_cut_connection_is_resumed_where_it_was_cut(page: Page, place: Place, project: str) -> None:
    with wire_to(place.url) as wire:
        await page.goto(f"{wire.url}/p/{project}")
        answer = await start(page)
        wire.cut()
        await expect(answer).to_contain_text("The connection was lost")
        await place.say_more(len(SAYS[1:]))
        wire.mend()
        await check_complete(page)


async def test_an_answer_can_be_stopped_and_its_words_stay(page: Page, place: Place, project: str) -> None:
    await page.goto(f"{place.url}/p/{project}")
    answer = await start(page)
    said = page.get_by_role("main").get_by_role("status")
    await expect(said).to_have_text("The answer is being written.")
    await page.get_by_role("button", name="Stop the answer").click()
    await expect(answer).to_contain_text("This answer was stopped.")
    await expect(said).to_have_text("This answer was stopped.")
    await expect(answer).to_contain_text("Bicycles are lent for 3 days")
    await expect(page.get_by_role("button", name="Send")).to_be_visible()


async def test_a_question_that_meets_the_answer_to_another_tab_stays_and_shows_it(
    page: Page, place: Place, project: str
) -> None:
    await page.goto(f"{place.url}/p/{project}")
    await start(page)
    await place.say_more(len(SAYS[1:]))
    await check_complete(page)
    other = await page.context.new_page()
    await other.goto(page.url)
    questions = other.get_by_role("article", name="Your question")
    await expect(questions).to_have_count(1)
    await page.get_by_role("textbox", name="Your question").fill("What is the deposit?")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Stop the answer")).to_be_visible()
    field = other.get_by_role("textbox", name="Your question")
    await field.fill("What is the price?")
    await other.keyboard.press("Enter")
    await expect(questions.last).to_contain_text("What is the deposit?")
    await expect(field).to_have_value("What is the price?")
    await other.get_by_role("button", name="Stop the answer").click()
    await expect(page.get_by_role("article", name="Answer").last).to_contain_text("This answer was stopped.")


async def test_a_chat_that_is_deleted_elsewhere_while_its_answer_is_written_is_gone(
    page: Page, place: Place, project: str
) -> None:
    await page.goto(f"{place.url}/p/{project}")
    await start(page)
    await place.run(DELETE, id=page.url.rpartition("/")[2])
    await expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    await expect(page.get_by_text("Chats you start appear here.")).to_be_visible()


async def test_a_draft_is_kept_until_it_is_sent(page: Page, place: Place, project: str) -> None:
    await page.goto(f"{place.url}/p/{project}")
    field = page.get_by_role("textbox", name="Your question")
    await field.fill("Half a question")
    await page.reload()
    await expect(field).to_have_value("Half a question")


async def test_a_restart_of_the_server_in_the_middle_is_told_and_gone_on_from(page: Page, tmp_path: Path) -> None:
    with running(Prompted(SAYS)) as model, ExitStack() as stack:
        settings = Settings.model_validate(
            {
                "database_url": f"sqlite:///{tmp_path / 'footnote.db'}",
                "openai_base_url": model.url,
                "chat_model": "openai/chat",
            }
        )
        with serve(settings) as url:
            wire = stack.enter_context(wire_to(url))
            place = Place(url, model)
            await page.goto(f"{wire.url}/p/{await place.create_project('Restarted', {'Lending': FACTS})}")
            answer = await start(page)
        await expect(answer).to_contain_text("Bicycles are lent for 3 days")
        wire.lead_to(stack.enter_context(serve(settings)))
        await expect(answer).to_contain_text("The server stopped")
        await expect(page.get_by_role("main").get_by_role("status")).to_contain_text("The server stopped")
        await expect(answer).to_contain_text("Bicycles are lent for 3 days")
        await page.get_by_role("button", name="Answer again").click()
        await expect(answer).not_to_contain_text("The server stopped")
        await expect(answer).to_contain_text("Bicycles are lent for 3 days")
        await place.say_more(len(SAYS[1:]))
        await check_complete(page)


async def compare(page: Page, place: Place, project: str) -> tuple[Locator, Locator, Locator]:
    """Ask again with another temperature: the whole answer, the dialog, and the answer that is being written in it."""
    await page.goto(f"{place.url}/p/{project}")
    answer = await start(page)
    await place.say_more(len(SAYS[1:]))
    await check_complete(page)
    await answer.get_by_role("button", name="More options for this answer").click()
    await page.get_by_role("menuitem", name="Ask again with one change").click()
    dialog = page.get_by_role("dialog", name="Ask again with one change")
    await dialog.get_by_label("What to change").select_option("Temperature")
    await dialog.get_by_role("slider", name="Temperature").fill("1.3")
    await dialog.get_by_role("button", name="Ask").click()
    second = dialog.get_by_role("article", name="Temperature: 1.3")
    await expect(second).to_contain_text("Bicycles are lent for 3 days")
    return answer, dialog, second


async def test_a_comparison_goes_on_after_a_reload(page: Page, place: Place, project: str) -> None:
    answer, dialog, second = await compare(page, place, project)
    await page.reload()
    await expect(second).to_contain_text("Bicycles are lent for 3 days")
    await place.say_more(len(SAYS[1:]))
    await expect(second.get_by_role("button", name="Keep this one")).to_be_visible()
    await expect(second).to_contain_text("The end.")
    await expect(dialog.get_by_role("article").first).to_contain_text("Shown in the chat")
    await dialog.get_by_role("button", name="Close").last.click()
    versions = answer.get_by_role("group", name="Versions")
    await expect(versions).to_contain_text("Version 1 of 2")
    await page.reload()
    await expect(versions).to_contain_text("Version 1 of 2")
    await expect(dialog).to_have_count(0)


async def test_the_first_answer_stays_if_the_page_is_left_as_soon_as_the_second_is_complete(
    page: Page, place: Place, project: str
) -> None:
    answer, dialog, second = await compare(page, place, project)
    async with holding(page, "SelectBranch") as held:
        await place.say_more(len(SAYS[1:]))
        await held.wait_for(1)
        await expect(second.get_by_role("button", name="Keep this one")).to_be_visible()
        await dialog.get_by_role("button", name="Close").last.click()
        await page.reload()
        await held.wait_for(2)
    await expect(answer.get_by_role("group", name="Versions")).to_contain_text("Version 1 of 2")
    await expect(dialog).to_have_count(0)


async def test_code_gets_its_colours_when_it_is_complete_and_keeps_its_lines(page: Page, tmp_path: Path) -> None:
    lines = [f"    price += {day}" for day in range(120)]
    begun, rest = "def price(", f"days):\n{chr(10).join(lines)}\n    return price"
    before = "Bicycles are lent for 3 days [1].\n\n```python\ndef lend(): ...\n```\n\n```python\n"
    with place_with(tmp_path, [before, begun, f"{rest}\n```\n"]) as place:
        await page.goto(f"{place.url}/p/{await place.create_project('Code', {'Lending': FACTS})}")
        await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
        await page.get_by_role("textbox", name="Your question").fill("For how long are bicycles lent?")
        await page.keyboard.press("Enter")
        first, second = page.locator("pre").first, page.locator("pre").nth(1)
        await expect(first.locator(".keyword")).to_have_text("def")
        await place.say_more()
        await expect(second).to_have_text(begun)
        await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert await second.locator(".keyword").count() == 0
        await place.say_more()
        await complete_answer(page)
        await expect(second.locator(".keyword")).to_have_text(["def", "return"])
        selected = "(pre) => { getSelection().selectAllChildren(pre); return getSelection().toString(); }"
        assert await second.evaluate(selected) == begun + rest


async def test_text_from_right_to_left_is_laid_out_so_and_reduced_motion_has_no_animations(
    chromium: Browser, tmp_path: Path
) -> None:
    loose, table = "\n\n1. عربي\n\n2. نص", "\n\n| عمود | قيمة |\n|---|---|\n| أ | 1 |"
    says = ["تُعار الدراجات لمدة ثلاثة أيام [1].", f"\n\n* عربي\n* نص{loose}\n\n> اقتباس{table}\n\nIn English."]
    with place_with(tmp_path, says) as place:
        project = await place.create_project("RTL", {"Lending": FACTS})
        async with visiting(chromium, reduced_motion="reduce") as page:
            await page.goto(f"{place.url}/p/{project}")
            await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
            await page.get_by_role("textbox", name="Your question").fill("For how long are bicycles lent?")
            await page.keyboard.press("Enter")
            answer = page.get_by_role("article", name="Answer")
            await expect(answer).to_contain_text("أيام")
            slow = (
                "() => document.getAnimations().filter((each) => each.effect.getComputedTiming().duration > 1).length"
            )
            assert await page.evaluate(slow) == 0
            await place.say_more()
            await complete_answer(page)
            directions = "(all) => all.map((each) => getComputedStyle(each).direction)"
            parts = answer.locator(".markdown > * > *")
            assert await parts.evaluate_all(directions) == [*["rtl"] * 5, "ltr"]
            assert await answer.locator(".markdown p").first.evaluate("(p) => getComputedStyle(p).textAlign") == "start"
