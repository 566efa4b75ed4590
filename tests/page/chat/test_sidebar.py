"""What is beside every view: all projects, the chats, archived ones, and where the focus goes when one is deleted."""

from playwright.async_api import Page, expect

from tests.answers import Start
from tests.graphql.client import Client
from tests.page.chatting import wait_for_layout
from tests.page.holding import holding

RENAME = """mutation($input: UpdateChatSessionInput!) { updateChatSession(input: $input) {
  ... on UpdateChatSessionPayload { chatSession { id } } ... on Error { message } } }"""

# Another view without loading the page again.
GO = "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
# More than can be typed, such as a draft that was longer before the limit.
TOO_LONG = (
    "(field) => { field.value = 'x'.repeat(100_001); field.dispatchEvent(new Event('input', { bubbles: true })); }"
)
CHATS = "query($id: ID!) { project(id: $id) { chatSessions { nodes { id } } } }"
DELETE_PROJECT = """mutation($input: DeleteProjectInput!) { deleteProject(input: $input) { __typename } }"""


async def add_chats(client: Client, *titles: str, name: str = "Shop") -> str:
    """The id of a new project with chats of these titles; the last is the newest."""
    project = await client.project(name)
    for title in titles:
        await client.mutate(RENAME, id=await client.session(project), title=title)
    return project


async def choose(page: Page, title: str, item: str) -> None:
    """Choose an item of a chat's menu."""
    sidebar = page.get_by_role("navigation", name="Projects and chats")
    await sidebar.get_by_role("button", name=f"More options for {title}").click()
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
    await choose(page, "Old", "Unarchive")
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


async def test_an_open_menu_keeps_the_focus_when_the_view_behind_it_is_there(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    chosen = page.get_by_role("menuitemradio", name="Shop")
    async with holding(page, "query ProjectStart(") as held:
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
        await held.wait_for(1)
        await page.get_by_role("button", name="Project: Shop").click()
        await expect(chosen).to_be_focused()
    await expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
    await expect(chosen).to_be_focused()


async def test_that_the_chats_of_another_project_could_not_be_read_is_not_said_of_this_one(
    start: Start, page: Page
) -> None:
    client = start()
    first, second = [await add_chats(client, title, name=title) for title in ("One", "Two")]
    root = client.url.removesuffix("/graphql")
    async with page.expect_event("requestfailed"), holding(page, "query ProjectSessions(", first, lose=True) as held:
        await page.goto(f"{root}/p/{first}")
        await held.wait_for(1)
        await page.evaluate(GO, f"/p/{second}")
        await expect(page.get_by_role("link", name="Two")).to_be_visible()
    await wait_for_layout(page)
    assert await page.get_by_role("heading", name="The server cannot be reached").count() == 0


async def test_a_project_that_is_deleted_elsewhere_leaves_the_menu(start: Start, page: Page) -> None:
    client = start()
    kept, deleted = [await client.project(name) for name in ("Kept", "Gone")]
    root = client.url.removesuffix("/graphql")
    await page.goto(f"{root}/p/{kept}")
    menu = page.get_by_role("button", name="Project:")
    await menu.click()
    await expect(page.get_by_role("menuitemradio")).to_have_text(["Gone", "Kept"])
    await client.mutate(DELETE_PROJECT, id=deleted)
    await page.get_by_role("menuitemradio", name="Gone").click()
    await expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    await menu.click()
    await expect(page.get_by_role("menuitemradio")).to_have_text(["Kept"])


async def test_a_question_to_a_project_that_is_deleted_meanwhile_says_so(start: Start, page: Page) -> None:
    client = start()
    deleted = await client.project("Gone")
    await client.project("Kept")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{deleted}")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Gone")
    await page.get_by_role("textbox", name="Your question").fill("Is anybody there?")
    await client.mutate(DELETE_PROJECT, id=deleted)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    await page.get_by_role("button", name="Project:").click()
    await expect(page.get_by_role("menuitemradio")).to_have_text(["Kept"])


async def test_a_first_question_that_is_refused_leaves_no_empty_chat(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    field = page.get_by_role("textbox", name="Your question")
    await field.evaluate(TOO_LONG)
    await field.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("must have at most 100,000 characters")
    assert len(await field.input_value()) == 100_001
    assert (await client.run(CHATS, id=project))["project"]["chatSessions"]["nodes"] == []
    await field.fill("When may goods be returned?")
    await field.press("Enter")
    await expect(page.get_by_role("link", name="When may goods be returned?")).to_be_visible()
    assert len((await client.run(CHATS, id=project))["project"]["chatSessions"]["nodes"]) == 1
