"""The page without a mouse, without sight, in the dark, on a phone: by axe's rules, and by using it."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.clients import conftest as clients
from tests.page.chatting import FORMATS, ask, wait_for_documents
from tests.page.conftest import Visiting

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": PHONE,
    "dark phone": {**PHONE, "color_scheme": "dark"},
}
FOCUSED = """() => { const focused = document.activeElement;
  return focused?.matches("a, button") ? (focused.ariaLabel ?? focused.textContent ?? "") : ""; }"""
Audit = Callable[[Page], Awaitable[list[str]]]


@pytest.fixture(scope="module")
def audit(node: str) -> Audit:
    """What axe finds wrong with what is shown."""
    del node  # has installed it
    axe = (clients.PACKAGES / "axe-core" / "axe.min.js").read_text()

    async def run(page: Page) -> list[str]:
        # An animation whose element goes is cancelled, which rejects its promise.
        await page.evaluate("() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished))")
        await page.evaluate(axe)
        found = await page.evaluate("(rules) => axe.run(document, rules)", RULES)
        return [f"{rule['id']}: {node['html'][:200]}" for rule in found["violations"] for node in rule["nodes"]]

    return run


@pytest.mark.parametrize("look", LOOKS)
async def test_axe_finds_nothing_wrong_with_the_chat(visit: Visiting, audit: Audit, look: str) -> None:
    async with visit(**LOOKS[look]) as page:
        await wait_for_documents(page)
        assert await audit(page) == []
        answer = await ask(page, FORMATS)
        assert await audit(page) == []
        await answer.get_by_role("link", name="Source 1").first.click()
        panel = page.get_by_role("complementary", name="Where this answer comes from")
        await expect(panel.locator("mark").first).to_be_visible()
        assert await audit(page) == []
        await panel.get_by_role("button", name="All sources").click()
        await panel.get_by_role("tab", name="Context window").click()
        assert await audit(page) == []


async def test_everything_is_reached_by_keyboard(visit: Visiting) -> None:
    async with visit() as page:
        await wait_for_documents(page)
        keyboard = page.keyboard
        await expect(page.get_by_role("textbox", name="Your question")).to_be_focused()
        await keyboard.type(FORMATS)
        await keyboard.press("Enter")
        answer = page.get_by_role("article", name="Answer")
        await expect(answer.get_by_role("button", name="Answer again")).to_be_visible()

        await tab_to(page, "Source 1")
        await expect(page.get_by_role("tooltip").filter(has_text="Documents and formats")).to_be_visible()
        await keyboard.press("Enter")
        panel = page.get_by_role("complementary", name="Where this answer comes from")
        await expect(panel).to_be_focused()
        await expect(panel.locator("mark").first).to_be_visible()
        await tab_to(page, "Read in the document")
        await keyboard.press("Enter")
        await expect(page.get_by_role("dialog", name="Documents and formats")).to_be_visible()
        await keyboard.press("Escape")
        await keyboard.press("Escape")
        await expect(panel).to_be_hidden()

        await keyboard.press("Control+k")
        search = page.get_by_role("combobox", name="Search chats")
        await expect(search).to_be_focused()
        await keyboard.type("formats")
        await expect(page.get_by_role("option", name=FORMATS).first).to_be_visible()
        await keyboard.press("Escape")
        await keyboard.press("Control+Shift+o")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Handbook")


async def tab_to(page: Page, name: str, most: int = 60) -> None:
    """Press Tab until something of this name has the focus."""
    for _ in range(most):
        await page.keyboard.press("Tab")
        if name in await page.evaluate(FOCUSED):
            return
    raise AssertionError(f"{name} cannot be reached with {most} tabs.")


async def test_a_phone_shows_the_list_of_chats_over_the_page(visit: Visiting) -> None:
    async with visit(**PHONE) as page:
        await wait_for_documents(page)
        side = page.get_by_role("navigation", name="Projects and chats")
        await expect(side).to_be_hidden()
        await page.get_by_role("button", name="Open the side bar").click()
        await expect(side).to_be_visible()
        await side.get_by_role("link", name="New chat").click()
        await expect(side).to_be_hidden()
        wide = await page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide == 0


async def test_texts_are_german_where_the_browser_is(visit: Visiting) -> None:
    async with visit(locale="de-DE") as page:
        await expect(page.get_by_role("textbox", name="Ihre Frage")).to_be_visible()
        assert await page.evaluate("() => document.documentElement.lang") == "de"
        await page.get_by_role("button", name="Darstellung und Sprache").click()
        await page.get_by_role("menuitemradio", name="English").click()
        await expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
        await page.reload()
        await expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
