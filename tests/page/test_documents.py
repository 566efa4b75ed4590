"""A project's documents on the page: how the first ones are added, how many there are, and what each is called."""

from pathlib import Path

from playwright.async_api import Page, expect

from tests.answers import Start
from tests.graphql.client import Client

ADD = """mutation($input: AddTextDocumentsInput!) { addTextDocuments(input: $input) {
  ... on AddTextDocumentsPayload { results { __typename } } ... on Error { message } } }"""

WAITING = """query($id: ID!) { project(id: $id) {
  documents(first: 0, filter: { status: [QUEUED, PROCESSING] }) { totalCount } } }"""


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
    await expect(empty.get_by_role("alert")).to_contain_text("empty")
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
