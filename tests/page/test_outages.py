"""The server is away: the page says so in its own words, and goes on by itself when it is back."""

import asyncio

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.answers import Start
from tests.browser import visiting
from tests.page.chatting import ask
from tests.page.wire import wire_to

AWAY = {
    "en-US": ("The server cannot be reached", "Your question", "Send"),
    "de-DE": ("Der Server ist nicht erreichbar", "Ihre Frage", "Senden"),
}
OVERLAP = """([one, other]) => { const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
  return a.bottom > b.top && b.bottom > a.top && a.right > b.left && b.right > a.left; }"""

GO = "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"


@pytest.mark.parametrize("language", ["en-US", "de-DE"])
async def test_a_question_that_cannot_be_sent_stays_and_the_message_goes_when_the_server_is_back(
    start: Start, chromium: Browser, language: str
) -> None:
    client = start()
    project = await client.project("Shop")
    words, label, send = AWAY[language]
    with wire_to(client.url) as wire:
        async with visiting(chromium, locale=language) as page:
            await page.goto(f"{wire.url}/p/{project}")
            field = page.get_by_role("textbox", name=label)
            await field.fill("When may goods be returned?")
            wire.cut()
            await page.get_by_role("button", name=send, exact=True).click()
            toast = page.get_by_role("alert").filter(has_text=words)
            await expect(toast).to_be_visible()
            await expect(page.get_by_text("fetch")).to_have_count(0)
            await expect(field).to_have_value("When may goods be returned?")
            assert not await page.evaluate(OVERLAP, [await toast.element_handle(), await field.element_handle()])
            wire.mend()
            await expect(toast).to_have_count(0)


async def test_a_view_that_could_not_be_read_is_read_when_the_server_is_back(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    session = await client.session(project)
    with wire_to(client.url) as wire:
        await page.goto(f"{wire.url}/p/{project}/settings")
        await expect(page.get_by_role("heading", name="Settings · Shop")).to_be_visible()
        await page.get_by_role("link", name="Members").click()
        await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
        for view, title in ((f"/p/{project}/settings", "Settings · Shop"), (f"/c/{session}", None)):
            wire.cut()
            await page.evaluate(GO, view)
            away = page.get_by_role("heading", name="The server cannot be reached")
            await expect(away).to_be_visible()
            wire.mend()
            await expect(away).to_have_count(0)
            if title:
                await expect(page.get_by_role("heading", name=title)).to_be_visible()
        await expect(page.get_by_role("button", name="More options for this chat")).to_be_visible()


async def test_the_page_starts_when_the_server_answers(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.route("**/graphql", lambda route: route.abort("connectionrefused"))
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    await expect(page.get_by_role("heading", name="The server cannot be reached")).to_be_visible()
    await page.unroute("**/graphql")
    await expect(page.get_by_role("heading", name="Shop")).to_be_visible()


async def test_what_is_written_while_a_question_is_on_its_way_stays_and_another_may_follow_one_whose_reply_is_lost(
    start: Start, page: Page
) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", "Goods may be returned within 30 days of delivery.")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    await ask(page, "When may goods be returned?")
    written = asyncio.Event()

    async def hold(route: Route) -> None:
        if "SendMessage" in (route.request.post_data or ""):
            await written.wait()
        await route.continue_()

    await page.route("**/graphql", hold)
    field = page.get_by_role("textbox", name="Your question")
    questions = page.get_by_role("article", name="Your question")
    await field.fill("How long after delivery?")
    await field.press("Enter")
    await field.press_sequentially(" My next thought")
    written.set()
    await expect(questions).to_have_count(2)
    await expect(field).to_have_value("My next thought")
    await page.unroute("**/graphql", hold)

    async def lose(route: Route) -> None:
        if "SendMessage" not in (route.request.post_data or ""):
            return await route.continue_()
        await route.fetch()
        return await route.abort("connectionreset")

    await page.route("**/graphql", lose)
    await expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()
    await field.fill("And who pays?")
    await field.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    await page.unroute("**/graphql", lose)
    await field.fill("And who pays for it?")
    await field.press("Enter")
    await expect(questions.last).to_contain_text("And who pays for it?")
    await expect(field).to_have_value("")


async def test_lists_that_cannot_be_read_are_not_said_to_be_empty(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", "Goods may be returned within 30 days of delivery.")
    await client.session(project)

    async def lose(route: Route) -> None:
        asked = route.request.post_data or ""
        if "query ProjectDocuments" in asked or "query ProjectSessions" in asked:
            return await route.abort("connectionreset")
        return await route.continue_()

    await page.route("**/graphql", lose)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    await expect(page.get_by_role("heading", name="The server cannot be reached")).to_have_count(2)
    await expect(page.get_by_text("No documents yet")).to_have_count(0)
    await expect(page.get_by_text("Chats you start appear here.")).to_have_count(0)
    await page.unroute("**/graphql", lose)
    await expect(page.get_by_role("list", name="Documents").get_by_text("Returns")).to_be_visible()
    await expect(page.get_by_role("heading", name="Today")).to_be_visible()
