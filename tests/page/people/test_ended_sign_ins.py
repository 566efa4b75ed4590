"""A sign-in that ends while somebody works: they sign in again, and go on where they were."""

from playwright.async_api import Dialog, Page, expect

from tests.answers import openai
from tests.clients.conftest import Prompted
from tests.conftest import StartSignedIn
from tests.graphql.client import SEND
from tests.page.holding import holding
from tests.page.people.test_other_people import PASSWORD, QUESTION, TEXT, add_eve, sign_in
from tests.servers.running import running
from tests.signed_in_server import SignedInServer

EXPIRED = "Your sign-in has ended. Sign in again to continue where you left off."
# What another tab tells of whose sign-in has ended.
NOBODY_IS_SIGNED_IN = """() => { localStorage.removeItem("footnote:token");
  dispatchEvent(new StorageEvent("storage", { key: "footnote:token", newValue: null })); }"""


async def visit_as_kim(server: SignedInServer, page: Page, path: str) -> None:
    """Sign in at this address."""
    await page.goto(f"{server.url}{path}")
    await sign_in(page, "kim@example.org")
    await expect(page.get_by_role("button", name="Kim")).to_be_visible()


async def end_sign_ins(server: SignedInServer) -> None:
    """A new password ends them all."""
    await server.accounts.users.set_password(server.user.id, PASSWORD)


async def test_what_is_written_in_a_dialog_is_there_after_signing_in_again(signed: StartSignedIn, page: Page) -> None:
    server = await signed()
    project = await server.client.project("Shop")
    await server.client.ready(project, "Returns", TEXT)
    await visit_as_kim(server, page, f"/p/{project}/knowledge")
    await page.get_by_role("button", name="More options for Returns").click()
    await page.get_by_role("menuitem", name="Rename").click()
    title = page.get_by_role("dialog").get_by_role("textbox", name="Title")
    await title.fill("Returns and refunds")
    await end_sign_ins(server)  # the page follows how documents are read, and hears of it
    await expect(page.get_by_role("alert")).to_have_text(EXPIRED)
    await expect(title).to_be_hidden()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("dialog")).to_have_count(1)

    await expect(page.get_by_label("Email address")).to_have_value("kim@example.org")
    await expect(page.get_by_label("Password")).to_be_focused()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press("Enter")
    await expect(title).to_have_value("Returns and refunds")
    await expect(title).to_be_focused()
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()
    await expect(page.get_by_role("button", name="Returns and refunds", exact=True)).to_be_visible()


async def test_what_was_to_be_saved_is_saved_after_signing_in_again(signed: StartSignedIn, page: Page) -> None:
    server = await signed()
    project = await server.client.project("Shop")
    await visit_as_kim(server, page, f"/p/{project}/settings")
    await page.get_by_label("Description").fill("All about returns")
    await page.get_by_role("button", name="Project: Shop").click()
    await page.get_by_role("menuitem", name="New project").click()
    dialog = page.get_by_role("dialog", name="New project")
    await dialog.get_by_label("Name").fill("Garden")
    async with holding(page, "CreateProject") as held:
        await dialog.get_by_role("button", name="Create project").click()
        await held.wait_for(1)
        await end_sign_ins(server)
    await expect(page.get_by_role("alert")).to_have_text(EXPIRED)
    page.on("dialog", lambda asked: asked.dismiss())  # the description is still to be saved
    await sign_in(page, "kim@example.org")
    await expect(page.get_by_role("button", name="Project: Shop")).to_be_visible()
    await expect(dialog).to_be_hidden()
    await expect(page.get_by_label("Description")).to_have_value("All about returns")
    async with holding(page, "UpdateProject") as held:
        await page.get_by_role("main").get_by_role("button", name="Save").click()
        await held.wait_for(1)
        await end_sign_ins(server)
    await sign_in(page, "kim@example.org")
    await expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    found = await server.client.run("{ projects(first: 9) { nodes { name description } } }")
    described = {node["name"]: node["description"] for node in found["projects"]["nodes"]}
    assert described == {"Shop": "All about returns", "Garden": None}


