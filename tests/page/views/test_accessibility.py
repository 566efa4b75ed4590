"""The page without a mouse, without sight, in the dark, on a phone: by axe's rules, and by using it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.clients import conftest as clients
from tests.conftest import StartSignedIn
from tests.page.axe import ALL_RULES, LOOK_RULES, Audit
from tests.page.chatting import FORMATS, ask, wait_for_documents
from tests.page.conftest import Visiting

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# The theme decides about colours, the width about places: two looks show all of both.
LOOKS: dict[str, dict[str, Any]] = {"light": {}, "dark phone": {**PHONE, "color_scheme": "dark"}}
DIALOG, MENU = "dialog[open]", "[role=menu]:popover-open"
FOCUSED = """() => { const focused = document.activeElement;
  return focused?.matches("a, button") ? (focused.ariaLabel ?? focused.textContent ?? "") : ""; }"""


@pytest.fixture(scope="module")
def auditing(node: str) -> Callable[[Page], Audit]:
    """Makes audits of pages."""
    del node  # has installed it
    program = (clients.PACKAGES / "axe-core" / "axe.min.js").read_text()
    return lambda page: Audit(page, program)


async def look_at_dialogs(audit: Audit, trigger: Locator, *items: str) -> None:
    """Look at a menu, and at the dialogs that its items open."""
    for number, item in enumerate(items):
        await trigger.click()
        chosen = audit.page.get_by_role("menuitem", name=item)
        await expect(chosen).to_be_visible()
        if number == 0:
            await audit.look(f"menu with {item}", MENU)
        await chosen.click()
        await look_at_dialog(audit, item)


async def look_at_dialog(audit: Audit, name: str) -> None:
    """Look at the dialog that opens, and close it."""
    dialog = audit.page.locator(DIALOG)
    await expect(dialog.get_by_role("heading").first).to_be_visible()
    await expect(dialog.get_by_role("status").filter(has_text="Loading")).to_have_count(0)
    await audit.look(name, DIALOG)
    await dialog.get_by_role("button", name="Close").first.click()
    await expect(dialog).to_have_count(0)


async def look_at_chat(audit: Audit) -> None:
    """The start, an answer, its sources, what would be sent, and a comparison."""
    page = audit.page
    await wait_for_documents(page)
    await audit.look("start")
    answer = await ask(page, FORMATS)
    await audit.look("chat")
    marker = answer.get_by_role("link", name="Source 1").first
    await marker.focus()
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("tooltip").filter(has_text="Documents and formats")).to_be_visible()
    await audit.look("card of a footnote", "[role=tooltip]")
    await marker.click()
    panel = page.get_by_role("complementary", name="Where this answer comes from")
    await expect(panel.locator("mark").first).to_be_visible()
    await audit.look("source")
    await panel.get_by_role("button", name="Read in the document").click()
    await expect(page.locator(f"{DIALOG} mark").first).to_be_visible()
    await look_at_dialog(audit, "document")
    await panel.get_by_role("button", name="All sources").click()
    await audit.look("sources")
    await panel.get_by_role("tab", name="Context window").click()
    await audit.look("window")
    await page.keyboard.press("Escape")
    await expect(panel).to_be_hidden()

    await page.get_by_role("textbox", name="Your question").fill("And what happens to scanned PDFs?")
    await page.get_by_role("button", name="Would send").click()
    read = page.get_by_role("button", name="Read the prompt")
    await expect(read).to_be_visible()
    await audit.look("what would be sent", "main")
    await read.click()
    await expect(page.locator(DIALOG)).to_contain_text("scanned PDFs")
    await look_at_dialog(audit, "prompt")
    await page.get_by_role("textbox", name="Your question").fill("")

    await answer.get_by_role("button", name="Not helpful").click()
    await look_at_dialog(audit, "rating")
    await answer.get_by_role("button", name="More options for this answer").click()
    await audit.look("menu of an answer", MENU)
    await page.get_by_role("menuitem", name="Ask again with one change").click()
    dialog = page.get_by_role("dialog", name="Ask again with one change")
    await dialog.get_by_role("slider", name="Passages").fill("2")
    await expect(dialog.get_by_role("region", name="What would be sent differently")).to_be_visible()
    await audit.look("comparison", DIALOG)
    await dialog.get_by_role("button", name="Ask").click()
    await expect(dialog.get_by_role("button", name="Keep this one")).to_be_visible()
    await look_at_dialog(audit, "compared answers")

    chat = page.get_by_role("main").get_by_role("button", name="More options for this chat")
    await look_at_dialogs(audit, chat, "Settings of this chat", "Rename", "Delete")
    await page.keyboard.press("Control+k")
    await page.get_by_role("combobox", name="Search chats").fill("formats")
    await expect(page.get_by_role("option", name=FORMATS).first).to_be_visible()
    await expect(page.get_by_role("group", name="In questions and answers")).to_be_visible()
    await look_at_dialog(audit, "search")


async def look_at_project(audit: Audit, project: str) -> None:
    """The list at the side, the project's documents, its settings and members."""
    page = audit.page
    await page.goto(f"{project}/knowledge")
    documents = page.get_by_role("list", name="Documents")
    await expect(documents).to_be_visible()
    await page.get_by_text("Supported formats").click()
    await audit.look("documents")
    more = documents.get_by_role("button", name="More options for").first
    await look_at_dialogs(audit, more, "Preview", "Rename", "Replace with a new file", "Delete")
    await page.get_by_role("tab", name="Search").click()
    await page.get_by_role("searchbox", name="Words or a question").fill("formats")
    await page.keyboard.press("Enter")
    await expect(page.locator("mark").first).to_be_visible()
    await audit.look("search of documents", "main")
    await page.get_by_role("tab", name="Embedding model").click()
    await expect(page.get_by_label("Switch the model")).to_be_visible()
    await audit.look("embedding model", "main")

    await page.goto(f"{project}/settings")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await audit.look("settings")
    await page.get_by_role("button", name="Delete this project").click()
    await look_at_dialog(audit, "deleting a project")
    await page.goto(f"{project}/members")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await audit.look("members")

    side = await open_side_bar(page)
    await audit.look("side bar")
    await side.get_by_role("button", name="Appearance and language").click()
    await audit.look("appearance", MENU)
    await page.reload()
    side = await open_side_bar(page)
    await look_at_dialogs(audit, side.get_by_role("button", name="Project:"), "New project")


