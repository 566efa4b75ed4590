"""What is shown is deleted meanwhile, or is no longer for who looks at it."""

import pytest
from playwright.async_api import Browser, Page, expect

from app.graphql import ids
from tests.answers import Start
from tests.browser import visiting
from tests.conftest import StartSignedIn
from tests.page.chatting import ask
from tests.page.people.test_other_people import LOOKED_AT, SET_MEMBER, TEXT, add_eve, sign_in

DELETE = """mutation($input: DeleteProjectInput!) { deleteProject(input: $input) { __typename } }"""
REMOVE = """mutation($input: RemoveProjectMemberInput!) { removeProjectMember(input: $input) { __typename } }"""
GONE = "There is nothing here"
VIEWS = {"": "Shop", "/settings": "Settings", "/members": "Members", "/knowledge": "Shop", "/knowledge/search": "Shop"}


async def see_that_it_is_gone(page: Page) -> None:
    """The view says so, offers the way back, and the side bar lists the project no more."""
    main = page.get_by_role("main")
    await expect(main.get_by_role("heading", name=GONE)).to_be_visible()
    await expect(page.get_by_role("button", name="Project: Shop")).to_have_count(0)
    await expect(page.get_by_role("alert")).to_have_count(0)
    await main.get_by_role("link", name="Go to the start page").click()
    await expect(main.get_by_role("heading", name=GONE)).to_have_count(0)


async def test_documents_of_a_project_that_is_deleted_elsewhere_are_gone(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    await expect(page.get_by_role("list", name="Documents")).to_contain_text("Returns")
    await client.mutate(DELETE, id=project)
    await see_that_it_is_gone(page)


@pytest.mark.parametrize("view", VIEWS)
async def test_a_view_of_a_deleted_project_says_so_when_it_is_looked_at(start: Start, page: Page, view: str) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}{view}")
    await expect(page.get_by_role("heading", level=1)).to_contain_text(VIEWS[view])
    await client.mutate(DELETE, id=project)
    await page.evaluate(LOOKED_AT)
    await see_that_it_is_gone(page)


async def test_a_view_of_a_deleted_project_says_so_when_it_is_used(start: Start, chromium: Browser) -> None:
    client = start()
    for view, button in {"/settings": "Save", "/members": "Add", "/knowledge/search": "Search"}.items():
        async with visiting(chromium) as page:
            project = await client.project("Shop")
            await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}{view}")
            field = page.get_by_role("main").locator("input").first
            await field.fill("kim@example.org")
            await client.mutate(DELETE, id=project)
            await page.get_by_role("main").get_by_role("button", name=button, exact=True).click()
            await see_that_it_is_gone(page)


async def test_access_that_is_taken_away_ends_what_is_shown(signed: StartSignedIn, page: Page) -> None:
    server = await signed(members_by_address=True)
    project = await add_eve(server)
    await server.client.ready(project, "Returns", TEXT)
    await server.client.mutate(SET_MEMBER, projectId=project, email="eve@example.org", role="EDITOR")
    await page.goto(f"{server.url}/p/{project}/knowledge")
    await sign_in(page, "eve@example.org")
    documents = page.get_by_role("list", name="Documents")
    await expect(documents).to_contain_text("Returns")
    chat = await page.context.new_page()
    await chat.goto(f"{server.url}/p/{project}")
    answer = await ask(chat, "When may goods be returned?")

    await server.client.mutate(SET_MEMBER, projectId=project, email="eve@example.org", role="VIEWER")
    await documents.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("alert")).to_contain_text("requires the role EDITOR")
    await expect(page.get_by_role("button", name="Choose files")).to_have_count(0)

    eve = await server.accounts.users.by_email("eve@example.org")
    assert eve is not None
    await server.client.mutate(REMOVE, projectId=project, userId=ids.encode("User", eve.id))
    await expect(page.get_by_role("heading", name=GONE)).to_be_visible()
    await answer.get_by_role("button", name="Helpful", exact=True).click()
    await expect(chat.get_by_role("heading", name=GONE)).to_be_visible()
