"""Chromium as somebody uses it, without any network but this machine; whatever it holds against a page is kept."""

import os
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright, expect

MOST_MS = 30_000
# A name of this machine that browsers take for another: what comes from there over plain HTTP is not secure to them.
ANOTHER_NAME = "another.test"
# The first shows pages as the others do, without drawing a window around each: half the processor time.
_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
expect.set_options(timeout=MOST_MS)
_REPORT_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`))"""
# What the browser says when a server refuses or a connection is cut, whatever the page makes of it.
_EXPECTED = (
    "status of 40",
    "status of 429",
    "status of 503",
    "WebSocket connection to",
    "net::ERR_CONNECTION",
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_SOCKET_NOT_CONNECTED",
    "net::ERR_CONTENT_LENGTH_MISMATCH",  # the line was cut in the middle of a response
    "net::ERR_UPLOAD_FILE_CHANGED",
    "net::ERR_FILE_NOT_FOUND",  # it was chosen, and is gone
    "Cross-Origin-Opener-Policy header has been ignored",  # over plain HTTP from another machine
)


def find_chromium() -> str | None:
    """The program's path; None if it is not installed. Skips if the environment says that it cannot be."""
    found = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if found is None and os.environ.get("CHROMIUM_UNAVAILABLE") == "1":
        pytest.skip("Chromium is not installed and cannot be: there is no package of it to be had here.")
    return found


@asynccontextmanager
async def running_chromium(program: str) -> AsyncGenerator[Browser]:
    """A browser that finds no other host."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program,
            args=[
                f"--host-resolver-rules=MAP {ANOTHER_NAME} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--disable-gpu",  # which would be imitated, at as much processor time as all else
            ],
        )
        try:
            yield browser
        finally:
            await browser.close()


@dataclass
class Visit:
    """A tab, and what goes wrong in it: errors, violations of the policy, and requests to a second place."""

    page: Page
    complaints: list[str] = field(default_factory=list[str])
    places: set[str] = field(default_factory=set[str])

    async def watch(self) -> None:
        """Begin to note what goes wrong."""
        await self.page.add_init_script(_REPORT_VIOLATIONS)
        self.page.on("console", self._note_message)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._note_place(request.url))
        self.page.on("websocket", lambda socket: self._note_place(socket.url))

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(part in message.text for part in _EXPECTED):
            self.complaints.append(message.text)

    def _note_place(self, url: str) -> None:
        if not url.startswith(("data:", "blob:")):
            self.places.add(url.split("/")[2])

    def check(self) -> None:
        """Nothing went wrong, and nothing was asked of anybody but one server."""
        assert not self.complaints, self.complaints
        assert len(self.places) <= 1, self.places


@asynccontextmanager
async def visiting(browser: Browser, **options: Any) -> AsyncGenerator[Page]:
    """An empty page of its own context, checked at the end. `options` are Playwright's: colours, size, language, …"""
    given: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "locale": "en-US", **options}
    context = await browser.new_context(**given)
    context.set_default_timeout(MOST_MS)
    try:
        visit = Visit(await context.new_page())
        await visit.watch()
        yield visit.page
        visit.check()
    finally:
        await context.close()
