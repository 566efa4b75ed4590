"""The page in a browser: what people do in its views, and what that sends."""

import asyncio
import re
from pathlib import Path

import httpx
from playwright.async_api import Page, expect

from tests.answers import Start, openai
from tests.clients.conftest import Operator
from tests.conftest import StartSignedIn
from tests.files.pdf import turned
from tests.graphql.client import Client
from tests.graphql.documents.test_rectangles import RETURNS, add_pdf
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

QUESTION = "When may goods be returned?"
TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery. Opened software cannot be returned."
DOCUMENTS = "query($id: ID!) { project(id: $id) { documents { nodes { id } } } }"
DELETE_DOCUMENT = """mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) {
  ... on DeleteDocumentPayload { deletedDocumentId } ... on Error { message } } }"""
SHARED = """([one, other]) => { // their common area's share of the smaller one
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return (Math.max(0, width) * Math.max(0, height)) / Math.min(a.width * a.height, b.width * b.height); }"""
PASSWORD = "correct horse battery"


def root(client: Client) -> str:
    """Where the page is."""
    return client.url.removesuffix("/graphql")


async def ask(page: Page, question: str) -> None:
    """Type a question and send it by keyboard."""
    field = page.get_by_role("textbox", name="Your question")
    await field.fill(question)
    await field.press("Enter")


async def test_a_first_question_is_answered_with_a_footnote(start: Start, page: Page) -> None:
    client = start()
    await client.ready(await client.project("Shop"), "Returns", TEXT)
    await page.goto(root(client))
    await ask(page, QUESTION)
    await expect(page.get_by_role("main")).to_contain_text("Goods may be returned within 30 days of delivery")
    await page.get_by_role("link", name="Source 1").first.click()
    await expect(page.locator("mark").first).to_contain_text("30 days")


