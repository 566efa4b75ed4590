"""What is beside every view: all projects, the chats, archived ones, and where the focus goes when one is deleted."""

from playwright.async_api import Page, expect

from tests.answers import Start
from tests.graphql.client import Client

RENAME = """mutation($input: UpdateChatSessionInput!) { updateChatSession(input: $input) {
  ... on UpdateChatSessionPayload { chatSession { id } } ... on Error { message } } }"""


async def add_chats(client: Client, *titles: str) -> str:
    """The id of a new project with chats of these titles; the last is the newest."""
    project = await client.project("Shop")
    for title in titles:
        await client.mutate(RENAME, id=await client.session(project), title=title)
    return project


async def choose(page: Page, title: str, item: str) -> None:
    """Choose an item of a chat's menu."""
    sidebar = page.get_by_role("navigation", name="Projects and chats")
    await sidebar.get_by_role("button", name=f"More about {title}").click()
    await page.get_by_role("menuitem", name=item, exact=True).click()


async def test_archived_chats_are_listed_and_can_be_brought_back(start: Start, page: Page) -> None:
    client = start()
    project = await add_chats(client, "Old", "New")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    await choose(page, "Old", "Archive")
    old, new = page.get_by_role("link", name="Old"), page.get_by_role("link", name="New", exact=True)
    await expect(old).to_have_count(0)
    await page.get_by_role("button", name="Archived chats").click()
    await expect(old).to_be_visible()
    await expect(new).to_have_count(0)
    await page.wait_for_load_state("networkidle")
    await expect(old).to_be_visible()
    await choose(page, "Old", "Bring back")
    await page.get_by_role("button", name="Back to all chats").click()
    await expect(old).to_be_visible()
    await expect(new).to_be_visible()


async def test_the_focus_goes_to_the_next_chat_when_one_is_deleted(start: Start, page: Page) -> None:
    client = start()
    project = await add_chats(client, "First", "Second", "Third")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    for deleted, focused in (("Second", "First"), ("First", "Third")):
        await choose(page, deleted, "Delete")
        await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        await expect(page.get_by_role("link", name=deleted)).to_have_count(0)
        await expect(page.get_by_role("link", name=focused)).to_be_focused()
    await page.get_by_role("link", name="Third").click()
    await expect(page.get_by_role("heading", name="Third")).to_be_visible()
    await choose(page, "Third", "Delete")
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("textbox", name="Your question")).to_be_focused()


async def test_every_project_of_many_is_listed_and_found_by_its_first_letters(start: Start, page: Page) -> None:
    client = start()
    projects = [await client.project(name) for name in (*(f"Shop {number}" for number in range(100)), "Zoo", "Archive")]
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{projects[-1]}")
    chosen = page.get_by_role("button", name="Project: Archive")
    await chosen.click()
    await expect(page.get_by_role("menuitemradio", name="Archive")).to_be_focused()
    await expect(page.get_by_role("menuitemradio")).to_have_count(102)
    await page.keyboard.type("Shop 9")
    await expect(page.get_by_role("menuitemradio", name="Shop 9", exact=True)).to_be_focused()
    await page.keyboard.press("Escape")
    await chosen.click()
    await expect(page.get_by_role("menuitemradio", name="Archive")).to_be_focused()
    await page.keyboard.type("z")
    await expect(page.get_by_role("menuitemradio", name="Zoo")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Zoo")
    await page.goto(client.url.removesuffix("/graphql"))
    await expect(page.get_by_role("heading", level=1)).to_have_text("Zoo")
