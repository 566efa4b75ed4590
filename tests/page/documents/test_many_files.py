"""Many files at once: given up together, for a project that is gone or full, through a proxy that has had enough."""

import re
import time

import pytest
from playwright.async_api import Page, Route, expect

from tests.answers import Start
from tests.conftest import StartSignedIn
from tests.graphql.client import Json
from tests.page.chatting import wait_for_layout
from tests.page.documents.test_uploads import LEAVE, LISTED, SEVERAL, slow_uploads
from tests.page.holding import ENDPOINT, holding
from tests.page.people.test_gone import DELETE, GONE
from tests.page.people.test_other_people import SET_MEMBER, add_eve, sign_in

LONG = SEVERAL.replace("is lent.`", "is lent. `.repeat(30_000)")
NAMES = [f"{number}.md" for number in range(30)]
PROXY = {"status": 429, "content_type": "text/html", "body": "<h1>Slow down</h1>", "headers": {"Retry-After": "60"}}
SERVER = {
    "status": 429,
    "json": {"errors": [{"message": "No.", "extensions": {"code": "RATE_LIMITED", "retryAfterMs": 60_000}}]},
}
REFUSED: Json = {"__typename": "ValidationError", "message": "No.", "issues": []}


async def drop(page: Page, address: str, names: list[str] = NAMES) -> None:
    """Drop files of these names where documents are added."""
    if page.url != address:
        await page.goto(address)
    zone = page.get_by_role("group", name="Add documents")
    await expect(zone).to_contain_text("Markdown")
    await zone.dispatch_event("drop", {"dataTransfer": await page.evaluate_handle(SEVERAL, names)})


