"""What changes elsewhere, such as in another tab, while a page is open: it is shown."""

from playwright.async_api import Locator, Page, expect

from tests.answers import Start
from tests.graphql.client import Client
from tests.page.people.test_other_people import LOOKED_AT
from tests.page.wire import wire_to

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery."
RENAME_PROJECT = "mutation($input: UpdateProjectInput!) { updateProject(input: $input) { __typename } }"
UPDATE_CHAT = "mutation($input: UpdateChatSessionInput!) { updateChatSession(input: $input) { __typename } }"


def side(page: Page) -> Locator:
    """The side bar."""
    return page.get_by_role("navigation", name="Projects and chats")


async def rename(client: Client, project: str, session: str) -> None:
    """Call the project "Store" and its chat "Refunds"."""
    await client.mutate(UPDATE_CHAT, id=session, title="Refunds")
    await client.mutate(RENAME_PROJECT, id=project, name="Store")


async def check_renamed(page: Page) -> None:
    """The side bar calls them so."""
    await expect(side(page).get_by_role("link", name="Refunds")).to_be_visible()
    await expect(side(page).get_by_role("button", name="Project: Store")).to_be_visible()


async def test_a_new_chat_counts_documents_that_come_from_elsewhere(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    await expect(page.get_by_text("There are no documents to ask about yet.")).to_be_visible()
    await client.ready(project, "Returns", TEXT)
    await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
    await client.ready(project, "Repairs", TEXT)
    await expect(page.get_by_text("Ask about 2 documents")).to_be_visible()


async def test_the_side_bar_has_new_names_when_somebody_looks(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    session = await client.session(project, title="Returns")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    await expect(side(page).get_by_role("link", name="Returns")).to_be_visible()
    await rename(client, project, session)
    await page.evaluate(LOOKED_AT)
    await check_renamed(page)
    await client.mutate(UPDATE_CHAT, id=session, archived=True)
    await page.evaluate(LOOKED_AT)
    await expect(side(page).get_by_text("Chats you start appear here.")).to_be_visible()
    await side(page).get_by_role("button", name="Archived chats").click()
    await expect(side(page).get_by_role("link", name="Refunds")).to_be_visible()


async def test_a_page_whose_connection_was_lost_shows_what_has_changed_meanwhile(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    session = await client.session(project, title="Returns")
    with wire_to(client.url) as wire:
        await page.goto(f"{wire.url}/p/{project}/knowledge")
        await expect(side(page).get_by_role("link", name="Returns")).to_be_visible()
        await expect(page.get_by_text("No documents yet")).to_be_visible()
        await client.ready(project, "Repairs", TEXT)
        await expect(page.get_by_role("list", name="Documents").get_by_text("Repairs")).to_be_visible()
        wire.cut()
        await rename(client, project, session)
        wire.mend()
        await check_renamed(page)


async def test_chats_that_were_listed_stay_listed_when_somebody_looks(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    sessions = [await client.session(project, title=f"Chat {number}") for number in range(60)]
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    chats = side(page).get_by_role("link", name="Chat ").filter(has_not_text="New chat")
    await expect(chats).to_have_count(50)
    await side(page).get_by_role("button", name="Show older chats").click()
    await expect(chats).to_have_count(60)
    await client.mutate(UPDATE_CHAT, id=sessions[0], archived=True)
    await page.evaluate(LOOKED_AT)
    await expect(chats).to_have_count(59)
