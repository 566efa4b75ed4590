"""Replies that come in another order than they were asked for, and what changes while something is read."""

import asyncio
from collections.abc import Callable

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.answers import Start
from tests.browser import visiting
from tests.conftest import StartSignedIn
from tests.graphql.client import Client, Json
from tests.page.chatting import ask, wait_for_layout
from tests.page.holding import holding
from tests.page.people.test_other_people import PASSWORD, sign_in

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery."
LISTED = 50  # chats in the side bar at first
UPDATE = """mutation($input: UpdateChatSessionInput!) { updateChatSession(input: $input) { __typename } }"""
FEEDBACK = "query($id: ID!) { message(id: $id) { feedback { helpful } } }"


@pytest.fixture
def root() -> Callable[[Client], str]:
    """The address of a server."""
    return lambda client: client.url.removesuffix("/graphql")


async def titled(client: Client, project: str, title: str) -> str:
    """A new chat with this title."""
    session = await client.session(project)
    await client.mutate(UPDATE, id=session, title=title)
    return session


async def test_enter_opens_what_was_looked_for_and_not_what_was_listed_before(
    start: Start, page: Page, root: Callable[[Client], str]
) -> None:
    client = start()
    project = await client.project("Shop")
    wanted = await titled(client, project, "Invoices")
    await titled(client, project, "Lately used")
    await page.goto(f"{root(client)}/p/{project}")
    await page.get_by_role("button", name="Search Ctrl K").click()
    search = page.get_by_role("combobox", name="Search chats")
    await expect(page.get_by_role("option").first).to_contain_text("Lately used")
    async with holding(page, "query FindSessions", "Invo") as held:
        await search.fill("Invo")
        await search.press("Enter")
        await held.wait_for(1)
        await expect(search).to_be_visible()
    await expect(page).to_have_url(f"{root(client)}/c/{wanted}")


async def test_the_last_search_is_the_one_that_is_shown(
    start: Start, page: Page, root: Callable[[Client], str]
) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    await client.ready(project, "Shipping", "Parcels are shipped on Mondays.")
    await page.goto(f"{root(client)}/p/{project}/knowledge/search")
    words = page.get_by_role("searchbox", name="Words or a question")
    async with holding(page, "query SearchKnowledge", "delivery") as held:
        await words.fill("delivery")
        await words.press("Enter")
        await held.wait_for(1)
        await words.fill("parcels")
        await words.press("Enter")
        await expect(page.locator("mark").first).to_have_text("Parcels")
    await page.wait_for_load_state("networkidle")
    await expect(page.locator("mark").first).to_have_text("Parcels")


async def test_a_chat_that_was_changed_or_deleted_is_listed_once_or_not_at_all(
    start: Start, page: Page, root: Callable[[Client], str]
) -> None:
    client = start()
    project = await client.project("Shop")
    old = await titled(client, project, "The oldest")
    for number in range(LISTED):
        await titled(client, project, f"Chat {number}")
    await page.goto(f"{root(client)}/c/{old}")
    links = page.get_by_role("navigation").get_by_role("listitem").filter(has=page.locator("a[href^='/c/']"))
    await expect(links).to_have_count(LISTED)
    await page.get_by_role("main").get_by_role("button", name="More options for this chat").click()
    await page.get_by_role("menuitem", name="Rename").click()
    await page.get_by_role("textbox", name="Title").fill("Renamed")
    await page.keyboard.press("Enter")
    await expect(links).to_have_count(LISTED + 1)
    async with holding(page, "query ProjectSessions", heard=True) as held:
        await page.get_by_role("button", name="Show older chats").click()
        await held.wait_for(1)
        await links.first.hover()
        await links.first.get_by_role("button").click()
        await page.get_by_role("menuitem", name="Delete").click()
        await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(links).to_have_count(LISTED)
    await expect(page.get_by_role("button", name="Show older chats")).to_have_count(0)
    await expect(links).to_have_count(LISTED)
    await expect(links.filter(has_text="Renamed")).to_have_count(1)