async def test_a_file_is_uploaded_searched_and_deleted(start: Start, page: Page, tmp_path: Path) -> None:
    client = start()
    await client.project("Shop")
    good, broken = tmp_path / "returns.md", tmp_path / "broken.pdf"
    good.write_text(f"{TEXT}\n\n```python\nkind = 'software'  # `opened`\n```\n")
    broken.write_bytes(b"%PDF-1.7\nnothing more")
    await page.goto(root(client))
    await page.get_by_role("link", name="Knowledge").click()
    await expect(page.get_by_text("No documents yet")).to_be_visible()
    await page.locator("input[type=file]").first.set_input_files([good, broken])
    row = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Returns", exact=True))
    await expect(row.get_by_text("Ready")).to_be_visible()
    failed = page.get_by_role("listitem").filter(has_text="broken.pdf")
    await expect(failed.get_by_text("Failed")).to_be_visible()
    await expect(failed).to_contain_text("PDF")

    await page.get_by_role("tab", name="Search").click()
    await page.get_by_role("searchbox", name="Words or a question").fill("software")
    await page.get_by_role("button", name="Search", exact=True).last.click()
    await expect(page.locator("mark")).to_have_text(["software", "software"])
    await expect(page.locator("pre mark")).to_have_text("software")

    await page.get_by_role("tab", name="Documents").click()
    await page.get_by_role("button", name="More options for Returns").click()
    await page.get_by_role("menuitem", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(row).to_have_count(0)
    assert (await client.run("{ projects(first: 1) { nodes { documents { nodes { title } } } } }"))["projects"][
        "nodes"
    ] == [{"documents": {"nodes": [{"title": "broken.pdf"}]}}]


async def test_the_cited_words_are_marked_on_the_page_of_a_pdf_until_it_changes(start: Start, page: Page) -> None:
    await page.clock.install()
    client = start()
    project = await client.project("Shop")
    await add_pdf(client, project, turned(RETURNS, 90, (40, 300, 500, 800)))
    await client.answered(
        await client.session(project, ragThreshold=0.01), "Within how many days may goods be returned?"
    )
    await page.goto(root(client))
    await page.get_by_role("link", name="Within how many days").click()
    await page.get_by_role("link", name="Source 1").first.click()
    await page.get_by_role("button", name="Read in the document").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("spinbutton", name="Page")).to_have_value("2")
    words, mark = dialog.get_by_text("Goods may be returned"), dialog.locator(".mark")
    for _ in range(2):
        await expect(mark).to_be_in_viewport()
        await expect(words).to_be_visible()
        assert await page.evaluate(SHARED, [await words.element_handle(), await mark.element_handle()]) > 0.7
        await dialog.get_by_role("button", name="Zoom in").click()
    async with page.expect_download() as saved:
        await dialog.get_by_role("link", name="Download the original").click()
    assert (await saved.value).suggested_filename == "returns.pdf"
    # The link needs no credential, and is another before it expires.
    link = dialog.get_by_role("link", name="Open the original")
    async with httpx.AsyncClient(base_url=root(client)) as stranger:
        shown = await stranger.get(str(await link.get_attribute("href")))
    assert (shown.status_code, shown.headers["content-type"]) == (200, "application/pdf")
    async with page.expect_request(lambda request: "signedUrl" in (request.post_data or "")):
        await page.clock.run_for("10:00")
    await page.clock.resume()
    # On a phone, everything below the page is within reach.
    await page.set_viewport_size({"width": 390, "height": 844})
    for action in (link, dialog.get_by_role("link", name="Download the original")):
        await expect(action).to_be_in_viewport(ratio=1)
    await expect(dialog.get_by_role("button", name="Close").last).to_be_in_viewport(ratio=1)
    await page.set_viewport_size({"width": 1440, "height": 900})
    await page.keyboard.press("Escape")

    # Whoever stays on the footnote sees the place on the page.
    await page.get_by_role("link", name="Source 1").first.hover()
    card = page.get_by_role("tooltip").filter(has_text="Goods may be returned")
    picture = card.get_by_role("img", name="Page 2")
    await expect(picture).to_be_visible()
    assert await picture.evaluate("(picture) => picture.decode().then(() => picture.naturalWidth)") == 800
    await expect(card.locator(".mark")).to_be_in_viewport()

    # Of a document that has changed, only the quote is shown; so also of one that is gone.
    await add_pdf(client, project, RETURNS.replace(b"Goods may", b"Goods must"))
    await page.reload()
    await page.get_by_role("link", name="Source 1").first.click()
    panel = page.get_by_role("complementary", name="Where this answer comes from")
    await expect(panel.get_by_text("Changed", exact=True)).to_be_visible()
    [document] = (await client.run(DOCUMENTS, id=project))["project"]["documents"]["nodes"]
    await client.mutate(DELETE_DOCUMENT, id=document["id"])
    await page.reload()
    await page.get_by_role("link", name="Source 1").first.click()
    await expect(panel.get_by_text("Deleted", exact=True)).to_be_visible()
    await expect(panel.get_by_text("within 30 days of delivery")).to_be_visible()


async def test_settings_of_a_chat_change_what_is_sent(start: Start, page: Page) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        client = start(**openai(model))
        await client.ready(await client.project("Shop"), "Returns", TEXT)
        await page.goto(root(client))
        await ask(page, QUESTION)
        await expect(page.get_by_role("main")).to_contain_text("Within 30 days")
        before = model.chats[-1]
        assert any("30 days of delivery" in message["content"] for message in before["messages"])

        await page.get_by_role("main").get_by_role("button", name=re.compile("chat", re.IGNORECASE)).first.click()
        await page.get_by_role("menuitem", name="Settings of this chat").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("slider", name="Temperature").fill("1.3")
        await dialog.get_by_role("textbox", name="Instructions for the model").fill("Answer like a pirate.")
        await dialog.get_by_role("switch", name="Answer from the documents").uncheck()
        await dialog.get_by_role("button", name="Save").click()
        await expect(dialog).to_have_count(0)
        await ask(page, "And software?")
        await expect(page.get_by_role("main").get_by_text("Within 30 days")).to_have_count(2)
        after = model.chats[-1]
        assert after["temperature"] == 1.3
        assert any("Answer like a pirate." in message["content"] for message in after["messages"])
        assert not any("Opened software cannot" in message["content"] for message in after["messages"])


