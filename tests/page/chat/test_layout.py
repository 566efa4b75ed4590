"""Nothing moves under the mouse: layout shifts while somebody writes and while an answer is written."""

from collections.abc import Generator
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.answers import Start
from tests.page.chatting import complete_answer
from tests.page.conftest import Place, place_with

SAYS = [
    "Bicycles are lent for **3 days** [1].",
    "\n\n* one\n* two\n",
    "\nThe deposit is 120 euros [1].\n\n",
    "The end.",
]
FACTS = "Cargo bicycles are lent for 3 days. The deposit is 120 euros."
QUESTION = "For how long are bicycles lent?"
# What has moved since the last call. What follows a key within half a second counts, too.
WATCH = """() => {
  window.shifts_ = [];
  const take = (list) => window.shifts_.push(...list.getEntries());
  window.observer_ = new PerformanceObserver(take);
  window.observer_.observe({ type: "layout-shift", buffered: false });
}"""
SHIFTS = """async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  window.shifts_.push(...window.observer_.takeRecords());
  return window.shifts_.splice(0).map(({ value, sources }) => ({
    value, moved: sources.map(({ node, previousRect: from, currentRect: to }) =>
      `${node?.outerHTML?.slice(0, 120) ?? node?.nodeName} ${from.x},${from.y} to ${to.x},${to.y}`) }));
}"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    with place_with(tmp_path_factory.mktemp("layout"), SAYS) as place:
        yield place


async def moved(page: Page) -> list[Any]:
    """The layout shifts since the last call."""
    return await page.evaluate(SHIFTS)


async def test_nothing_moves_while_a_question_and_its_answer_are_written(page: Page, place: Place) -> None:
    project = await place.create_project("Shop", {"Lending": FACTS})
    await page.goto(f"{place.url}/p/{project}")
    await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
    field, send = page.get_by_role("textbox", name="Your question"), page.get_by_role("button", name="Send", exact=True)
    await page.evaluate(WATCH)
    before = await send.bounding_box()
    assert before is not None
    await field.press_sequentially(QUESTION)
    await expect(page.get_by_role("button", name="Would send")).to_be_visible()
    assert await moved(page) == []
    # By the mouse, where the button was before.
    await page.mouse.click(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)

    answer = page.get_by_role("article", name="Answer")
    await expect(answer).to_contain_text("3 days")
    await expect(page.get_by_role("navigation").get_by_role("link", name=QUESTION)).to_be_visible()
    await moved(page)  # the chat took the place of the start, and is listed
    await place.say_more(len(SAYS[1:]))
    await complete_answer(page)
    assert await moved(page) == []

    stop = await page.get_by_role("button", name="Send", exact=True).bounding_box()
    await field.press_sequentially("And what is the deposit?")
    await expect(page.get_by_role("button", name="Would send")).to_be_visible()
    assert await moved(page) == []
    assert await page.get_by_role("button", name="Send", exact=True).bounding_box() == stop


async def test_a_long_word_in_a_name_pushes_nothing_out_of_sight(start: Start, page: Page) -> None:
    client = start()
    word = "Jahresabschlusspruefungsbericht" * 5
    project = await client.project(f"Projekt {word}")
    await client.ready(project, word, "Goods may be returned within 30 days.", source=f"{word}.md")
    await page.set_viewport_size({"width": 800, "height": 800})
    for view, seen in (
        ("", page.get_by_role("heading", level=1)),
        ("/knowledge", page.get_by_role("button", name="Choose files")),
        ("/settings", page.get_by_role("textbox", name="Description")),
        ("/members", page.get_by_role("button", name="Add")),
    ):
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}{view}")
        await expect(seen).to_be_in_viewport(ratio=1)
        main = page.get_by_role("main")
        assert await main.evaluate("(main) => main.scrollWidth - main.clientWidth") == 0, view
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    await page.get_by_role("button", name="More options for").click()
    await page.get_by_role("menuitem", name="Preview").click()
    dialog = page.get_by_role("dialog", name=word)
    await expect(dialog.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