async def open_side_bar(page: Page) -> Locator:
    """The list of chats, which a phone shows only on demand."""
    side = page.get_by_role("navigation", name="Projects and chats")
    opener = page.get_by_role("button", name="Open the sidebar")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    if await opener.is_visible():
        await opener.click()
        await expect(side).to_be_visible()
    return side


@pytest.mark.parametrize("look", LOOKS)
async def test_axe_finds_nothing_wrong_in_any_view_dialog_or_menu(
    visit: Visiting, auditing: Callable[[Page], Audit], look: str
) -> None:
    async with visit(reduced_motion="reduce", **LOOKS[look]) as page:
        audit = auditing(page)
        audit.rules = ALL_RULES if look == "light" else LOOK_RULES
        await wait_for_documents(page)
        project = page.url
        await look_at_chat(audit)
        await look_at_project(audit, project)
        for path in ("account", "status", "c/nothing", "handbook", "handbook/06-models"):
            await page.goto(f"{project.split('/p/')[0]}/{path}")
            await expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
            await audit.look(path)
        assert audit.found == {}


async def test_axe_finds_nothing_wrong_with_signing_in_and_tokens(
    signed: StartSignedIn, page: Page, auditing: Callable[[Page], Audit]
) -> None:
    server = await signed()
    audit = auditing(page)
    await page.goto(server.url)
    await page.get_by_label("Email address").fill("kim@example.org")
    await audit.look("signing in")
    await page.get_by_label("Password").fill("correct horse battery")
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await expect(page.get_by_label("Password")).to_have_count(0)
    await page.goto(f"{server.url}/account")
    await page.get_by_label("What it is for").fill("a program")
    await page.get_by_role("button", name="Create", exact=True).click()
    await expect(page.get_by_text("it is shown only once")).to_be_visible()
    await audit.look("a new token")
    assert audit.found == {}


async def test_everything_is_reached_by_keyboard(visit: Visiting) -> None:
    async with visit() as page:
        await wait_for_documents(page)
        keyboard = page.keyboard
        await page.get_by_role("link", name="Skip to the content").focus()
        await keyboard.press("Enter")
        await expect(page.get_by_role("main")).to_be_focused()
        await page.get_by_role("textbox", name="Your question").focus()
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
        await page.get_by_role("button", name="Open the sidebar").click()
        await expect(side).to_be_visible()
        await expect(side.get_by_role("button", name="Search", exact=True)).to_be_visible()
        await side.get_by_role("link", name="New chat").click()
        await expect(side).to_be_hidden()
        await page.get_by_role("textbox", name="Your question").fill("Which formats keep their tables?")
        await expect(page.get_by_role("button", name="Would send")).to_be_visible()
        for name in (re.compile("Would send"), re.compile("^Send$")):
            box = await page.get_by_role("button", name=name).bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["viewport"]["width"], name
        wide = await page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide == 0


async def test_the_list_of_chats_over_the_page_is_used_and_left_by_keyboard(visit: Visiting) -> None:
    async with visit(viewport={"width": 720, "height": 450}) as page:  # as a desk's is at a zoom of 200 %
        await wait_for_documents(page)
        side, opener = page.get_by_role("navigation", name="Projects and chats"), page.get_by_label("Open the sidebar")
        await opener.press("Enter")
        await expect(side.get_by_role("button", name="Project: Handbook")).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(side).to_be_hidden()
        await expect(opener).to_be_focused()
        await opener.press("Enter")
        await tab_to(page, "Members")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", name="Members · Handbook")).to_be_visible()
        await expect(side).to_be_hidden()
        await expect(page.get_by_role("main")).to_be_focused()
        await opener.press("Enter")
        await tab_to(page, "Add")
        await expect(side).to_be_hidden()
        await expect(page.get_by_role("button", name="Add")).to_be_focused()