async def test_who_is_signed_in_is_whoever_signed_in_last_in_any_tab(signed: StartSignedIn, chromium: Browser) -> None:
    server = await signed()
    await server.client.project("Kim's plans")
    await server.accounts.users.create("eve@example.org", "Eve", PASSWORD)
    async with visiting(chromium) as page:
        await page.goto(server.url)
        await sign_in(page, "kim@example.org")
        await expect(page.get_by_role("button", name="Kim", exact=True)).to_be_visible()
        other = await page.context.new_page()
        await other.goto(server.url)
        await expect(other.get_by_role("button", name="Kim", exact=True)).to_be_visible()
        arrived, released = asyncio.Event(), asyncio.Event()

        async def hold_first(route: Route) -> None:
            if arrived.is_set() or "query Viewer" not in (route.request.post_data or ""):
                return await route.fallback()
            reply = await route.fetch()
            arrived.set()
            await released.wait()
            return await route.fulfill(response=reply)

        await page.route("**/graphql", hold_first)
        await page.reload(wait_until="commit")
        await arrived.wait()
        # Another tab, in which somebody signs in.
        await other.evaluate("() => (localStorage['footnote:token'] = '')")
        await other.reload()
        await sign_in(other, "eve@example.org")
        eve = page.get_by_role("button", name="Eve", exact=True)
        await expect(eve).to_be_visible()
        async with page.expect_response(lambda response: "query Viewer" in (response.request.post_data or "")):
            released.set()
        await wait_for_layout(page)
        await expect(eve).to_be_visible()
        await expect(page.get_by_text("Kim's plans")).to_have_count(0)


async def test_a_rating_is_the_one_that_was_given_last(start: Start, page: Page, root: Callable[[Client], str]) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    session = await client.session(project)
    answer_id = await client.answered(session, "When may goods be returned?")
    await page.goto(f"{root(client)}/c/{session}")
    up, down = (page.get_by_role("button", name=name, exact=True) for name in ("Helpful", "Not helpful"))
    async with holding(page, "mutation RateAnswer") as held:
        await down.dblclick()
        await held.wait_for(1)
        await up.dispatch_event("click")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(down).to_have_attribute("aria-pressed", "true")
    assert len(held.routes) == 1
    async with holding(page, "mutation RateAnswer"):
        await up.click()
    await expect(up).to_have_attribute("aria-pressed", "true")
    found: Json = await client.run(FEEDBACK, id=answer_id)
    assert found["message"]["feedback"]["helpful"] is True


async def test_a_question_that_is_being_edited_is_not_closed_by_another_that_was_sent(
    start: Start, page: Page, root: Callable[[Client], str]
) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    await page.goto(f"{root(client)}/p/{project}")
    await ask(page, "When may goods be returned?")
    await ask(page, "How long after delivery?")
    questions = page.get_by_role("article", name="Your question")
    field = page.get_by_role("textbox", name="The edited question")
    async with holding(page, "mutation SendMessage") as held:
        await questions.last.hover()
        await questions.last.get_by_role("button", name="Edit and ask again").click()
        await field.fill("How many days after delivery?")
        await field.press("Enter")
        await held.wait_for(1)
        await page.get_by_role("button", name="Cancel").click()
        await questions.first.hover()
        await questions.first.get_by_role("button", name="Edit and ask again").click()
        await field.fill("Half a thought")
    await expect(page.get_by_text("How many days after delivery?")).to_be_visible()
    await expect(field).to_have_value("Half a thought")


async def test_the_language_is_the_one_that_was_chosen_last(start: Start, page: Page) -> None:
    client = start()
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{await client.project('Shop')}")
    released = asyncio.Event()

    async def hold(route: Route) -> None:
        await released.wait()
        await route.fallback()

    await page.route("**/assets/de-*.js", hold)
    for language in ("Deutsch", "English"):
        await page.get_by_role("button", name="Appearance and language").click()
        await page.get_by_role("menuitemradio", name=language).click()
    released.set()
    await page.wait_for_load_state("networkidle")
    await wait_for_layout(page)
    await expect(page.locator("html")).to_have_attribute("lang", "en")
    await expect(page.get_by_role("link", name="New chat")).to_be_visible()
