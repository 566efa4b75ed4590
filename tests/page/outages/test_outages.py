"""The server is away: the page says so in its own words, and goes on by itself when it is back."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.answers import Start
from tests.browser import visiting
from tests.conftest import StartSignedIn
from tests.graphql.client import EVENTS
from tests.page.chatting import ask
from tests.page.conftest import place_with
from tests.page.people.test_other_people import sign_in
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
        sent = await (await route.fetch()).json()
        await client.follow(EVENTS, id=sent["data"]["sendMessage"]["answer"]["id"])
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


async def test_that_the_server_is_away_is_said_once_and_no_longer_than_it_is(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    with wire_to(client.url) as wire:
        await page.goto(f"{wire.url}/p/{project}")
        field = page.get_by_role("textbox", name="Your question")
        await expect(field).to_be_visible()
        wire.cut()
        await field.fill("When may goods be returned?")
        said = page.get_by_role("main").get_by_text("The server cannot be reached")
        await expect(said).to_be_visible()
        await field.press("Enter")
        await expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
        await expect(said).to_have_count(0)
        await page.get_by_role("button", name="Dismiss").click()
        await expect(said).to_be_visible()
        wire.mend()
        await expect(page.get_by_role("button", name="Would send")).to_be_visible()
        await expect(said).to_have_count(0)


async def test_a_chat_is_still_there_while_its_older_messages_cannot_be_read(start: Start, page: Page) -> None:
    client = start()
    session = await client.session(await client.project("Long"), enableRag=False)
    for number in range(14):
        await client.answered(session, f"question {number:02}")
    with wire_to(client.url) as wire:
        await page.set_viewport_size({"width": 1000, "height": 400})
        await page.goto(f"{wire.url}/c/{session}")
        questions = page.get_by_role("article", name="Your question")
        await expect(questions.last).to_contain_text("question 13")
        await expect(page.get_by_role("textbox", name="Your question")).to_have_attribute(
            "placeholder", "Ask the model"
        )
        await questions.last.hover()
        await questions.last.get_by_role("button", name="Edit and ask again").click()
        edited = page.get_by_role("textbox", name="The edited question")
        await edited.fill("Half a thought")
        wire.cut()
        await page.get_by_role("region", name="Messages").evaluate("(region) => region.scrollTo(0, 0)")
        away = page.get_by_role("region", name="Messages").get_by_text("The server cannot be reached")
        await expect(away).to_be_visible()
        await expect(edited).to_have_value("Half a thought")
        wire.mend()
        await expect(away).to_have_count(0)
        await expect(questions.first).to_contain_text("question 00")
        await expect(edited).to_have_value("Half a thought")


async def test_sources_that_could_not_be_read_are_read_when_the_server_is_back(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", "Goods may be returned within 30 days of delivery.")
    session = await client.session(project)
    await client.answered(session, "When may goods be returned?")
    with wire_to(client.url) as wire:
        await page.goto(f"{wire.url}/c/{session}")
        sources = page.get_by_role("button", name="Everything that was found")
        await expect(sources).to_be_visible()
        wire.cut()
        await sources.click()
        panel = page.get_by_role("complementary", name="Where this answer comes from")
        await expect(panel).to_contain_text("The server cannot be reached")
        wire.mend()
        await expect(panel.get_by_role("button", name="Returns")).to_be_visible()


async def test_a_slow_line_is_not_an_empty_page(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    arrived = asyncio.Event()

    async def hold(route: Route) -> None:
        await arrived.wait()
        await route.continue_()

    loading = page.get_by_role("main").get_by_role("status").filter(has_text="Loading")
    await page.route("**/assets/*View-*.js", hold)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/members")
    await expect(loading).to_be_visible()
    arrived.set()
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    arrived.clear()

    async def hold_start(route: Route) -> None:
        if "query ProjectStart" in (route.request.post_data or ""):
            await arrived.wait()
        await route.continue_()

    await page.route("**/graphql", hold_start)
    await page.get_by_role("link", name="New chat").click()
    await expect(loading).to_be_visible()
    arrived.set()
    await expect(page.get_by_role("heading", name="Shop")).to_be_visible()
    await expect(loading).to_have_count(0)


async def test_a_sign_out_that_the_server_does_not_hear_of_is_no_sign_out(signed: StartSignedIn, page: Page) -> None:
    server = await signed()
    await server.client.project("Shop")
    with wire_to(server.url) as wire:
        await page.goto(wire.url)
        await sign_in(page, "kim@example.org")
        token = await page.evaluate(
            "() => new Promise((done) => { const look = () => "
            "localStorage['footnote:token'] ? done(localStorage['footnote:token']) : setTimeout(look, 20); look(); })"
        )
        sign_out = page.get_by_role("menuitem", name="Sign out")
        await page.get_by_role("button", name="Kim").click()
        wire.cut()
        await sign_out.click()
        await expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
        wire.mend()
        await expect(page.get_by_role("alert")).to_have_count(0)
        await page.get_by_role("button", name="Kim").click()
        await sign_out.click()
        await expect(page.get_by_label("Email address")).to_be_visible()
    refused = await server.http.post(
        server.client.url, json={"query": "{ __typename }"}, headers={"authorization": f"Bearer {token}"}
    )
    assert refused.status_code == 401


async def test_a_connection_that_has_died_without_a_word_is_made_again(page: Page, tmp_path: Path) -> None:
    says = ["Goods may be returned", " within 30 days of delivery [1]."]
    text = "# Returns\n\nGoods may be returned within 30 days of delivery."
    with place_with(tmp_path, says) as place, wire_to(place.url) as wire:
        await page.clock.install()
        await page.goto(f"{wire.url}/p/{await place.create_project('Shop', {'Returns': text})}")
        await expect(page.get_by_text("Ask about 1 document")).to_be_visible()
        await page.get_by_role("textbox", name="Your question").fill("When may goods be returned?")
        await page.keyboard.press("Enter")
        answer = page.get_by_role("article", name="Answer")
        await expect(answer).to_contain_text("Goods may be returned")
        wire.silence_sockets()  # as a machine that has slept, or is in another network
        await place.say_more()
        await page.clock.fast_forward(12_000)
        await page.clock.fast_forward(5_000)
        await expect(answer).to_contain_text("within 30 days of delivery")