async def test_an_answer_is_followed_again_after_signing_in_again(signed: StartSignedIn, page: Page) -> None:
    with running(Prompted(["Within 30 days", " of delivery."])) as model:
        server = await signed(**openai(model))
        session = await server.client.session(await server.client.project("Shop"), enableRag=False)
        await visit_as_kim(server, page, f"/c/{session}")
        await server.client.mutate(SEND, sessionId=session, content=QUESTION)
        answer = page.get_by_role("article", name="Answer")
        await page.reload()
        await expect(answer).to_contain_text("Within 30 days")
        field = page.get_by_role("textbox", name="Your question")
        await field.fill("And who pays?")
        await end_sign_ins(server)
        await expect(page.get_by_role("alert")).to_have_text(EXPIRED)
        await server.http.post(f"{model.root}/more")
        await sign_in(page, "kim@example.org")
        await expect(answer).to_contain_text("Within 30 days of delivery.")
        await expect(answer.get_by_role("button", name="Copy the text")).to_be_visible()
        await expect(field).to_have_value("And who pays?")


async def test_whoever_signs_out_leaves_nothing_in_other_tabs(signed: StartSignedIn, page: Page) -> None:
    server = await signed()
    project = await server.client.project("Shop")
    await visit_as_kim(server, page, f"/p/{project}/settings")
    await expect(page.get_by_label("Description")).to_be_visible()
    other = await page.context.new_page()
    await other.goto(server.url)
    await other.get_by_role("button", name="Kim").click()
    await other.get_by_role("menuitem", name="Sign out").click()
    await expect(page.get_by_role("heading", name="Sign in to Footnote")).to_be_visible()
    await expect(page.locator("main")).to_have_count(1)


async def test_a_question_that_waited_for_a_sign_in_can_be_sent_after_somebody_else_was_there(
    signed: StartSignedIn, page: Page
) -> None:
    server = await signed(members_by_address=True)
    project = await add_eve(server)
    await server.client.ready(project, "Returns", TEXT)
    await visit_as_kim(server, page, f"/p/{project}")
    field = page.get_by_role("textbox", name="Your question")
    await field.fill(QUESTION)
    async with holding(page, "SendMessage", QUESTION) as held:
        await field.press("Enter")
        await held.wait_for(1)
        await end_sign_ins(server)
    await expect(page.get_by_role("alert")).to_have_text(EXPIRED)
    await sign_in(page, "eve@example.org")
    await expect(page.get_by_role("button", name="Eve")).to_be_visible()
    await expect(field).to_have_value("")
    await page.evaluate(NOBODY_IS_SIGNED_IN)
    await sign_in(page, "kim@example.org")
    await expect(page.get_by_role("button", name="Kim")).to_be_visible()
    await expect(field).to_have_value(QUESTION)
    await field.press("Enter")
    await expect(page.get_by_role("article", name="Answer")).to_contain_text("30 days")


async def test_an_answer_is_followed_on_when_another_tab_signs_in_again(signed: StartSignedIn, page: Page) -> None:
    with running(Prompted(["Within 30 days", " of delivery."])) as model:
        server = await signed(**openai(model))
        session = await server.client.session(await server.client.project("Shop"), enableRag=False)
        await visit_as_kim(server, page, f"/c/{session}")
        await server.client.mutate(SEND, sessionId=session, content=QUESTION)
        await page.reload()
        answer = page.get_by_role("article", name="Answer")
        await expect(answer).to_contain_text("Within 30 days")
        other = await page.context.new_page()
        await other.goto(f"{server.url}/#token={server.token}")
        async with page.expect_websocket():
            await other.get_by_role("button", name="Use the link").click()
        await server.http.post(f"{model.root}/more")
        await expect(answer).to_contain_text("Within 30 days of delivery.")
        await expect(answer.get_by_role("button", name="Copy the text")).to_be_visible()


async def test_whoever_signs_out_is_asked_about_what_is_not_saved(signed: StartSignedIn, page: Page) -> None:
    server = await signed()
    project = await server.client.project("Shop")
    await visit_as_kim(server, page, f"/p/{project}/settings")
    description = page.get_by_label("Description")
    await description.fill("All about returns")
    asked: list[str] = []

    async def decide(dialog: Dialog) -> None:
        asked.append(dialog.message)
        await (dialog.dismiss() if len(asked) == 1 else dialog.accept())

    page.on("dialog", decide)
    await page.get_by_role("button", name="Kim").click()
    await page.get_by_role("menuitem", name="Sign out").click()
    await expect(description).to_have_value("All about returns")
    await page.get_by_role("button", name="Kim").click()
    await page.get_by_role("menuitem", name="Sign out").click()
    await expect(page.get_by_role("heading", name="Sign in to Footnote")).to_be_visible()
    assert asked == ["What you have written is not saved. Discard it?"] * 2
