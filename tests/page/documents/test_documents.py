"""A project's documents on the page: how the first ones are added, how many there are, and what each is called."""

import asyncio
from pathlib import Path

from playwright.async_api import Browser, Page, Request, Route, expect

from tests.answers import Start
from tests.browser import visiting
from tests.graphql.client import Client
from tests.looking import pause
from tests.page.chatting import ask, wait_for_layout
from tests.page.holding import ENDPOINT, holding
from tests.page.people.test_other_people import LOOKED_AT

ADD = """mutation($input: AddTextDocumentsInput!) { addTextDocuments(input: $input) {
  ... on AddTextDocumentsPayload { results { __typename } } ... on Error { message } } }"""
READ = "query($id: ID!) { project(id: $id) { documents(filter: { status: [READY] }) { totalCount } } }"

CALM = "The sea was calm and the wind was mild that day. " * 25


def address(client: Client, project: str, view: str = "") -> str:
    """Where a project is on the page."""
    return f"{client.url.removesuffix('/graphql')}/p/{project}{view}"


async def add(client: Client, project: str, count: int, sentences: int = 1) -> None:
    """Add many texts at once, which wait to be read."""
    texts = [{"title": f"Text {number}", "text": f"This is sentence {number}. " * sentences} for number in range(count)]
    await client.mutate(ADD, projectId=project, documents=texts)


async def wait_until_read(client: Client, project: str, count: int) -> None:
    """Until so many documents have been read, however busy the machine is."""
    while (await client.run(READ, id=project))["project"]["documents"]["totalCount"] < count:
        await pause()


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
    await add(client, project, 180, sentences=400)  # the list is read while most of them wait
    await page.get_by_role("link", name="Knowledge").click()
    count = page.get_by_role("search").get_by_role("status")
    await expect(page.get_by_text("180 documents ·")).to_be_visible()
    await wait_until_read(client, project, 180)
    await expect(page.get_by_role("list", name="Documents").get_by_text("Ready")).to_have_count(50)
    other = await page.context.new_page()
    await other.goto(address(client, project))
    await expect(other.get_by_text("Ask about 180 documents")).to_be_visible()
    await expect(count).to_have_text("180 documents")


async def test_a_long_list_is_read_again_from_its_beginning_only_when_the_reading_before_has_ended(
    start: Start, page: Page
) -> None:
    client = start()
    project = await client.project("Shop")
    await add(client, project, 60)
    await wait_until_read(client, project, 60)
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    begun: list[Request] = []
    page.on("request", lambda request: begun.extend([request] if asks_from_beginning(request) else []))
    await page.clock.install()
    await page.goto(address(client, project))
    await expect(page.get_by_text("Ask about 60 documents")).to_be_visible()
    await page.get_by_role("link", name="Knowledge").click()
    documents = page.get_by_role("list", name="Documents")
    await page.get_by_role("button", name="Show more").click()
    await expect(documents.get_by_text("Ready")).to_have_count(60)
    await page.get_by_label("Filter by title").fill("Text")
    await page.get_by_role("button", name="Show more").click()
    await expect(documents.get_by_text("Ready")).to_have_count(60)
    begun.clear()
    async with holding(page, "query ProjectDocuments(", '"after":"') as held:
        # More happens while the second part of the first reading is on its way.
        for title in ("Text A", "Text B"):
            await wait_until_heard(page, heard, await client.ready(project, title, "Goods may be returned."))
            await page.clock.run_for(5_000)
            await held.wait_for(1)
            await wait_for_layout(page)
        assert len(begun) == 1
    for title in ("Text A", "Text B"):
        await expect(documents.get_by_role("button", name=title, exact=True)).to_be_visible()


