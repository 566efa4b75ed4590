"""What people do that no button is for: drop and paste odd things, go back, let the machine sleep, want no motion."""

import re
from datetime import timedelta

from playwright.async_api import Browser, Page, expect

from tests.answers import Start
from tests.browser import visiting
from tests.page.people.test_other_people import LOOKED_AT

TEXT = "# Returns\n\nGoods may be returned within 30 days of delivery."
DRAGGED_TEXT = """(type) => { const transfer = new DataTransfer();
  transfer.setData(type, "https://example.org/"); return transfer; }"""
PASTED_PICTURE = """(field) => { const clipboardData = new DataTransfer();
  clipboardData.items.add(new File(["x"], "image.png", { type: "image/png" }));
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })); }"""
PASTED_TEXT = """(field, length) => { field.focus(); field.select();
  document.execCommand("insertText", false, "x".repeat(length)); }"""
JUMP = """(button) => { const region = document.querySelector("[role=region][tabindex]"); button.click();
  return region.scrollHeight - region.scrollTop - region.clientHeight; }"""
REMEMBER = "mutation($input: RememberInput!) { remember(input: $input) { __typename } }"
CREATE_TOKEN = "mutation($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { __typename } }"


async def test_what_is_no_file_is_not_taken_for_one(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    zone = page.get_by_role("group", name="Add documents")
    await expect(zone).to_be_visible()
    for type_ in ("text/plain", "text/uri-list"):
        transfer = await page.evaluate_handle(DRAGGED_TEXT, type_)
        await zone.dispatch_event("dragenter", {"dataTransfer": transfer})
        await expect(zone).not_to_have_class(re.compile(r"\bover\b"))
        await zone.dispatch_event("drop", {"dataTransfer": transfer})
        await expect(page.get_by_role("alert")).to_contain_text("no files were found")
        await page.get_by_role("button", name="Dismiss").click()


async def test_a_picture_is_not_pasted_without_a_word_and_no_text_is_cut_off_without_one(
    start: Start, page: Page
) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}")
    field = page.get_by_role("textbox", name="Your question")
    await field.evaluate(PASTED_PICTURE)
    await expect(page.get_by_text("A question can only contain text.")).to_be_visible()
    too_long = page.get_by_text("Anything beyond that is cut off.")
    await field.evaluate(PASTED_TEXT, 99_999)
    await expect(field).to_have_value(re.compile("^x{99999}$"))
    await expect(too_long).to_have_count(0)
    await field.evaluate(PASTED_TEXT, 100_010)
    await expect(too_long).to_be_visible()
    await field.fill("")
    await expect(too_long).to_have_count(0)


async def test_no_dialog_stays_over_a_view_that_it_was_not_opened_in(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/members")
    await page.get_by_role("link", name="Settings").click()
    await expect(page.get_by_role("heading", name="Settings · Shop")).to_be_visible()
    await page.get_by_role("button", name="Search Ctrl K").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.get_by_role("link", name="New chat").click()
    await expect(page.get_by_role("textbox", name="Your question")).to_be_visible()


async def test_whoever_wants_no_motion_is_at_the_end_at_once(start: Start, chromium: Browser) -> None:
    client = start()
    session = await client.session(await client.project("Long"), enableRag=False)
    for number in range(8):
        await client.answered(session, f"question {number:02}")
    async with visiting(chromium, reduced_motion="reduce", viewport={"width": 1000, "height": 400}) as page:
        await page.goto(f"{client.url.removesuffix('/graphql')}/c/{session}")
        await expect(page.get_by_role("article", name="Your question").last).to_be_in_viewport()
        region = page.get_by_role("region", name="Messages")
        await region.hover()
        await page.mouse.wheel(0, -900)
        assert await page.get_by_role("button", name="Go to the newest message").evaluate(JUMP) <= 2


async def test_links_are_good_after_the_machine_has_slept(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    session = await client.session(project)
    await client.answered(session, "When may goods be returned?")
    await page.clock.install()
    await page.goto(f"{client.url.removesuffix('/graphql')}/c/{session}")
    await page.get_by_role("link", name="Source 1").first.click()
    await expect(page.get_by_role("link", name="Download the original")).to_have_attribute(
        "href", re.compile("expires")
    )
    now = await page.evaluate("() => Date.now()")
    await page.clock.set_system_time(now / 1000 + timedelta(hours=1).total_seconds())
    async with page.expect_request(lambda request: "query OriginalLink" in (request.post_data or "")):
        await page.evaluate(LOOKED_AT)


async def test_whoever_removes_things_with_the_keyboard_goes_on_beside_them(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    for fact in ("I am in Basel.", "I like trains.", "I own a bicycle."):
        await client.mutate(REMEMBER, projectId=project, content=fact)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    forget = page.get_by_role("button", name=re.compile("^Forget"))
    await expect(forget).to_have_count(3)
    for left in (2, 1):
        await forget.first.press("Enter")
        await expect(forget).to_have_count(left)
        await expect(forget.first).to_be_focused()
    await forget.first.press("Enter")
    await expect(forget).to_have_count(0)
    await expect(page.get_by_role("textbox", name="A new fact")).to_be_focused()

    for label in ("One", "Two"):
        await client.mutate(CREATE_TOKEN, label=label)
    await page.goto(f"{client.url.removesuffix('/graphql')}/account")
    page.on("dialog", lambda dialog: dialog.accept())
    revoke = page.get_by_role("button", name=re.compile("^Revoke"))
    await expect(revoke).to_have_count(2)
    await revoke.first.press("Enter")
    await expect(revoke).to_have_count(1)
    await expect(revoke.first).to_be_focused()
    await revoke.first.press("Enter")
    await expect(revoke).to_have_count(0)
    await expect(page.get_by_role("textbox", name="What it is for")).to_be_focused()
