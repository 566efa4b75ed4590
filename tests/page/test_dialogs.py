"""Dialogs keep what is written in them: while text is selected, and when what they ask for fails."""

from playwright.async_api import Page, expect

from tests.answers import Start
from tests.page.chatting import ask

TEXT = "Goods may be returned within 30 days of delivery."


async def test_selecting_text_beyond_the_edge_of_a_dialog_does_not_close_it(start: Start, page: Page) -> None:
    client = start()
    session = await client.session(await client.project("Shop"))
    await page.goto(f"{client.url.removesuffix('/graphql')}/c/{session}")
    await page.get_by_role("button", name="More options for this chat").click()
    await page.get_by_role("menuitem", name="Rename").click()
    field, dialog = page.get_by_role("textbox", name="Title"), page.get_by_role("dialog", name="Rename")
    await field.fill("What may be returned")
    box = await field.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.mouse.down()
    await page.mouse.move(5, box["y"] + 5, steps=3)
    await page.mouse.up()
    await expect(field).to_have_value("What may be returned")
    await page.mouse.click(5, 5)
    await expect(dialog).to_have_count(0)


async def test_a_rating_that_cannot_be_sent_stays_and_says_why_in_its_dialog(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    answer = await ask(page, "When may goods be returned?")
    await answer.get_by_role("button", name="Not helpful").click()
    dialog = page.get_by_role("dialog", name="What was not helpful?")
    await dialog.get_by_role("textbox").fill("The year is missing.")
    await page.route("**/graphql", lambda route: route.abort("connectionreset"))
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("The server cannot be reached")
    await page.unroute("**/graphql")
    await expect(dialog.get_by_role("textbox")).to_have_value("The year is missing.")
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog).to_have_count(0)


async def test_a_dialog_that_cannot_be_loaded_says_so(start: Start, page: Page) -> None:
    client = start()
    session = await client.session(await client.project("Shop"))
    await page.goto(f"{client.url.removesuffix('/graphql')}/c/{session}")
    await page.route("**/assets/SessionSettings*", lambda route: route.abort("connectionrefused"))
    await page.get_by_role("button", name="More options for this chat").click()
    await page.get_by_role("menuitem", name="Settings of this chat").click()
    await expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
