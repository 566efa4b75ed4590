"""Files on their way to a project: dropped, shown as they leave, refused in the server's words, and never trusted."""

import contextlib
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.async_api import Browser, Page, expect

from tests.answers import Start
from tests.browser import visiting
from tests.page.holding import holding
from tests.page.test_attacks import check_harmless
from tests.page.wire import wire_to

HOSTILE = "\"><img src=x onerror='window.pwned=1'>{@html x}<script>window.pwned=1<script>.md"
FACT = "Bicycles are lent for 3 days.\n\n"
SIZES = "query($id: ID!) { project(id: $id) { documents { nodes { source bytes } } } }"
LISTED = "query($id: ID!) { project(id: $id) { documents { nodes { source } } } }"
DROPPED = """([name, text]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name, { type: "text/markdown" }));
  return transfer;
}"""


SEVERAL = """(names) => {
  const transfer = new DataTransfer();
  for (const name of names) transfer.items.add(new File([`Bicycle ${name} is lent.`], name, { type: "text/markdown" }));
  return transfer;
}"""
# Whether the page keeps the browser from doing what it would do by itself.
DROP_ON = """([place, dataTransfer]) => {
  const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
  return !document.querySelector(place).dispatchEvent(drop);
}"""
# What the browser says of a file that is closed to it. Nothing is closed to the tests where they run as root.
CLOSED = """() => addEventListener("drop", (event) => {
  const readers = Object.getPrototypeOf(event.dataTransfer.items[0].webkitGetAsEntry().createReader());
  const { readEntries } = readers;
  const close = (entry) => entry.name === "closed.md" &&
    (entry.file = (_, failed) => failed(new DOMException("It could not be read.", "NotReadableError")));
  readers.readEntries = function (found, failed) {
    readEntries.call(this, (entries) => { entries.forEach(close); found(entries); }, failed); };
}, { capture: true, once: true })"""
SECRET = "It may hold passwords or private keys."
LEAVE = "() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"


@contextlib.asynccontextmanager
async def slow_uploads(page: Page, bytes_per_second: int) -> AsyncGenerator[None]:
    """While it is open, what the page sends leaves slowly."""
    devtools = cast("Any", await page.context.new_cdp_session(page))  # its types are unknown
    limits = {"offline": False, "latency": 0, "downloadThroughput": -1}
    await devtools.send("Network.enable")
    await devtools.send("Network.emulateNetworkConditions", {**limits, "uploadThroughput": bytes_per_second})
    yield
    await devtools.send("Network.emulateNetworkConditions", {**limits, "uploadThroughput": -1})


