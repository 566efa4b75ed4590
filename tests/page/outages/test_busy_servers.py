"""A server, or a proxy before it, that can do no more just now: what is not shown yet is asked for again."""

import json

import pytest
from playwright.async_api import Page, Route, expect

from tests.answers import Start
from tests.page.holding import ENDPOINT

BUSY = "The database is busy; try again soon."
ERRORS = {"errors": [{"message": BUSY, "extensions": {"code": "UNAVAILABLE"}}]}
REPLIES = {
    "server": (503, "application/json", json.dumps(ERRORS), BUSY),
    "proxy": (429, "text/html", "<h1>429 Too Many Requests</h1>", "too many requests"),
}


@pytest.mark.parametrize("who", REPLIES)
async def test_what_a_busy_server_does_not_say_is_shown_once_it_does(start: Start, page: Page, who: str) -> None:
    status, content_type, body, words = REPLIES[who]
    client = start()
    project = await client.project("Shop")

    async def refuse(route: Route) -> None:
        await route.fulfill(status=status, content_type=content_type, body=body)

    await page.route(ENDPOINT, refuse)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    await expect(page.get_by_text(words)).to_be_visible()
    await page.unroute(ENDPOINT)
    await expect(page.get_by_role("heading", name="Shop")).to_be_visible()
    await page.route(ENDPOINT, refuse)
    await page.get_by_role("link", name="Members").click()
    await expect(page.get_by_role("main").get_by_text(words)).to_be_visible()
    await page.unroute(ENDPOINT)
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()


async def test_a_reply_that_is_cut_off_is_asked_for_again(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    cut = 0

    async def cut_off(route: Route) -> None:
        nonlocal cut
        if cut:
            return await route.fallback()
        cut += 1
        whole = await (await route.fetch()).text()
        return await route.fulfill(status=200, content_type="application/json", body=whole[: len(whole) // 2])

    await page.route(ENDPOINT, cut_off)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    await expect(page.get_by_text("This page tries again every few seconds.")).to_be_visible()
    await expect(page.get_by_role("heading", name="Shop")).to_be_visible()
