"""Requests of the page that wait until a test lets them go."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from playwright.async_api import Error, Page, Route

ENDPOINT = "**/graphql"
_ARRIVAL_SECONDS = 30


class Held:
    """Requests that have arrived and wait."""

    def __init__(self) -> None:
        self.routes: list[Route] = []
        self.ended = asyncio.Event()
        self._arrived = asyncio.Condition()

    async def add(self, route: Route) -> None:
        """Keep a request."""
        async with self._arrived:
            self.routes.append(route)
            self._arrived.notify_all()

    async def wait_for(self, count: int) -> None:
        """Until so many have arrived."""
        async with asyncio.timeout(_ARRIVAL_SECONDS), self._arrived:
            await self._arrived.wait_for(lambda: len(self.routes) >= count)


@asynccontextmanager
async def holding(page: Page, *words: str, lose: bool = False, heard: bool = False) -> AsyncGenerator[Held]:
    """Hold the requests that contain all these words; at the end they go on, or get no answer if `lose`.

    `heard`: the server has heard them, and only what it replies is held.
    """
    held = Held()

    async def hold(route: Route) -> None:
        body = route.request.post_data or ""
        if held.ended.is_set() or not all(word in body for word in words):
            return await route.fallback()
        reply = await route.fetch() if heard else None
        await held.add(route)
        await held.ended.wait()
        if reply is not None and not lose:
            with suppress(Error):  # whoever has asked is gone
                await route.fulfill(response=reply)
            return None
        return await (route.abort("connectionreset") if lose else route.fallback())

    await page.route(ENDPOINT, hold)
    try:
        yield held
    finally:
        held.ended.set()
