"""Pictures of every view, to look at; and those of the README.

python -m tests.page.pictures FOLDER     every view, light and dark, on a phone and on a desk
python -m tests.page.pictures --readme   those that the README shows
"""

import asyncio
import io
import re
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from playwright.async_api import Browser, Page, expect

from app.settings import Settings
from tests.browser import find_chromium, running_chromium
from tests.files.pdf import paragraph, pdf
from tests.page.chatting import FORMATS, ask, wait_for_documents
from tests.serving import serve

README = Path(__file__).parent / "readme"
SIZES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
PANEL = "Where this answer comes from"
_FRAME_SECONDS = 0.1
_UPLOAD = """mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) { __typename } }"""
_CREATE = """mutation { createProject(input: { name: "Field notes", description: "Reports from the 2026 season" }) {
  ... on CreateProjectPayload { project { id } } } }"""
_EMPTY = """mutation { createProject(input: { name: "Empty" }) { ... on CreateProjectPayload { project { id } } } }"""
_REMEMBER = """mutation($project: ID!) {
  remember(input: { projectId: $project, content: "I work in the warehouse in Utrecht." }) { __typename } }"""

Take = Callable[[Page, str], Awaitable[None]]


async def post(url: str, query: str, **variables: Any) -> Any:
    """The data of an operation."""
    async with httpx.AsyncClient(timeout=60) as client:
        response = await client.post(f"{url}/graphql", json={"query": query, "variables": variables})
    return response.raise_for_status().json()["data"]


async def fill(url: str) -> tuple[str, str]:
    """Two projects: one with a PDF, a table and a broken file, and an empty one."""
    project = (await post(url, _CREATE))["createProject"]["project"]["id"]
    empty = (await post(url, _EMPTY))["createProject"]["project"]["id"]
    report = pdf(
        [paragraph("Wading birds", "", "We counted 412 avocets on the northern flats in April.")], title="Birds"
    )
    table = b"site,avocets,redshanks\nnorthern flats,412,96\nsalt pans,38,12\n"
    files = {"reports/birds-2026.pdf": report, "counts.csv": table, "broken.pdf": b"%PDF-1.7\nnothing more"}
    async with httpx.AsyncClient(timeout=60) as client:
        for source, content in files.items():
            given = {"projectId": project, "source": source, "file": None}
            operations = {"query": _UPLOAD, "variables": {"input": given}}
            data = {"operations": json_of(operations), "map": '{"0": ["variables.input.file"]}'}
            headers = {"GraphQL-Require-Preflight": "1"}
            name = source.rpartition("/")[2]
            response = await client.post(f"{url}/graphql", data=data, files={"0": (name, content)}, headers=headers)
            response.raise_for_status()
    await post(url, _REMEMBER, project=project)
    return project, empty


def json_of(value: object) -> str:
    """The value as JSON."""
    return httpx.Request("POST", "http://localhost", json=value).content.decode()


async def take_chat(page: Page, url: str, take: Take) -> None:
    """The first visit, an answer, and where it comes from."""
    await page.goto(url)
    await wait_for_documents(page)
    await take(page, "start")
    answer = await ask(page, FORMATS)
    await take(page, "answer")
    await answer.get_by_role("link", name="Source 1").first.focus()
    await take(page, "footnote")
    await answer.get_by_role("link", name="Source 1").first.click()
    panel = page.get_by_role("complementary", name=PANEL)
    await expect(panel.locator("mark").first).to_be_visible()
    await take(page, "source")
    await panel.get_by_role("button", name="Read in the document").click()
    await expect(page.get_by_role("dialog").locator("mark").first).to_be_visible()
    await take(page, "original")
    await page.keyboard.press("Escape")
    await panel.get_by_role("button", name="All sources").click()
    for fold in await panel.locator("details:not([open]) > summary").all():
        await fold.click()
    await take(page, "sources")
    await panel.get_by_role("tab", name="Context window").click()
    await take(page, "window")
    await panel.get_by_role("button", name="Close the panel").click()
    await page.get_by_role("textbox", name="Your question").fill("And which of these keep their tables?")
    await expect(page.get_by_text("Would send")).to_be_visible()
    await take(page, "composing")
    await page.get_by_role("textbox", name="Your question").fill("")
    await page.get_by_role("main").get_by_role("button", name=re.compile("More options for this chat")).first.click()
    await take(page, "chat-menu")
    await page.get_by_role("menuitem", name="Settings of this chat").click()
    await expect(page.get_by_role("slider", name="Temperature")).to_be_visible()
    await take(page, "chat-settings")


async def take_project(page: Page, url: str, project: str, empty: str, take: Take) -> None:
    """The documents of a project and its settings."""
    await page.goto(f"{url}/p/{project}/knowledge")
    await expect(page.get_by_role("list", name="Documents").get_by_text("Failed")).to_be_visible()
    await take(page, "documents")
    await page.get_by_role("button", name="More options for counts").click()
    await take(page, "document-menu")
    await page.get_by_role("menuitem", name="Preview").click()
    await expect(page.get_by_role("dialog").get_by_text("salt pans")).to_be_visible()
    await take(page, "preview")
    await page.keyboard.press("Escape")
    await page.get_by_role("tab", name="Search").click()
    await page.get_by_role("searchbox", name="Words or a question").fill("avocets")
    await page.get_by_role("button", name="Search", exact=True).last.click()
    await expect(page.locator("mark").first).to_be_visible()
    await take(page, "search")
    await page.get_by_role("tab", name="Embedding model").click()
    await take(page, "embedding")
    for name, path in {"settings": "settings", "members": "members", "no-documents": ""}.items():
        await page.goto(f"{url}/p/{empty}/knowledge" if not path else f"{url}/p/{project}/{path}")
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await take(page, name)
    await page.goto(f"{url}/p/{project}/settings")
    await page.get_by_role("heading", name="Delete").scroll_into_view_if_needed()
    await take(page, "memories")


