"""The browser keeps nothing for the page, has no room left, or holds what nobody can read: the page works without."""

import pytest
from playwright.async_api import Page, expect

from tests.answers import Start
from tests.conftest import StartSignedIn
from tests.page.chatting import ask
from tests.page.people.test_other_people import sign_in

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery."
FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, {
  get() { throw new DOMException("Access is denied for this document.", "SecurityError"); } })"""
FULL = """Storage.prototype.setItem = () => { throw new DOMException("There is no room.", "QuotaExceededError"); }"""
# Safari allows so many changes in so many seconds.
BUSY = """history.replaceState = () => { throw new DOMException("Called too often.", "SecurityError"); }"""
GARBAGE = """([chat]) => {
  const values = { token: "\\u00e4 \\n", language: "constructor", theme: "purple", project: "../..", tour: "" };
  for (const [name, value] of Object.entries(values)) localStorage.setItem(`footnote:${name}`, value);
  sessionStorage.setItem(`comparison:${chat}`, "{");
}"""


@pytest.mark.parametrize("storage", [FORBIDDEN, FULL])
async def test_the_page_works_where_nothing_can_be_kept(signed: StartSignedIn, page: Page, storage: str) -> None:
    server = await signed()
    project = await server.client.project("Shop")
    await server.client.ready(project, "Returns", TEXT)
    await page.add_init_script(storage)
    await page.goto(f"{server.url}/p/{project}")
    await sign_in(page, "kim@example.org")
    answer = await ask(page, "When may goods be returned?")
    await expect(answer).to_contain_text("30 days")
    await expect(page.get_by_role("textbox", name="Your question")).to_have_value("")
    await page.get_by_role("button", name="Appearance and language").click()
    await page.get_by_role("menuitemradio", name="Dark").click()
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await page.get_by_role("button", name="Appearance and language").click()
    await page.get_by_role("menuitemradio", name="Deutsch").click()
    await expect(page.get_by_role("link", name="Neuer Chat")).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_garbage_is_as_good_as_nothing(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    session = await client.session(project)
    await client.answered(session, "When may goods be returned?")
    root = client.url.removesuffix("/graphql")
    await page.goto(f"{root}/c/{session}")
    await expect(page.get_by_role("article", name="Answer")).to_be_visible()
    await page.evaluate(GARBAGE, [session])
    await page.reload()
    await expect(page.get_by_role("article", name="Answer")).to_be_visible()
    await page.evaluate(GARBAGE, [session])
    await page.goto(root)
    await expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_links_lead_on_where_the_history_keeps_nothing(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.add_init_script(BUSY)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    await page.get_by_role("link", name="Members").click()
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    await page.get_by_role("link", name="Knowledge").click()
    await expect(page.get_by_role("heading", name="Knowledge · Shop")).to_be_visible()
