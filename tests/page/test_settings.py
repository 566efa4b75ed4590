"""A project's settings: what is wrong is in sight, and nothing is lost without a question."""

from playwright.async_api import Dialog, Page, expect

from tests.answers import Start
from tests.page.holding import holding

UNCOVERED = """(field) => { const { bottom } = field.parentElement.getBoundingClientRect();
  return bottom < field.form.querySelector("[type=submit]").parentElement.getBoundingClientRect().top; }"""


async def test_a_field_with_an_error_is_not_covered_by_the_buttons(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.set_viewport_size({"width": 1280, "height": 500})
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    field = page.get_by_role("spinbutton", name="Longest answer")
    await expect(page.get_by_text("Empty: the server's default.")).to_be_attached()
    await field.fill("0")
    await page.get_by_role("main").evaluate("(main) => main.scrollTo(0, 0)")
    await page.get_by_role("button", name="Save").click()
    await expect(field).to_be_focused()
    assert await field.evaluate(UNCOVERED)
    await field.fill("")

    model = page.get_by_role("combobox", name="Model")
    await model.fill("no provider")
    await page.get_by_role("main").evaluate("(main) => main.scrollTo(0, 0)")
    await page.get_by_role("button", name="Save").click()
    await expect(model).to_be_focused()
    await expect(model).to_have_attribute("aria-invalid", "true")
    assert await model.evaluate(UNCOVERED)


async def test_unsaved_settings_are_not_left_without_a_question(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    asked: list[str] = []
    leave = False

    async def decide(dialog: Dialog) -> None:
        asked.append(dialog.message)
        await (dialog.accept() if leave else dialog.dismiss())

    page.on("dialog", decide)
    description, members = page.get_by_role("textbox", name="Description"), page.get_by_role("link", name="Members")
    await description.fill("What we sell")
    await members.click()
    await expect(description).to_have_value("What we sell")
    assert len(asked) == 1
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved")).to_be_visible()
    await members.click()
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    assert len(asked) == 1
    await page.get_by_role("link", name="Settings").click()
    await description.fill("Something else")
    leave = True
    await members.click()
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    assert len(asked) == 2


async def test_a_button_keeps_the_focus_while_what_it_does_is_under_way_and_does_it_once(
    start: Start, page: Page
) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    description, save = page.get_by_role("textbox", name="Description"), page.get_by_role("button", name="Save")
    await description.fill("What we sell")
    async with holding(page, "mutation UpdateProject") as held:
        await save.press("Enter")
        await held.wait_for(1)
        await save.press("Enter")
        await page.get_by_role("textbox", name="Name").press("Enter")
        await expect(save).to_be_disabled()
    await expect(page.get_by_text("Saved")).to_be_visible()
    await expect(save).to_be_enabled()
    assert len(held.routes) == 1
    await save.press("Tab")
    await page.keyboard.press("Shift+Tab")
    await expect(save).to_be_focused()
    async with holding(page, "mutation UpdateProject") as held:
        await page.keyboard.press("Enter")
        await held.wait_for(1)
        await expect(save).to_be_focused()
    await expect(save).to_be_enabled()
    await expect(save).to_be_focused()