async def test_a_dropped_file_shows_how_much_of_it_has_left_and_its_name_does_nothing(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    zone = page.get_by_role("group", name="Add documents")
    await expect(zone).to_contain_text("Markdown")
    dropped = await page.evaluate_handle(DROPPED, [HOSTILE, FACT * 10_000])
    async with slow_uploads(page, 20_000):  # a machine that is busy looks late
        for event in ("dragenter", "drop"):
            await zone.dispatch_event(event, {"dataTransfer": dropped})
        leaving = page.get_by_role("progressbar", name=f"Uploading {HOSTILE}")
        share = "(bar) => new Promise((done) => { const look = () => bar.value > 0 && bar.value < 1 ? done(bar.value)"
        assert 0 < await leaving.evaluate(f"{share} : requestAnimationFrame(look); look(); }})") < 1
        await check_harmless(page)
    await expect(page.get_by_role("list", name="Documents").get_by_text("Ready")).to_be_visible()
    assert (await client.run(LISTED, id=project))["project"]["documents"]["nodes"] == [{"source": HOSTILE}]
    for item in ("Preview", "Rename", "Delete"):
        await page.get_by_role("button", name="More options for").click()
        await page.get_by_role("menuitem", name=item).click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        await check_harmless(page)
        await page.keyboard.press("Escape")
    await page.get_by_role("tab", name="Search").click()
    await page.get_by_role("searchbox", name="Words or a question").fill("bicycles")
    await page.keyboard.press("Enter")
    await expect(page.locator("mark").first).to_have_text("Bicycles")
    await check_harmless(page)


async def test_what_the_server_cannot_read_is_not_sent_and_is_said_in_its_words(
    start: Start, page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # without Tesseract
    client = start()
    project = await client.project("Shop")
    photo, text = tmp_path / "receipt.JPG", tmp_path / "notes.unheard-of"
    photo.write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00")
    text.write_text(FACT)
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    await expect(page.get_by_role("group", name="Add documents")).to_contain_text("reStructuredText")
    chosen = page.locator("input[type=file]").first
    accepted = str(await chosen.get_attribute("accept")).split(",")
    assert {".pdf", ".ipynb", "text/*"} <= set(accepted)
    assert ".jpg" not in accepted
    await chosen.set_input_files([photo, text])
    await expect(page.get_by_role("list", name="Documents").get_by_text("Ready")).to_be_visible()
    refused = page.get_by_role("listitem").filter(has_text="receipt.JPG")
    reason = "The text of pictures can be read only where Tesseract is installed on the server."
    await expect(refused).to_contain_text(reason)
    await expect(page.get_by_text("1 file was skipped.")).to_be_visible()
    await refused.get_by_role("button", name="Remove receipt.JPG").click()
    await expect(refused).to_have_count(0)
    assert (await client.run(LISTED, id=project))["project"]["documents"]["nodes"] == [{"source": "notes.unheard-of"}]


async def test_a_dropped_folder_is_added_without_what_cannot_be_read_of_it_which_is_named(
    start: Start, page: Page, tmp_path: Path
) -> None:
    client = start()
    project = await client.project("Shop")
    folder = tmp_path / "season" / "spring"
    folder.mkdir(parents=True)
    for name in ("first.md", "closed.md", "last.md"):
        (folder / name).write_text(f"Bicycle {name} is lent.")
    (folder / "prod.env").write_text("TOKEN=hunter2\n")
    (folder / "deploy").write_text("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    await expect(page.get_by_role("group", name="Add documents")).to_contain_text("Markdown")
    await page.evaluate(CLOSED)
    place = await page.get_by_text("Drop files or folders here.").bounding_box()
    assert place is not None
    devtools = cast("Any", await page.context.new_cdp_session(page))  # its types are unknown
    dragged = {"items": [], "files": [str(folder.parent)], "dragOperationsMask": 1}
    for event in ("dragEnter", "dragOver", "drop"):
        await devtools.send(
            "Input.dispatchDragEvent", {"type": event, "x": place["x"] + 5, "y": place["y"] + 5, "data": dragged}
        )
    await expect(page.get_by_role("list", name="Documents").get_by_text("Ready")).to_have_count(2)
    left = page.get_by_role("list", name="Files being uploaded").get_by_role("listitem")
    await expect(left).to_have_count(3)
    for name, reason in (("closed.md", "could not be read"), ("deploy", SECRET), ("prod.env", SECRET)):
        await expect(left.filter(has_text=f"season/spring/{name}")).to_contain_text(reason)
    await expect(page.get_by_text("1 file was not added. 2 files were skipped.")).to_be_visible()
    found = (await client.run(LISTED, id=project))["project"]["documents"]["nodes"]
    assert sorted(node["source"] for node in found) == ["season/spring/first.md", "season/spring/last.md"]


async def test_files_wait_until_the_server_is_back_and_whoever_leaves_is_asked(start: Start, chromium: Browser) -> None:
    client = start()
    project = await client.project("Shop")
    with wire_to(client.url) as wire:
        async with visiting(chromium) as page:
            await page.goto(f"{wire.url}/p/{project}/knowledge")
            zone = page.get_by_role("group", name="Add documents")
            await expect(zone).to_contain_text("Markdown")
            wire.cut()
            names = ["one.md", "two.md", "three.md", "four.md", "five.md"]
            dropped = await page.evaluate_handle(SEVERAL, names)
            assert await page.evaluate(DROP_ON, ["main h1", dropped]), "the browser would leave the page for the file"
            await zone.dispatch_event("drop", {"dataTransfer": dropped})
            await expect(
                page.get_by_text("The server cannot be reached. Uploading resumes automatically.", exact=True)
            ).to_be_visible()
            await expect(page.get_by_role("list", name="Files being uploaded").get_by_role("listitem")).to_have_count(5)
            assert await page.evaluate(LEAVE), "whoever leaves loses the files, and is not asked"
            wire.mend()
            await expect(page.get_by_role("list", name="Documents").get_by_text("Ready")).to_have_count(5)
            assert not await page.evaluate(LEAVE)
    found = (await client.run(LISTED, id=project))["project"]["documents"]["nodes"]
    assert sorted(node["source"] for node in found) == sorted(names)


async def test_a_file_that_is_gone_when_its_turn_comes_is_told_and_holds_up_no_other(
    start: Start, chromium: Browser, tmp_path: Path
) -> None:
    client = start()
    project = await client.project("Shop")
    # Three are sent at once: of the fourth nothing has been read when the connection is back.
    files = [tmp_path / f"{name}.md" for name in ("gone", "moved", "edited", "late", "there")]
    for file in files:
        file.write_text(f"Bicycle {file.name} is lent.")
    with wire_to(client.url) as wire:
        async with visiting(chromium) as page:
            await page.goto(f"{wire.url}/p/{project}/knowledge")
            await expect(page.get_by_role("group", name="Add documents")).to_contain_text("Markdown")
            wire.cut()
            await page.locator("input[type=file]").first.set_input_files(files)
            await expect(page.get_by_text("Uploading resumes automatically.")).to_be_visible()
            files[0].unlink()
            files[1].rename(tmp_path / "elsewhere.md")
            files[2].write_text(edited := "Something else, and longer than it was before.")
            files[3].unlink()
            wire.mend()
            await expect(page.get_by_role("list", name="Documents").get_by_text("there.md")).to_be_visible()
            left = page.get_by_role("list", name="Files being uploaded").get_by_role("listitem")
            for name in ("gone.md", "moved.md", "late.md"):
                await expect(left.filter(has_text=name)).to_contain_text("was changed or moved after it was chosen")
            # Whether a browser sends what a file holds by now depends on how far the first attempt had come.
            await expect(page.get_by_text(re.compile("[34] files were not added."))).to_be_visible()
            await expect(page.get_by_text("Uploading resumes automatically.")).to_have_count(0)
            named = await left.locator(".name").all_inner_texts()
    found = (await client.run(SIZES, id=project))["project"]["documents"]["nodes"]
    sizes = {node["source"]: node["bytes"] for node in found}
    assert sorted([*named, *sizes]) == sorted(file.name for file in files)
    assert sizes.get("edited.md", len(edited)) == len(edited)


async def test_as_many_files_as_may_be_added_at_once_are_no_mistake(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    zone = page.get_by_role("group", name="Add documents")
    for count, more, alerts in ((2_000, "1,980 more", 0), (2_001, "1,980 more", 1)):
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
        await expect(zone).to_contain_text("Markdown")
        async with holding(page, "UploadDocument", lose=True):
            dropped = await page.evaluate_handle(SEVERAL, [f"{number}.md" for number in range(count)])
            await zone.dispatch_event("drop", {"dataTransfer": dropped})
            await expect(page.get_by_text(more)).to_be_visible()
            await expect(page.get_by_role("alert")).to_have_count(alerts)
        if alerts:
            await expect(page.get_by_role("alert")).to_contain_text("Only the first 2,000 files are added.")
        page.once("dialog", lambda dialog: dialog.accept())


async def test_a_name_that_turns_its_ending_around_is_read_as_it_is_written(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/knowledge")
    await expect(page.get_by_role("group", name="Add documents")).to_contain_text("Markdown")
    await page.locator("input[type=file]").first.set_input_files(
        {"name": "\u202etxt.gpj.txt", "mimeType": "text/plain", "buffer": b"Bicycles are lent."}
    )
    row = page.get_by_role("list", name="Documents").get_by_role("listitem")
    await expect(row).to_contain_text("Ready")
    assert "txt.gpj" in await row.inner_text()
    assert "\u202e" not in await row.inner_text()
    assert "\u202e" not in str(await row.get_by_role("button").last.get_attribute("aria-label"))