async def take_access(page: Page, url: str, closed: str, take: Take) -> None:
    """Who may do what, and how the server is."""
    for name, path in {"account": "account", "status": "status", "missing": "c/nothing"}.items():
        await page.goto(f"{url}/{path}")
        await expect(page.get_by_role("heading").first).to_be_visible()
        await page.wait_for_load_state("networkidle")
        await take(page, name)
    if (opener := page.get_by_role("button", name="Open the sidebar")) and await opener.is_visible():
        await opener.click()
        await page.get_by_role("link", name="New chat").wait_for()
        await take(page, "side")
    await page.goto(closed)
    await expect(page.get_by_label("Email address")).to_be_visible()
    await take(page, "sign-in")
    await page.goto(f"{url}/graphql")
    await page.get_by_role("button", name=re.compile("Execute")).wait_for()
    await take(page, "playground")


@asynccontextmanager
async def servers() -> AsyncGenerator[tuple[str, str]]:
    """The address of a server with the Handbook, and that of one that wants a sign-in."""
    with tempfile.TemporaryDirectory() as folder:
        values: dict[str, Any] = {"database_url": f"sqlite:///{folder}/open.db", "sample_project": True}
        shut: dict[str, Any] = {"database_url": f"sqlite:///{folder}/shut.db", "require_sign_in": True}
        with serve(Settings.model_validate(values)) as url, serve(Settings.model_validate(shut)) as closed:
            yield url, closed


async def take_all(folder: Path) -> None:
    """Every view in both themes and sizes."""
    async with servers() as (url, closed), running_chromium(find_chromium() or "") as browser:
        project, empty = await fill(url)
        for size, options in SIZES.items():
            for theme in ("light", "dark"):

                async def take(page: Page, name: str, to: str = f"{size}-{theme}") -> None:
                    await page.evaluate("() => Promise.allSettled(document.getAnimations().map((one) => one.finished))")
                    await page.screenshot(path=folder / f"{name}-{to}.png")

                async with tab(browser, color_scheme=theme, **options) as page:
                    await take_chat(page, url, take)
                    await take_project(page, url, project, empty, take)
                    await take_access(page, url, closed, take)


@asynccontextmanager
async def tab(browser: Browser, **options: Any) -> AsyncGenerator[Page]:
    """An empty page of its own."""
    context = await browser.new_context(locale="en-US", **options)
    try:
        yield await context.new_page()
    finally:
        await context.close()


async def take_readme() -> None:
    """A chat with its source beside it, light and dark, and how one gets there."""
    options = {"viewport": {"width": 1200, "height": 750}}
    async with servers() as (url, _), running_chromium(find_chromium() or "") as browser:
        for theme in ("light", "dark"):
            async with tab(browser, color_scheme=theme, device_scale_factor=1.5, **options) as page:
                await page.goto(url)
                await wait_for_documents(page)
                await show_source(page)
                await page.get_by_role("complementary", name=PANEL).evaluate("(panel) => panel.blur()")
                await asyncio.sleep(0.5)
                keep(await page.screenshot(), f"{theme}.webp")
        async with tab(browser, color_scheme="light", **options) as page:
            await page.goto(url)
            await wait_for_documents(page)
            frames = await film(page, show_source(page, delay=25))
    first, *others = [Image.open(io.BytesIO(frame)).convert("RGB").resize((900, 562)) for _, frame in frames]
    times = [round(1000 * (later - at)) for (at, _), (later, _) in pairwise(frames)] + [3000]
    first.save(README / "first-question.webp", save_all=True, append_images=others, duration=times, loop=0, quality=60)


async def show_source(page: Page, delay: float = 0) -> None:
    """Ask, and look at the first footnote of the answer."""
    field = page.get_by_role("textbox", name="Your question")
    await field.press_sequentially(FORMATS, delay=delay)
    await field.press("Enter")
    answer = page.get_by_role("article", name="Answer").last
    await expect(answer.get_by_role("button", name="Copy the text")).to_be_visible()
    marker = answer.get_by_role("link", name="Source 1").first
    await marker.hover()
    await asyncio.sleep(delay / 10)  # for those who watch
    await marker.click()
    await expect(page.get_by_role("complementary", name=PANEL).locator("mark").first).to_be_visible()


async def film(page: Page, work: Awaitable[None]) -> list[tuple[float, bytes]]:
    """What is seen while it is done, and when, in seconds."""
    frames: list[tuple[float, bytes]] = []
    doing = asyncio.ensure_future(work)
    while not doing.done():
        frames.append((time.monotonic(), await page.screenshot()))
        await asyncio.wait([doing], timeout=_FRAME_SECONDS)
    await doing
    await asyncio.sleep(0.5)
    return [*frames, (time.monotonic(), await page.screenshot())]


def keep(picture: bytes, name: str) -> None:
    """Write a picture for the README."""
    Image.open(io.BytesIO(picture)).convert("RGB").save(README / name, quality=82, method=6)


if __name__ == "__main__":
    (argument,) = sys.argv[1:]
    (README if argument == "--readme" else Path(argument)).mkdir(parents=True, exist_ok=True)
    asyncio.run(take_readme() if argument == "--readme" else take_all(Path(argument)))
