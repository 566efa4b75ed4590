"""More than one person, machine or tab: plain HTTP from another machine, shared chats, and sign-ins that end."""

from playwright.async_api import Dialog, Page, expect

from tests.answers import Start, openai
from tests.browser import ANOTHER_NAME
from tests.clients.conftest import Prompted
from tests.conftest import StartSignedIn
from tests.graphql.client import SEND
from tests.page.chatting import ask
from tests.servers.running import running
from tests.signed_in_server import SignedInServer

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery."
QUESTION = "When may goods be returned?"
PASSWORD = "correct horse battery"
SET_MEMBER = """mutation($input: SetProjectMemberInput!) { setProjectMember(input: $input) { __typename } }"""
SHARE = """mutation($input: UpdateChatSessionInput!) { updateChatSession(input: $input) { __typename } }"""
# As drafts were called when they were kept for whoever uses the browser.
FORMER_DRAFTS = """() => { for (const place of ["chat:1", "project:2"])
  localStorage.setItem(`footnote:draft:${place}`, "Half a secret"); }"""
LOOKED_AT = "() => document.dispatchEvent(new Event('visibilitychange'))"


async def sign_in(page: Page, email: str) -> None:
    """Sign in with the password that everybody has here."""
    await page.get_by_label("Email address").fill(email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()


async def add_eve(server: SignedInServer) -> str:
    """The id of a new project of Kim's in which Eve may read."""
    project = await server.client.project("Shop")
    await server.accounts.users.create("eve@example.org", "Eve", PASSWORD)
    await server.client.mutate(SET_MEMBER, projectId=project, email="eve@example.org", role="VIEWER")
    return project


async def test_the_page_works_over_plain_http_from_another_machine(signed: StartSignedIn, page: Page) -> None:
    server = await signed(allowed_hosts=ANOTHER_NAME)
    await server.client.ready(await server.client.project("Shop"), "Returns", TEXT)
    await page.goto(server.url.replace("127.0.0.1", ANOTHER_NAME))
    assert not await page.evaluate("isSecureContext")
    await sign_in(page, "kim@example.org")
    answer = await ask(page, QUESTION)
    await answer.get_by_role("button", name="Copy the text").click()
    await expect(answer.get_by_role("button", name="Copied")).to_be_visible()
    field = page.get_by_role("textbox", name="Your question")
    await field.press("Control+v")
    await expect(field).to_have_value("Goods may be returned within 30 days of delivery [1].")


async def test_a_shared_chat_can_be_read_and_offers_nothing_that_is_refused(signed: StartSignedIn, page: Page) -> None:
    server = await signed(members_by_address=True)
    project = await add_eve(server)
    await server.client.ready(project, "Returns", TEXT)
    session = await server.client.session(project)
    await server.client.answered(session, QUESTION)
    await server.client.mutate(SHARE, id=session, shared=True)
    await page.goto(f"{server.url}/c/{session}")
    await sign_in(page, "eve@example.org")
    await expect(page.get_by_role("article", name="Answer")).to_contain_text("30 days")
    await expect(page.get_by_text("Kim shares this chat")).to_be_visible()
    for name in ("Your question", "Helpful", "Not helpful", "Edit and ask again"):
        await expect(page.get_by_label(name, exact=True)).to_have_count(0)
    await page.get_by_role("main").get_by_role("button", name="More options for this chat").click()
    await expect(page.get_by_role("menuitem")).to_have_text(["Save as Markdown", "Save as JSON"])


async def test_a_sign_in_that_ends_while_an_answer_is_written_can_be_made_again_by_somebody_else(
    signed: StartSignedIn, page: Page
) -> None:
    with running(Prompted(["Within 30 days", " of delivery."])) as model:
        server = await signed(members_by_address=True, **openai(model))
        project = await add_eve(server)
        await page.goto(f"{server.url}/p/{project}")
        await sign_in(page, "kim@example.org")
        field = page.get_by_role("textbox", name="Your question")
        await field.fill("Half a secret")
        session = await server.client.session(project, enableRag=False)
        await server.client.mutate(SEND, sessionId=session, content=QUESTION)
        await page.goto(f"{server.url}/c/{session}")
        await expect(page.get_by_role("article", name="Answer")).to_contain_text("Within 30 days")
        await server.accounts.users.set_password(server.user.id, PASSWORD)
        await expect(page.get_by_role("alert")).to_have_text(
            "Your sign-in has ended. Sign in again to continue where you left off."
        )
        await sign_in(page, "eve@example.org")
        await expect(page.get_by_text("There is nothing here")).to_be_visible()
        await page.get_by_role("link", name="New chat").click()
        await expect(field).to_have_value("")
        await expect(page.get_by_text("Chats you start appear here.")).to_be_visible()


async def test_a_tab_that_is_looked_at_again_shows_what_was_asked_in_another(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    await ask(page, QUESTION)
    other = await page.context.new_page()
    await other.goto(page.url)
    await ask(other, "How long after delivery?")
    await expect(other.get_by_role("article", name="Answer")).to_have_count(2)
    questions = page.get_by_role("article", name="Your question")
    await expect(questions).to_have_count(1)
    await page.evaluate(LOOKED_AT)
    await expect(questions).to_have_text([QUESTION, "How long after delivery?"])

    # What is written in one tab is neither lost nor shown there because of what the other sends.
    field = page.get_by_role("textbox", name="Your question")
    await field.fill("And who pays")
    await other.get_by_role("textbox", name="Your question").fill("Half a question")
    await page.reload()
    await expect(field).to_have_value("And who pays")
    await ask(other, "May software be returned?")
    await page.reload()
    await expect(field).to_have_value("And who pays")


async def test_drafts_of_nobody_knows_whom_are_removed(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    await page.get_by_role("textbox", name="Your question").fill("My own")
    await page.evaluate(FORMER_DRAFTS)
    await page.reload()
    await expect(page.get_by_role("textbox", name="Your question")).to_have_value("My own")
    drafts = await page.evaluate("() => Object.entries(localStorage).filter(([key]) => key.includes('draft'))")
    assert [text for _, text in drafts] == ["My own"]


async def test_whoever_takes_rights_away_is_asked_first(signed: StartSignedIn, page: Page) -> None:
    server = await signed(members_by_address=True)
    project = await add_eve(server)
    await server.client.mutate(SET_MEMBER, projectId=project, email="eve@example.org", role="OWNER")
    asked: list[str] = []
    sure = False

    async def decide(dialog: Dialog) -> None:
        asked.append(dialog.message)
        await (dialog.accept() if sure else dialog.dismiss())

    page.on("dialog", decide)
    await page.goto(f"{server.url}/p/{project}/members")
    await sign_in(page, "kim@example.org")
    own, members = page.get_by_label("Role of kim@example.org"), page.get_by_role("main").get_by_role("listitem")
    await own.select_option("Viewer")
    await expect(own).to_have_value("OWNER")
    await page.get_by_role("button", name="Remove eve@example.org").click()
    await expect(members).to_have_count(2)
    assert len(asked) == 2
    assert "eve@example.org" in asked[1]
    sure = True
    await own.select_option("Viewer")
    await expect(own).to_have_count(0)
    await expect(members).to_have_count(2)
    assert len(asked) == 3