async def test_a_document_that_is_added_while_the_list_is_read_again_is_neither_lost_nor_counted_twice(
    start: Start, page: Page
) -> None:
    client = start()
    project = await client.project("Shop")
    await add(client, project, 60)
    await wait_until_read(client, project, 60)
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    await page.goto(address(client, project))
    await expect(page.get_by_text("Ask about 60 documents")).to_be_visible()
    await page.get_by_role("link", name="Knowledge").click()
    documents = page.get_by_role("list", name="Documents")
    await page.get_by_role("button", name="Show more").click()
    await expect(documents.get_by_role("listitem")).to_have_count(60)
    async with holding(page, "query ProjectDocuments(", '"after":"') as held:
        await page.evaluate(LOOKED_AT)
        await held.wait_for(1)
        await wait_until_heard(page, heard, await client.ready(project, "Text A", "Goods may be returned."))
        await wait_for_layout(page)
    await expect(documents.get_by_role("button", name="Text A", exact=True)).to_be_visible()
    await wait_until_heard(page, heard, await client.ready(project, "Text B", "Goods may be returned."))
    await expect(documents.get_by_role("listitem")).to_have_count(62)
    await expect(page.get_by_role("search").get_by_role("status")).to_have_text("62 documents")


async def test_the_numbers_of_a_project_follow_documents_that_are_not_shown(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await add(client, project, 60)
    await wait_until_read(client, project, 60)
    await page.goto(address(client, project))
    await expect(page.get_by_text("Ask about 60 documents")).to_be_visible()
    await page.get_by_role("link", name="Knowledge").click()
    await expect(page.get_by_role("list", name="Documents").get_by_text("Ready")).to_have_count(50)
    await expect(page.get_by_text("60 documents ·")).to_be_visible()
    await client.ready(project, "Text A", "Goods may be returned.")
    await expect(page.get_by_text("61 documents ·")).to_be_visible()


def asks_from_beginning(request: Request) -> bool:
    """Whether it asks for the first documents of the list."""
    body = request.post_data or ""
    return "query ProjectDocuments(" in body and '"after":null' in body


async def wait_until_heard(page: Page, heard: list[str], document: str) -> None:
    """Until the page has received that a document is ready."""
    async with asyncio.timeout(30):
        while not any("IngestionCompleted" in frame and document in frame for frame in heard):
            await wait_for_layout(page)


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


async def test_a_document_whose_reading_is_interrupted_is_read_on_with_all_that_came_before(
    start: Start, page: Page
) -> None:
    client = start()
    project = await client.project("Islands")
    keeper = "The lighthouse keeper is called Zebulon Brown."
    chapters = [f"## Chapter {number}\n\n{keeper if number == 255 else ''} {CALM}" for number in range(260)]
    await client.ready(project, "Novel", "\n\n".join(chapters), mediaType="text/markdown")
    await page.goto(address(client, project))
    answer = await ask(page, "What is the lighthouse keeper called?")
    await answer.get_by_role("link", name="Source 1").click()
    asked: list[Route] = []

    async def lose(route: Route) -> None:
        if "query DocumentText(" not in (route.request.post_data or ""):
            return await route.fallback()
        asked.append(route)
        return await (route.abort("connectionreset") if len(asked) in (1, 3) else route.fallback())

    await page.route(ENDPOINT, lose)
    await page.get_by_role("button", name="Read in the document").click()
    dialog = page.get_by_role("dialog", name="Novel")
    for part in ("the first", "the third"):
        await expect(dialog.get_by_role("alert"), part).to_contain_text("The server cannot be reached")
        await dialog.get_by_role("button", name="Try again").click()
    await expect(dialog.locator("mark")).to_have_text(keeper)
    await expect(dialog.get_by_role("alert")).to_have_count(0)
    before = dialog.get_by_role("button", name="Read what comes before")
    while await before.count():
        await before.click()
    await expect(dialog.get_by_role("heading", name="Chapter")).to_have_count(len(chapters))


async def test_the_focus_goes_to_the_next_document_when_one_is_deleted(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    for title in ("First", "Second"):
        await client.ready(project, title, f"The {title} one.")
    await page.goto(address(client, project, "/knowledge"))
    first = page.get_by_role("button", name="First", exact=True)
    for deleted, focused in (("Second", first), ("First", page.get_by_role("main"))):
        await page.get_by_role("button", name=f"More options for {deleted}").click()
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
