"""Dialogs keep what is written in them: while text is selected, and when what they ask for fails."""

import re

from playwright.async_api import Dialog, Page, expect

from tests.answers import Start
from tests.conftest import StartSignedIn
from tests.page.chatting import ask
from tests.page.holding import holding
from tests.page.people.test_other_people import sign_in

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
    await field.fill(await page.get_by_role("main").get_by_role("heading", level=1).inner_text())
    await page.mouse.click(5, 5)
    await expect(dialog).to_have_count(0)


async def test_a_dialog_is_not_closed_without_a_question_while_what_is_written_in_it_is_not_saved(
    start: Start, page: Page
) -> None:
    client = start()
    project = await client.project("Shop")
    session = await client.session(project)
    asked: list[str] = []
    sure = False

    async def decide(question: Dialog) -> None:
        asked.append(question.message)
        await (question.accept() if sure else question.dismiss())

    page.on("dialog", decide)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    await page.locator(f"a[href='/c/{session}']").click()
    await page.get_by_role("main").get_by_role("button", name="More options for this chat").click()
    await page.get_by_role("menuitem", name="Settings of this chat").click()
    dialog = page.get_by_role("dialog", name="Settings of this chat")
    instructions = dialog.get_by_role("textbox", name="Instructions for the model")
    await instructions.fill("Answer like a pirate.")
    await page.keyboard.press("Escape")
    await page.mouse.click(5, 5)
    await dialog.get_by_role("button", name="Close").click()
    async with page.expect_event("dialog"):
        await page.evaluate("() => history.back()")
    await expect(instructions).to_have_value("Answer like a pirate.")
    assert len(asked) == 4
    await expect(page).to_have_url(re.compile(session))

    # What went wrong is told in the dialog, where it can be read and dismissed.
    await page.route("**/graphql", lambda route: route.abort("connectionreset"))
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("The server cannot be reached")
    await page.unroute("**/graphql")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog).to_have_count(0)
    sure = True
    await page.get_by_role("button", name=re.compile("Project")).click()
    await page.get_by_role("menuitem", name="New project").click()
    await page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("Roses")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(asked) == 5
    await page.get_by_role("button", name=re.compile("Project")).click()
    await page.get_by_role("menuitem", name="New project").click()
    await page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("Roses")
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("heading", name="Roses")).to_be_visible()
    assert len(asked) == 5


async def test_a_message_is_clear_and_can_be_dismissed_while_a_dialog_is_open(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    answer = await ask(page, "When may goods be returned?")
    await page.route("**/graphql", lambda route: route.abort("connectionreset"))
    await answer.get_by_role("button", name="Helpful", exact=True).click()
    toast = page.get_by_role("region", name="Notifications").get_by_role("alert")
    await expect(toast).to_contain_text("The server cannot be reached")
    await page.keyboard.press("Control+k")
    await page.get_by_role("dialog", name="Search chats").get_by_role("combobox").fill("goods")
    on_top = "(toast) => { const { x, y } = toast.getBoundingClientRect();"
    assert await toast.evaluate(f"{on_top} return toast.contains(document.elementFromPoint(x + 20, y + 12)); }}")
    await toast.get_by_role("button", name="Dismiss").click()
    await expect(toast).to_have_count(0)
    await expect(page.get_by_role("dialog", name="Search chats")).to_be_visible()


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

    # Nor are settings that cannot be read set back; they are read again when somebody asks.
    await page.unroute("**/assets/SessionSettings*")
    await page.reload()
    await page.get_by_role("button", name="More options for this chat").click()
    async with holding(page, "query SessionSettings", lose=True) as lost:
        await page.get_by_role("menuitem", name="Settings of this chat").click()
        await lost.wait_for(1)
    dialog = page.get_by_role("dialog", name="Settings of this chat")
    await expect(dialog.get_by_role("alert")).to_contain_text("The server cannot be reached")
    await expect(dialog.get_by_role("button", name="Use the defaults")).to_be_disabled()
    await dialog.get_by_role("button", name="Try again").click()
    await expect(dialog.get_by_role("slider", name="Temperature")).to_be_visible()


async def test_dialogs_to_write_in_are_used_by_keyboard_alone(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", "Goods may be returned within 30 days.")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    await page.get_by_role("button", name="More options for Returns").click()
    await page.get_by_role("menuitem", name="Rename").press("Enter")
    await expect(page.get_by_role("dialog").get_by_role("textbox", name="Title")).to_be_focused()
    await page.keyboard.press("Control+a")
    await page.keyboard.type("Refunds")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Refunds", exact=True)).to_be_visible()

    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    await page.get_by_role("button", name="Delete this project").press("Enter")
    await expect(page.get_by_role("textbox", name="Type “Shop” to confirm")).to_be_focused()
    await page.keyboard.type("Sho")
    await page.keyboard.press("Enter")
    await page.keyboard.type("p")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    assert (await client.run("{ projects(first: 1) { totalCount } }"))["projects"]["totalCount"] == 0


async def test_a_dialog_stays_while_the_page_itself_goes_on_to_another_view(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    search = page.get_by_role("combobox", name="Search chats")
    async with holding(page, "mutation SendMessage") as held:
        await page.get_by_role("textbox", name="Your question").fill("When may goods be returned?")
        await page.keyboard.press("Enter")
        await held.wait_for(1)
        await page.keyboard.press("Control+k")
        await search.fill("Invoices")
    await expect(page.get_by_role("article", name="Your question", include_hidden=True)).to_have_count(1)
    await expect(search).to_have_value("Invoices")


async def test_whoever_has_projects_is_asked_before_a_link_makes_them_somebody_else(
    signed: StartSignedIn, page: Page
) -> None:
    server = await signed()
    project = await server.client.project("Shop")
    await page.goto(server.url)
    await sign_in(page, "kim@example.org")
    await expect(page.get_by_role("heading", name="Shop")).to_be_visible()
    await page.goto("about:blank")
    async with holding(page, "query Projects") as held:
        await page.goto(f"{server.url}/#token=another")
        await held.wait_for(1)
        await expect(page.get_by_role("dialog", name="Sign in with this link?")).to_be_visible()
    await page.wait_for_url(f"{server.url}/p/{project}")
    await expect(page.get_by_role("dialog", name="Sign in with this link?")).to_be_visible()
