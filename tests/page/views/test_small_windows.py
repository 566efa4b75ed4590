"""Small and enlarged windows, and contents that are too wide for them: nothing is covered, cut off or squeezed."""

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.answers import Start
from tests.browser import visiting
from tests.page.chatting import ask, complete_answer, wait_for_layout
from tests.page.conftest import place_with

FACT = "Bicycles are lent for 3 days."
# A quote of many lines, between others: its card is as high as a card can be.
LONG_FACT = (
    "Bicycles are lent for 3 days, and for longer " + "to whoever asks at the counter in person, " * 12 + "only."
)
QUESTION = "For how long are bicycles lent?"
ADDRESS = "https://example.org/" + "a_long_address_" * 12
TABLE = f"""{FACT} [1]

| kind | link | remarks |
|---|---|---|
| cargo | {ADDRESS} | The brakes squeal when they are wet, and the left pedal was replaced in spring |
"""
HEADING = "Rules for the lending of bicycles, trailers and helmets to members and their guests in the summer"
FOUR_TIMES = {"width": 320, "height": 256}  # a window of 1,280 by 1,024 pixels that is enlarged four times
PHONE = {"width": 390, "height": 844}
# Not under the button that leads to the newest message.
SCROLL = "(marker, block) => { marker.style.scrollMargin = '60px'; marker.scrollIntoView({ block }); }"
WIDTHS = "() => [document.querySelector('main').scrollWidth, document.querySelector('main').clientWidth]"


async def box_of(page: Page, selector: str) -> dict[str, Any]:
    """Where it is in the window."""
    box = await page.locator(selector).bounding_box()
    assert box is not None
    return dict(box)


@pytest.mark.parametrize("height", [256, 420, 600])
async def test_the_card_of_a_footnote_lies_beside_it_wherever_it_stands(
    chromium: Browser, tmp_path: Path, height: int
) -> None:
    said = "\n\n".join(["Some more words."] * 12)
    with place_with(tmp_path, [f"{said}\n\n{LONG_FACT} [1]\n\n{said}"]) as place:
        project = await place.create_project("Shop", {"Lending": LONG_FACT})
        async with visiting(chromium, viewport={"width": 1000, "height": height}) as page:
            await page.goto(f"{place.url}/p/{project}")
            await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
            answer = await ask(page, QUESTION)
            marker = answer.get_by_role("link", name="Source 1").first
            card = page.get_by_role("tooltip").filter(has_text="Lending")
            for where in ("start", "center", "end"):
                await page.mouse.move(1, 1)
                await expect(card).to_be_hidden()
                await marker.evaluate(SCROLL, where)
                await wait_for_layout(page)
                at = await marker.bounding_box()
                assert at is not None
                await page.mouse.move(at["x"] + 5, at["y"] + 5)
                await expect(card).to_be_visible()
                await wait_for_layout(page)
                shown = await box_of(page, "#footnote-card")
                top, bottom = shown["y"], shown["y"] + shown["height"]
                assert top >= 0, where
                assert bottom <= height, where
                assert bottom <= at["y"] or top >= at["y"] + at["height"], f"{where}: it cannot be clicked"


async def test_a_menu_fits_into_an_enlarged_window(start: Start, chromium: Browser) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Lending", FACT)
    async with visiting(chromium, viewport=FOUR_TIMES) as page:
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
        await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
        await ask(page, QUESTION)
        await page.get_by_role("main").get_by_role("button", name="More options for this chat").click()
        await expect(page.get_by_role("menuitem", name="Rename")).to_be_visible()
        menu = await box_of(page, "[role=menu]:popover-open")
        assert menu["y"] >= 0
        assert menu["y"] + menu["height"] <= FOUR_TIMES["height"]
        await page.keyboard.press("Escape")
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
        save = page.get_by_role("button", name="Save")
        await expect(save).not_to_be_in_viewport()  # it would cover half of what is left of the window
        await save.scroll_into_view_if_needed()
        await expect(save).to_be_in_viewport()


async def test_passages_that_are_found_are_no_wider_than_a_phone(start: Start, chromium: Browser) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Lending", f"# {HEADING}\n\n## {HEADING}, continued\n\n{FACT}")
    async with visiting(chromium, viewport=PHONE) as page:
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge/search")
        await page.get_by_role("searchbox", name="Words or a question").fill("bicycles")
        await page.keyboard.press("Enter")
        await expect(page.locator("mark").first).to_be_visible()
        wide, there = await page.evaluate(WIDTHS)
        assert wide <= there
        await expect(page.locator(".score")).to_be_in_viewport(ratio=1)


async def test_a_long_address_in_a_table_leaves_room_for_the_other_columns(page: Page, tmp_path: Path) -> None:
    with place_with(tmp_path, [TABLE]) as place:
        await page.goto(f"{place.url}/p/{await place.create_project('Shop', {'Lending': FACT})}")
        await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
        await ask(page, QUESTION)
        answer = await complete_answer(page)
        link, remarks = [await answer.get_by_role("cell").nth(at).bounding_box() for at in (1, 2)]
        assert link is not None
        assert remarks is not None
        assert link["width"] <= 420
        assert remarks["width"] >= 150


async def test_whoever_has_no_project_yet_finds_the_start_in_the_middle(start: Start, page: Page) -> None:
    await page.goto(start().url.removesuffix("/graphql"))
    await expect(page.get_by_role("heading", name="Start with a project", level=1)).to_be_visible()
    button = await page.get_by_role("button", name="New project").bounding_box()
    account = await page.get_by_role("button", name="Owner").bounding_box()
    assert button is not None
    assert account is not None
    assert button["y"] > 300
    assert account["y"] > 800
