"""What is on its way while a page is loaded again or left is neither lost nor done twice."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, Route, expect

from tests.answers import Start, openai
from tests.conftest import StartSignedIn
from tests.graphql.client import Client
from tests.page.chatting import ask, complete_answer
from tests.page.holding import ENDPOINT, holding
from tests.page.people.test_other_people import LOOKED_AT, sign_in
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery."
FIRST, SECOND = "When may goods be returned?", "How long after delivery?"
# What a browser tells a page that it keeps while others are shown, for whoever goes back. Headless ones keep none.
SIGNED_OUT_MEANWHILE = """() => {
  dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
  localStorage.setItem("footnote:token", "");
  dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
}"""
NOTE_WHAT_IS_LEFT = """() => addEventListener("pagehide", () => (sessionStorage.left = document.body.innerText))"""
CHATS = "query($id: ID!) { project(id: $id) { chatSessions(first: 50) { nodes { id } } } }"


@pytest.fixture
def model() -> Generator[OpenAIServer]:
    """A model whose answers are numbered."""
    answered = 0

    def answer(_: Body) -> list[str]:
        nonlocal answered
        answered += 1
        return [f"Reply {answered}: ", "within 30 days of delivery [1]."]

    with running(OpenAIServer(answer)) as running_model:
        yield running_model


@pytest_asyncio.fixture(loop_scope="session")
async def client(start: Start, model: OpenAIServer) -> Client:
    return start(**openai(model))


@pytest_asyncio.fixture(loop_scope="session")
async def project(client: Client, page: Page) -> str:
    """A project with a document, in which a new chat can be begun on the page."""
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    return project


def field(page: Page) -> Locator:
    """Where questions are written."""
    return page.get_by_role("textbox", name="Your question")


def questions(page: Page) -> Locator:
    """The questions that are shown."""
    return page.get_by_role("article", name="Your question")


@asynccontextmanager
async def refusing(page: Page, field: str) -> AsyncGenerator[None]:
    """Mutations that ask for this field alone are refused for good."""
    refused = {"data": {field: {"__typename": "ForbiddenError", "message": "Not this one."}}}

    async def refuse(route: Route) -> None:
        is_meant = f"{field}(" in (route.request.post_data or "")
        await (route.fulfill(json=refused) if is_meant else route.fallback())

    await page.route(ENDPOINT, refuse)
    try:
        yield
    finally:
        await page.unroute(ENDPOINT, refuse)


async def chats(client: Client, project: str) -> int:
    """How many chats there are."""
    return len((await client.run(CHATS, id=project))["project"]["chatSessions"]["nodes"])


@pytest.mark.usefixtures("project")
async def test_a_question_that_has_arrived_is_no_draft_after_a_reload(page: Page, model: OpenAIServer) -> None:
    await ask(page, FIRST)
    async with holding(page, "mutation SendMessage", heard=True) as held:
        await field(page).fill(SECOND)
        await field(page).press("Enter")
        await held.wait_for(1)
        await field(page).press_sequentially(" My next thought")
        await page.reload()
        await expect(questions(page)).to_have_text([FIRST, SECOND])
        await expect(field(page)).to_have_value("My next thought")
    await complete_answer(page)
    assert len(model.chats) == 2


@pytest.mark.usefixtures("project")
async def test_a_question_that_has_not_arrived_is_a_draft_after_a_reload_and_is_asked_once(
    page: Page, model: OpenAIServer
) -> None:
    await ask(page, FIRST)
    async with holding(page, "mutation SendMessage", lose=True) as held:
        await field(page).fill(SECOND)
        await field(page).press("Enter")
        await held.wait_for(1)
        await page.reload()
        await expect(questions(page)).to_have_text([FIRST])
        await expect(field(page)).to_have_value(SECOND)
    await field(page).press("Enter")
    await expect(questions(page)).to_have_text([FIRST, SECOND])
    await expect(field(page)).to_have_value("")
    await complete_answer(page)
    assert len(model.chats) == 2


@pytest.mark.usefixtures("project")
async def test_a_question_whose_reply_was_lost_is_no_draft_once_it_is_shown(page: Page, model: OpenAIServer) -> None:
    await ask(page, FIRST)
    async with holding(page, "mutation SendMessage", heard=True, lose=True) as held:
        await field(page).fill(SECOND)
        await field(page).press("Enter")
        await held.wait_for(1)
    await expect(page.get_by_role("alert")).to_be_visible()
    await expect(field(page)).to_have_value(SECOND)
    await page.evaluate(LOOKED_AT)
    await expect(questions(page)).to_have_text([FIRST, SECOND])
    await expect(field(page)).to_have_value("")
    await complete_answer(page)
    assert len(model.chats) == 2


@pytest.mark.usefixtures("project")
async def test_whoever_comes_back_to_a_chat_while_a_question_is_on_its_way_sees_it_asked_once(
    page: Page, model: OpenAIServer
) -> None:
    await ask(page, FIRST)
    async with holding(page, "mutation SendMessage") as held:
        await field(page).fill(SECOND)
        await field(page).press("Enter")
        await held.wait_for(1)
        await page.get_by_role("link", name="Members").click()
        await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
        await page.go_back()
        await expect(field(page)).to_have_value(SECOND)
        await field(page).press("Enter")
    await expect(questions(page)).to_have_text([FIRST, SECOND])
    await expect(field(page)).to_have_value("")
    await complete_answer(page)
    assert len(model.chats) == 2


async def test_a_chat_whose_first_question_was_asked_stays_though_another_in_its_place_is_refused(
    page: Page, client: Client, project: str
) -> None:
    async with holding(page, "mutation SendMessage", heard=True, lose=True) as held:
        await field(page).fill(FIRST)
        await field(page).press("Enter")
        await held.wait_for(1)
    await expect(page.get_by_role("alert")).to_be_visible()
    async with refusing(page, "sendMessage"):
        await field(page).fill(SECOND)
        await field(page).press("Enter")
        await expect(page.get_by_role("alert").filter(has_text="Not this one.")).to_be_visible()
    await expect(page.get_by_role("navigation").get_by_text(FIRST)).to_be_visible()
    assert await chats(client, project) == 1


async def test_the_first_question_of_a_chat_is_asked_in_one_chat_whenever_the_page_is_loaded_again(
    page: Page, client: Client, project: str, model: OpenAIServer
) -> None:
    async with holding(page, "mutation SendMessage", lose=True) as held:
        await field(page).fill(FIRST)
        await field(page).press("Enter")
        await held.wait_for(1)
        await page.reload()
        await expect(field(page)).to_have_value(FIRST)
    async with holding(page, "mutation SendMessage", heard=True) as held:
        await field(page).press("Enter")
        await held.wait_for(1)
        await page.reload()
        await expect(questions(page)).to_have_text([FIRST])
        await expect(field(page)).to_have_value("")
    await complete_answer(page)
    assert await chats(client, project) == 1
    assert len(model.chats) == 1
    await page.get_by_role("link", name="New chat").click()
    await ask(page, SECOND)
    assert await chats(client, project) == 2


async def test_whoever_went_elsewhere_is_not_led_to_a_chat_that_begins_meanwhile(page: Page, project: str) -> None:
    await page.get_by_role("textbox", name="Your question").fill(FIRST)
    async with holding(page, "mutation SendMessage") as held:
        await page.get_by_role("button", name="Send", exact=True).click()
        await held.wait_for(1)
        await page.get_by_role("link", name="Members").click()
        await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    await expect(page.get_by_role("navigation").get_by_role("link", name="When may goods be returned")).to_be_visible()
    assert page.url.endswith(f"{project}/members")


async def prepare_comparison(page: Page) -> Locator:
    """The dialog that is ready to ask the first question again with another temperature."""
    await ask(page, FIRST)
    await page.get_by_role("button", name="More options for this answer").click()
    await page.get_by_role("menuitem", name="Ask again with one change").click()
    dialog = page.get_by_role("dialog", name="Ask again with one change")
    await dialog.get_by_label("What to change").select_option("Temperature")
    await dialog.get_by_role("slider", name="Temperature").fill("1.3")
    return dialog


@pytest.mark.usefixtures("project")
async def test_a_comparison_goes_on_if_the_page_is_loaded_again_before_the_server_has_replied(
    page: Page, model: OpenAIServer
) -> None:
    dialog = await prepare_comparison(page)
    async with holding(page, "mutation RegenerateAnswer", heard=True) as held:
        await dialog.get_by_role("button", name="Ask").click()
        await held.wait_for(1)
        await page.reload()
    await expect(dialog.get_by_role("article", name="Temperature: 1.3")).to_contain_text("Reply 2")
    await dialog.get_by_role("button", name="Close").last.click()
    await expect(page.get_by_role("article", name="Answer")).to_contain_text("Reply 1")
    await page.reload()
    await expect(page.get_by_role("article", name="Answer")).to_contain_text("Reply 1")
    await expect(dialog).to_have_count(0)
    assert len(model.chats) == 2


@pytest.mark.usefixtures("project")
async def test_a_comparison_that_is_refused_after_a_reload_is_not_asked_for_again(
    page: Page, model: OpenAIServer
) -> None:
    dialog = await prepare_comparison(page)
    async with holding(page, "mutation RegenerateAnswer", lose=True) as held:
        await dialog.get_by_role("button", name="Ask").click()
        await held.wait_for(1)
        await page.reload()
        await held.wait_for(2)
    async with refusing(page, "regenerateAnswer"):
        await page.reload()
        await expect(page.get_by_role("alert").filter(has_text="Not this one.")).to_be_visible()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.post_data or ""))
    await page.reload()
    await expect(page.get_by_role("article", name="Answer")).to_contain_text("Reply 1")
    await page.wait_for_load_state("networkidle")
    assert requests
    assert not [body for body in requests if "RegenerateAnswer" in body]
    assert len(model.chats) == 1


async def test_a_page_that_the_browser_keeps_shows_nothing_of_whoever_has_left(
    signed: StartSignedIn, page: Page
) -> None:
    server = await signed()
    await server.client.project("Secret plans")
    heading, password = page.get_by_role("heading", name="Secret plans"), page.get_by_label("Password")
    await page.goto(server.url)
    await sign_in(page, "kim@example.org")
    await expect(heading).to_be_visible()
    await page.evaluate(SIGNED_OUT_MEANWHILE)
    await expect(password).to_be_visible()
    await expect(page.get_by_text("Secret plans")).to_have_count(0)

    await sign_in(page, "kim@example.org")
    await expect(heading).to_be_visible()
    await page.evaluate(NOTE_WHAT_IS_LEFT)
    await page.get_by_role("button", name="Kim").click()
    await page.get_by_role("menuitem", name="Sign out").click()
    await expect(password).to_be_visible()
    await page.wait_for_function("() => sessionStorage.left !== undefined")
    left = await page.evaluate("() => sessionStorage.left")
    assert "Sign in" in left
    assert "Secret plans" not in left