async def test_defaults_of_a_project_are_kept(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(root(client))
    await page.get_by_role("link", name="Settings").click()
    await page.get_by_role("textbox", name="Description").fill("What we sell")
    await page.get_by_role("slider", name="Passages", exact=True).fill("3")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved")).to_be_visible()
    shown = "query($id: ID!) { project(id: $id) { description answerDefaults { ragTopK temperature } } }"
    found = (await client.run(shown, id=project))["project"]
    assert (found["description"], found["answerDefaults"]["ragTopK"]) == ("What we sell", 3)


async def test_a_stranger_signs_in_and_sees_nothing_of_others(
    signed: StartSignedIn, page: Page, operator: Operator
) -> None:
    server = await signed()
    project = await server.client.project("Secret roses")
    async with httpx.AsyncClient():
        await server.accounts.users.create("eve@example.org", "Eve", PASSWORD)
    await page.goto(f"{server.url}/p/{project}")
    await page.get_by_label("Email address").fill("eve@example.org")
    await page.get_by_label("Password").fill("wrong")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_contain_text("wrong", ignore_case=True)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_text("There is nothing here")).to_be_visible()
    assert "Secret roses" not in await page.content()


async def test_a_link_lets_somebody_in_once_who_then_sets_a_password(
    signed: StartSignedIn, page: Page, operator: Operator, tmp_path: Path
) -> None:
    database_url = f"sqlite:///{tmp_path / 'footnote.db'}"
    server = await signed(database_url=database_url)

    async def link_of(command: str, email: str) -> str:
        shown = await asyncio.to_thread(operator, database_url, "user", command, email, "--url", server.url)
        return next(word for word in shown.split() if word.startswith(server.url))

    link = await link_of("add", "sam@example.org")
    await page.goto(link)
    await expect(page.get_by_role("heading", name="Welcome to Footnote")).to_be_visible()
    assert page.url == f"{server.url}/"
    await page.get_by_label("New password").fill(PASSWORD)
    await page.get_by_role("button", name="Set the password").click()
    await expect(page.get_by_role("button", name="sam@example.org")).to_be_visible()

    # Whoever is signed in is asked before a link makes them somebody else.
    other = await link_of("link", "kim@example.org")
    await page.goto(other)
    dialog = page.get_by_role("dialog", name="Sign in with this link?")
    await expect(dialog).to_contain_text("You are signed in as sam@example.org")
    await dialog.get_by_role("button", name="Stay signed in").click()
    await expect(page.get_by_role("button", name="sam@example.org")).to_be_visible()
    await page.goto(other)
    await dialog.get_by_role("button", name="Use the link").click()
    await page.get_by_role("button", name="Not now").click()
    # One that leads nowhere takes nobody's sign-in away.
    for broken in (link, f"{server.url}/#token=none", f"{server.url}/#token=%E2%80%A6", f"{server.url}/#token="):
        await page.goto("about:blank")
        await page.goto(broken)
        await dialog.get_by_role("button", name="Use the link").click()
        await expect(dialog.get_by_role("alert")).to_be_visible()
        await dialog.get_by_role("button", name="Stay signed in").click()
        await page.reload()
        await expect(page.get_by_role("button", name="Kim")).to_be_visible()
    await page.get_by_role("button", name="Kim").click()
    await page.get_by_role("menuitem", name="Sign out").click()

    await page.get_by_label("Email address").wait_for()
    await page.get_by_role("button", name="Use an access token").click()
    await page.get_by_label("Access token").fill("none\u2026")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_contain_text("not a token")
    await page.route("**/graphql", lambda route: route.abort("connectionreset"))
    await page.goto(link)
    await expect(page.get_by_role("heading", name="The server cannot be reached")).to_be_visible()
    await page.unroute("**/graphql")
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("alert")).to_contain_text("expired")
    await page.get_by_label("Email address").fill("sam@example.org")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("button", name="sam@example.org")).to_be_visible()


async def test_the_status_page_names_what_is_down(start: Start, page: Page) -> None:
    client = start(chat_model="openai/chat", openai_base_url="http://127.0.0.1:9/v1")
    await page.goto(f"{root(client)}/status")
    await expect(page.get_by_role("listitem").filter(has_text="openai")).to_contain_text("openai cannot be reached")