async def test_files_that_wait_are_given_up_together(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    async with holding(page, "UploadDocument") as held:
        await drop(page, f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
        await held.wait_for(3)
        await expect(page.get_by_text("30 files left to upload")).to_be_visible()
        await page.get_by_role("button", name="Cancel all").press("Enter")
        await expect(page.get_by_role("list", name="Files being uploaded")).to_have_count(0)
        assert not await page.evaluate(LEAVE), "nothing is lost any more"
        assert await page.evaluate("document.activeElement !== document.body"), "the focus is nowhere"
    assert len(held.routes) == 3
    assert (await client.run(LISTED, id=project))["project"]["documents"]["nodes"] == []
    await drop(page, page.url, ["late.md"])
    await expect(page.get_by_role("list", name="Documents").get_by_text("Ready")).to_have_count(1)


async def test_files_for_a_project_that_is_deleted_meanwhile_are_not_sent(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    async with holding(page, "UploadDocument") as held:
        await drop(page, f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
        await held.wait_for(3)
        await client.mutate(DELETE, id=project)
        await expect(page.get_by_role("main").get_by_role("heading", name=GONE)).to_be_visible()
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.post_data or ""))
    await page.wait_for_function(LEAVE.replace("() => !", "() => "))
    assert not [body for body in sent if "UploadDocument" in body]


async def test_whoever_may_no_longer_add_files_sees_so_at_the_first(signed: StartSignedIn, page: Page) -> None:
    server = await signed(members_by_address=True)
    project = await add_eve(server)
    await server.client.mutate(SET_MEMBER, projectId=project, email="eve@example.org", role="EDITOR")
    await page.goto(address := f"{server.url}/p/{project}/knowledge")
    await sign_in(page, "eve@example.org")
    await expect(page.get_by_role("group", name="Add documents")).to_be_visible()
    await server.client.mutate(SET_MEMBER, projectId=project, email="eve@example.org", role="VIEWER")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    await drop(page, address)
    await expect(page.get_by_text("30 files were not added.")).to_be_visible()
    await expect(page.get_by_role("group", name="Add documents")).to_have_count(0)
    assert len([body for body in sent if "UploadDocument" in body]) <= 3


async def test_what_had_no_room_is_sent_again_once_there_is_some(start: Start, page: Page) -> None:
    client = start(max_stored_bytes_per_user=60)  # a file and its text, but not another
    project = await client.project("Shop")
    address = f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge"
    documents = page.get_by_role("list", name="Documents")
    await drop(page, address, ["a.md"])
    await expect(documents.get_by_text("Ready")).to_have_count(1)
    await drop(page, address, ["b.md"])
    refused = page.get_by_role("list", name="Files being uploaded").get_by_role("listitem")
    await expect(refused).to_contain_text("There is no room for this document")
    await documents.get_by_role("button", name="More options").click()
    await page.get_by_role("menuitem", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(documents).to_have_count(0)
    await page.get_by_role("button", name="Retry all").click()
    await expect(documents.get_by_role("button", name="b.md", exact=True)).to_be_visible()
    await expect(documents.get_by_text("Ready")).to_have_count(1)
    await expect(refused).to_have_count(0)


async def test_files_wait_while_a_proxy_has_had_too_many_requests(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    refused = 0

    async def refuse(route: Route) -> None:
        nonlocal refused
        if "UploadDocument" not in (route.request.post_data or "") or refused >= 3:
            return await route.fallback()
        refused += 1
        headers = {"Retry-After": "1"}
        await route.fulfill(
            status=429, content_type="text/html", headers=headers, body="<h1>429 Too Many Requests</h1>"
        )
        return None

    await page.route(ENDPOINT, refuse)
    await drop(page, f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge", NAMES[:6])
    await expect(page.get_by_text(re.compile("too many requests.*Uploading resumes automatically"))).to_be_visible()
    await expect(page.get_by_role("list", name="Documents").get_by_text("Ready")).to_have_count(6)


async def test_files_that_are_too_slow_together_are_sent_one_by_one(start: Start, page: Page) -> None:
    client = start(request_seconds=4)
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    zone = page.get_by_role("group", name="Add documents")
    await expect(zone).to_contain_text("Markdown")
    dropped = await page.evaluate_handle(LONG, ["a.md", "b.md", "c.md"])
    # Of 660,000 bytes each: one takes 3 seconds, and each of three 10, of the 6.6 that they may take.
    async with slow_uploads(page, 200_000):
        await zone.dispatch_event("drop", {"dataTransfer": dropped})
        for count in (1, 2, 3):
            await expect(page.get_by_role("list", name="Documents").get_by_role("listitem")).to_have_count(count)
    await expect(page.get_by_role("list", name="Files being uploaded")).to_have_count(0)


@pytest.mark.parametrize("refusal", [PROXY, SERVER], ids=["proxy", "server"])
async def test_files_wait_as_long_as_they_are_told_to(start: Start, page: Page, refusal: Json) -> None:
    client = start()
    project = await client.project("Shop")
    sent = 0

    async def refuse(route: Route) -> None:
        nonlocal sent
        if "UploadDocument" not in (route.request.post_data or ""):
            return await route.fallback()
        sent += 1
        return await (route.fulfill(**refusal) if sent == 1 else route.fallback())

    await page.clock.install()
    await page.route(ENDPOINT, refuse)
    await drop(page, f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge", NAMES[:1])
    await expect(page.get_by_text("resumes automatically")).to_be_visible()
    await page.clock.run_for(55_000)
    await wait_for_layout(page)
    assert sent == 1
    await page.clock.run_for(6_000)
    await expect(page.get_by_role("list", name="Documents").get_by_role("listitem")).to_have_count(1)
    assert sent == 2


async def test_many_small_files_leave_requests_for_everything_else(signed: StartSignedIn, page: Page) -> None:
    server = await signed()
    project = await server.client.project("Shop")
    await page.goto(address := f"{server.url}/p/{project}/knowledge")
    await sign_in(page, "kim@example.org")
    sent: list[float] = []

    async def refuse(route: Route) -> None:
        if "UploadDocument" not in (route.request.post_data or ""):
            return await route.fallback()
        sent.append(route.request.timing["startTime"] or time.time() * 1000)
        return await route.fulfill(json={"data": {"uploadDocument": REFUSED}})

    await page.route(ENDPOINT, refuse)
    await drop(page, address)
    await expect(page.get_by_text("30 files were not added.")).to_be_visible()
    assert sent[-1] - sent[0] > 29 * 90, "more than half of what one may ask for in a minute"
