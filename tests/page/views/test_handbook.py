"""The handbook in the page: found from the menu, readable without a sign-in, and every link of it leads somewhere."""

import httpx
import pytest
from playwright.async_api import Page, expect

from tests.conftest import MakeSettings, StartSignedIn
from tests.page.conftest import Visiting
from tests.serving import serve

_LINKS = "() => [...document.querySelectorAll('article a:not([target]), ol a')].map((link) => link.href)"
_IDS = "() => [...document.querySelectorAll('article [id]')].map((heading) => heading.id)"


async def test_the_menu_leads_to_a_page_of_the_handbook(visit: Visiting) -> None:
    async with visit() as page:
        await page.get_by_role("button", name="Owner").click()
        await page.get_by_role("menuitem", name="Handbook").click()
        await expect(page.get_by_role("heading", name="Handbook", level=1)).to_be_visible()
        await page.get_by_role("link", name="Models", exact=True).click()
        await expect(page.get_by_role("heading", name="Models", level=1)).to_be_visible()
        await expect(page.get_by_text("Nothing leaves the machine.")).to_be_visible()
        await page.get_by_role("link", name="switched to it").click()
        await expect(page.get_by_role("heading", name="Another embedding model for a project")).to_be_in_viewport()
        followed = page.get_by_role("link", name="Answers", exact=True).first
        await followed.click()
        await expect(page.get_by_role("heading", name="Answers and budgets", level=1)).to_be_in_viewport()
        await page.go_back()
        await expect(page.get_by_role("heading", name="Models", level=1)).to_be_attached()
        await expect(followed).to_be_in_viewport()
        await page.reload()
        await expect(followed).to_be_in_viewport()
        await page.go_back()
        await expect(page.get_by_role("link", name="switched to it")).to_be_in_viewport()
        await page.go_back()
        await expect(page.get_by_role("heading", name="Handbook", level=1)).to_be_visible()


async def test_every_link_of_the_handbook_leads_to_a_place_in_it(visit: Visiting) -> None:
    async with visit() as page:
        root = page.url.split("/p/")[0].rstrip("/")
        await page.goto(f"{root}/handbook")
        await expect(page.get_by_role("link", name="Architecture", exact=True)).to_be_visible()
        links = set[str](await page.evaluate(_LINKS))
        places = set[str]()
        for address in sorted({link.partition("#")[0] for link in links}):
            await page.goto(address)
            await expect(page.get_by_role("article")).to_be_visible()
            links |= set(await page.evaluate(_LINKS))
            places |= {address, *(f"{address}#{place}" for place in await page.evaluate(_IDS))}
        assert len(links) > 80
        assert links - places == set()


async def test_an_address_names_a_place_in_a_page(visit: Visiting) -> None:
    async with visit(viewport={"width": 390, "height": 844}) as page:
        root = page.url.split("/p/")[0].rstrip("/")
        await page.goto(f"{root}/handbook/09-operating#memory")
        await expect(page.get_by_role("heading", name="Memory", exact=True)).to_be_in_viewport()
        wide = await page.evaluate("() => document.querySelector('main').scrollWidth - innerWidth")
        assert wide <= 0
        await page.goto(f"{root}/handbook/12-nothing")
        await expect(page.get_by_role("main").get_by_role("link", name="start")).to_be_visible()


async def test_the_handbook_is_read_without_a_sign_in(signed: StartSignedIn, page: Page) -> None:
    server = await signed()
    await page.goto(f"{server.url}/handbook/08-access")
    await expect(page.get_by_role("heading", name="Users and access", level=1)).to_be_visible()
    await page.get_by_role("link", name="Go to the start page").click()
    await expect(page.get_by_label("Password")).to_be_visible()


@pytest.mark.parametrize(("page", "status"), [(True, 200), (False, 404)])
def test_the_handbook_is_there_if_the_page_is(make_settings: MakeSettings, page: bool, status: int) -> None:
    with serve(make_settings(page=page)) as url, httpx.Client(base_url=url) as client:
        for path in ("/handbook", "/handbook/06-models", "/handbook/06-models.md", "/handbook/pages.json"):
            response = client.get(path)
            assert response.status_code == status, path
            assert response.headers["x-content-type-options"] == "nosniff"
        for path in ("/handbook/nothing.md", "/handbook/..%2fsettings%2fsettings.md", "/handbook/%2e%2e/main.md"):
            assert client.get(path).status_code == 404, path
