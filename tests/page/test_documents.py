"""A project's documents on the page: how the first ones are added, how many there are, and what each is called."""

from pathlib import Path

from playwright.async_api import Browser, Page, expect

from tests.answers import Start
from tests.browser import visiting
from tests.graphql.client import Client
from tests.page.chatting import ask

ADD = """mutation($input: AddTextDocumentsInput!) { addTextDocuments(input: $input) {
  ... on AddTextDocumentsPayload { results { __typename } } ... on Error { message } } }"""

WAITING = """query($id: ID!) { project(id: $id) {
  documents(first: 0, filter: { status: [QUEUED, PROCESSING] }) { totalCount } } }"""

CALM = "The sea was calm and the wind was mild that day. " * 25


def address(client: Client, project: str, view: str = "") -> str:
    """Where a project is on the page."""
    return f"{client.url.removesuffix('/graphql')}/p/{project}{view}"


async def add(client: Client, project: str, count: int) -> None:
    """Add many texts at once, each of which takes a moment to read."""
    texts = [{"title": f"Text {number}", "text": f"This is sentence {number}. " * 400} for number in range(count)]
    await client.mutate(ADD, projectId=project, documents=texts)


async def test_an_empty_project_leads_to_where_documents_are_added(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(address(client, project))
    await expect(page.get_by_text("There are no documents to ask about yet.")).to_be_visible()
    await page.get_by_role("link", name="Add documents").click()
    await expect(page.get_by_role("group", name="Add documents")).to_be_visible()
    await expect(page).to_have_title("Knowledge · Shop · Footnote")
    await client.ready(project, "Returns", "Goods may be returned.")
    await page.get_by_role("link", name="New chat").click()
    await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
    await expect(page).to_have_title("Shop · Footnote")
    await expect(page.get_by_role("link", name="Add documents")).to_have_count(0)


async def test_documents_that_are_added_while_the_list_opens_are_counted_once(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(address(client, project))
    await expect(page.get_by_role("heading", name="Shop")).to_be_visible()
    await add(client, project, 180)  # the list is read while most of them wait
    await page.get_by_role("link", name="Knowledge").click()
    count = page.get_by_role("search").get_by_role("status")
    await expect(page.get_by_text("180 documents ·")).to_be_visible()
    await expect(page.get_by_role("list", name="Documents").get_by_text("Ready")).to_have_count(50)
    while (await client.run(WAITING, id=project))["project"]["documents"]["totalCount"]:
        await page.wait_for_timeout(100)
    await expect(count).to_have_text("180 documents")


async def test_a_file_is_named_beside_its_title_and_what_cannot_be_read_is_not_tried_again(
    start: Start, page: Page, tmp_path: Path
) -> None:
    client = start()
    project = await client.project("Shop")
    files = {"r-2024.md": b"# Returns\n\nGoods.", "empty.txt": b"", "broken.pdf": b"%PDF-1.7\nno more"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    await page.goto(address(client, project, "/knowledge"))
    await page.locator("input[type=file]").first.set_input_files([tmp_path / name for name in files])
    row = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Returns", exact=True))
    await expect(row).to_contain_text("r-2024.md")
    empty, broken = (page.get_by_role("listitem").filter(has_text=name) for name in ("empty.txt", "broken.pdf"))
    await expect(empty).to_contain_text("is empty")
    await expect(empty.get_by_role("button", name="Remove empty.txt")).to_be_visible()
    await expect(broken.get_by_text("Failed")).to_be_visible()
    await expect(page.get_by_role("button", name="Try again")).to_have_count(0)


async def test_the_focus_goes_to_the_next_document_when_one_is_deleted(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    for title in ("First", "Second"):
        await client.ready(project, title, f"The {title} one.")
    await page.goto(address(client, project, "/knowledge"))
    first = page.get_by_role("button", name="First", exact=True)
    for deleted, focused in (("Second", first), ("First", page.get_by_role("main"))):
        await page.get_by_role("button", name=f"More for {deleted}").click()
        await page.get_by_role("menuitem", name="Delete").click()
        await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        await expect(focused).to_be_focused()


async def test_a_passage_late_in_a_long_document_is_shown_with_what_is_around_it(
    start: Start, chromium: Browser
) -> None:
    client = start()
    project = await client.project("Islands")
    keeper = "The lighthouse keeper is called Zebulon Brown."
    chapters = [f"## Chapter {number}\n\n{keeper if number == 55 else ''} {CALM}" for number in range(60)]
    await client.ready(project, "Novel", "\n\n".join(chapters), mediaType="text/markdown")
    async with visiting(chromium, forced_colors="active") as page:
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
        answer = await ask(page, "What is the lighthouse keeper called?")
        await answer.get_by_role("link", name="Source 1").click()
        await page.get_by_role("button", name="Read in the document").click()
        dialog = page.get_by_role("dialog", name="Novel")
        await expect(dialog.locator("mark")).to_have_text(keeper)
        await expect(dialog.locator("mark")).to_be_in_viewport()
        await expect(dialog.get_by_role("heading", name="Chapter 5", exact=True)).to_have_count(0)
        before = dialog.get_by_role("button", name="Read what comes before")
        while await before.count():
            await before.click()
        await expect(dialog.get_by_role("heading", name="Chapter 5", exact=True)).to_have_count(1)
        await page.keyboard.press("Escape")
        # Forced colours have no backgrounds that could say which chat it is.
        current = page.get_by_role("navigation").get_by_role("link", name="What is the lighthouse keeper called?")
        await expect(current).to_have_css("outline-style", "solid")
