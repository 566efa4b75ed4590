"""How quick and smooth the page is: its first view, and frame times and memory while a long answer streams and while a
long chat is read.

    python -m tests.bench.frames

Prints of the first view, in a browser that has seen nothing yet, when something is painted and when a question can be
written, in milliseconds, how much was sent for it, in kilobytes, and in how many requests: medians. Of the others, the
50th and 95th percentile and the longest of the times between frames, in milliseconds, how many took longer than 100 ms,
and the JavaScript heap after garbage collection. Chromium draws without a display here, and shares the machine with the
server and the model's stand-in, so that frames wait while others work. What the page itself costs is told as processor
time of its main thread: for the whole, and, while an answer streams, in milliseconds per 1,000 tokens and per frame for
each quarter of it. The last quarter should cost what the first does.
"""

import asyncio
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import httpx
from playwright.async_api import Browser, Page
from starlette.requests import Request
from starlette.responses import Response

from app.settings import Settings
from tests.bench.measured import percentiles
from tests.browser import find_chromium, running_chromium, visiting
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running
from tests.serving import serve

Json = Any
TOKENS, PER_SECOND, MESSAGES, VISITS = 20_000, 500, 1_000, 7
_SECTION = """## Section {number}

Cargo bicycles are lent for **three days**; the deposit is 120 euros, and the first day costs 10 euros more than others.

* Helmets are lent with them, in four sizes, and are cleaned after each loan.
* The battery lasts for 60 kilometres, or 40 with a load.

| day | price |
|---|---|
| first | 10 |
| second | 8 |

```python
def price(days: int) -> int:
    return 10 + 8 * (days - 1)
```

"""
_RECORD = """() => {
  window.frames_ = []; let last = performance.now();
  const step = (now) => { window.frames_.push(now - last); last = now; window.frame_ = requestAnimationFrame(step); };
  window.frame_ = requestAnimationFrame(step);
}"""
_RECORDED = "() => { cancelAnimationFrame(window.frame_); return window.frames_.slice(1); }"
_PROGRESS = "() => [document.querySelector('.markdown')?.textContent.length ?? 0, window.frames_.length]"
_COMPLETE = "() => document.querySelector('article[aria-busy=false]') !== null"
_UP = """async () => {
  const scroller = document.querySelector('[role=region][aria-label=Messages]');
  for (let still = 0; still < 60;) {
    const before = scroller.scrollTop;
    scroller.scrollTop -= 400;
    await new Promise(requestAnimationFrame);
    still = scroller.scrollTop === before && before === 0 ? still + 1 : 0;
  }
  return document.querySelectorAll('article').length;
}"""
_FIRST_VIEW = """() => {
  const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return {
    painted_ms: Math.round(paint.startTime),
    ready_ms: Math.round(performance.now()),
    sent_kb: Math.round(all.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000),
    requests: all.length,
  };
}"""
_MODEL = {"id": "chat", "object": "model", "meta": {"n_ctx": 262_144}}
_CREATE_PROJECT = """mutation($name: String!) { createProject(input: { name: $name }) {
  ... on CreateProjectPayload { project { id } } } }"""
_CREATE_SESSION = """mutation($project: ID!) {
  createChatSession(input: { projectId: $project, enableRag: false, maxTokens: 100000 }) {
  ... on CreateChatSessionPayload { chatSession { id } } } }"""
_SEND = """mutation($session: ID!, $content: String!) { sendMessage(input: { sessionId: $session, content: $content }) {
  ... on SendMessagePayload { answer { id } } } }"""
_EVENTS = "subscription($id: ID!) { answerEvents(messageId: $id) { sequence } }"


def long_answer() -> list[str]:
    """A piece for each token: words with what follows them."""
    sections = (_SECTION.format(number=number) for number in itertools.count(1))
    words = (piece for section in sections for piece in section.replace(" ", " \0").split("\0"))
    return list(itertools.islice(words, TOKENS))


def answer(body: Body) -> list[str]:
    """The long answer if it is asked for, and a section otherwise."""
    long = "everything" in body["messages"][-1]["content"]
    return long_answer() if long else [_SECTION.format(number=len(body["messages"]))]


class PacedServer(OpenAIServer):
    """A model that says so many tokens per second, as long as nobody holds it up."""

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        async def paced() -> AsyncGenerator[bytes]:
            began = time.monotonic()
            async for number, frame in enumerated(frames):
                yield frame
                await asyncio.sleep(max(0.0, began + number / PER_SECOND - time.monotonic()))

        return super().stream(request, paced(), media_type)


async def enumerated(frames: AsyncGenerator[bytes]) -> AsyncGenerator[tuple[int, bytes]]:
    """Each frame and how many there have been."""
    number = 0
    async for frame in frames:
        number += 1
        yield number, frame


class Server:
    """GraphQL operations on the server."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self._http, self.url = http, url

    async def run(self, query: str, **variables: Json) -> Json:
        """The data of an operation."""
        sent = await self._http.post(f"{self.url}/graphql", json={"query": query, "variables": variables})
        return sent.raise_for_status().json()["data"]

    async def create_session(self, name: str) -> str:
        """The id of a new chat session in a project without documents."""
        project = (await self.run(_CREATE_PROJECT, name=name))["createProject"]["project"]["id"]
        created = await self.run(_CREATE_SESSION, project=project)
        return created["createChatSession"]["chatSession"]["id"]

    async def ask(self, session: str, content: str) -> None:
        """Ask, and read the events of the answer to their end."""
        sent = await self.run(_SEND, session=session, content=content)
        listen = {"query": _EVENTS, "variables": {"id": sent["sendMessage"]["answer"]["id"]}}
        await self._http.post(f"{self.url}/graphql", json=listen, headers={"accept": "text/event-stream"})


async def inspect(page: Page) -> Json:
    """A connection to the browser's own measurements of the page, in processor time where it measures durations."""
    devtools = cast("Any", await page.context.new_cdp_session(page))  # its types are unknown
    await devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    return devtools


async def main_thread_ms(devtools: Json) -> float:
    """How long the page's main thread has worked."""
    metrics = (await devtools.send("Performance.getMetrics"))["metrics"]
    return 1000 * next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")


async def measure_frames(page: Page, action: Callable[[], Awaitable[Json]]) -> dict[str, Json]:
    """Frame times and processor time while something is done, and the heap after it."""
    devtools = await inspect(page)
    await page.evaluate(_RECORD)
    before = await main_thread_ms(devtools)
    done = await action()
    worked = await main_thread_ms(devtools) - before
    frames = [float(frame) for frame in await page.evaluate(_RECORDED)]
    spread = percentiles(frames)
    await devtools.send("HeapProfiler.collectGarbage")
    heap = await devtools.send("Runtime.getHeapUsage")
    return {
        "seconds": round(sum(frames) / 1000, 1),
        "frames": len(frames),
        "p50_ms": round(spread.p50, 1),
        "p95_ms": round(spread.p95, 1),
        "longest_ms": round(spread.worst, 1),
        "over_100_ms": sum(frame > 100 for frame in frames),
        "main_thread_s": round(worked / 1000, 1),
        "main_thread_ms_per_frame": round(worked / len(frames), 1),
        "heap_mb": round(heap["usedSize"] / 1e6, 1),
        "done": done,
    }


async def see_first(chromium: Browser, server: Server) -> dict[str, Json]:
    """Open the page for the first time, several times."""
    await server.create_session("First view")
    seen: list[dict[str, Json]] = []
    for _ in range(VISITS):
        async with visiting(chromium) as page:
            await page.goto(server.url, wait_until="commit")
            await page.wait_for_selector("textarea")
            seen.append(await page.evaluate(_FIRST_VIEW))
    return {name: statistics.median(each[name] for each in seen) for name in seen[0]}


async def stream(page: Page, server: Server) -> dict[str, Json]:
    """Ask for the long answer and follow it to its end."""
    await page.goto(f"{server.url}/c/{await server.create_session('Streaming')}")
    field = page.get_by_role("textbox", name="Your question")
    await field.fill("Tell me everything")

    devtools = await inspect(page)

    async def ask() -> dict[str, Json]:
        await field.press("Enter")
        samples: list[tuple[int, int, float]] = []
        while not await page.evaluate(_COMPLETE):
            length, frames = await page.evaluate(_PROGRESS)
            samples.append((length, frames, await main_thread_ms(devtools)))
            await asyncio.sleep(0.3)
        return {"tokens": TOKENS, "quarters": list(quarters(samples))}

    return await measure_frames(page, ask)


def quarters(samples: Sequence[tuple[int, int, float]]) -> Iterator[dict[str, float]]:
    """What each quarter of a text costs, from samples of its length, the number of frames, and the time worked."""
    longest = samples[-1][0]
    cuts = [next(sample for sample in samples if sample[0] >= longest * part / 4) for part in range(5)]
    for (length, frames, worked), (next_length, next_frames, next_worked) in itertools.pairwise(cuts):
        tokens = TOKENS * (next_length - length) / longest
        yield {
            "ms_per_1000_tokens": round(1000 * (next_worked - worked) / tokens),
            "ms_per_frame": round((next_worked - worked) / (next_frames - frames), 1),
        }


async def read_back(page: Page, server: Server) -> dict[str, Json]:
    """Open a chat of many messages and scroll to its beginning."""
    session = await server.create_session("Reading back")
    for number in range(MESSAGES // 2):
        await server.ask(session, f"Question {number}: what does a bicycle cost?")
    await page.goto("about:blank")
    await page.goto(f"{server.url}/c/{session}", wait_until="commit")
    await page.get_by_role("article", name="Answer").last.wait_for()
    page.set_default_timeout(600_000)

    async def scroll() -> str:
        return f"{await page.evaluate(_UP)} messages read"

    return await measure_frames(page, scroll)


async def main() -> None:
    """Print the figures as JSON."""
    browser = find_chromium()
    if browser is None:
        sys.exit("Chromium is not installed.")
    with running(PacedServer(answer, models=[_MODEL])) as model, tempfile.TemporaryDirectory() as folder:
        values = {
            "database_url": f"sqlite:///{Path(folder) / 'footnote.db'}",
            "openai_base_url": model.url,
            "chat_model": "openai/chat",
        }
        with serve(Settings.model_validate(values)) as url:
            async with httpx.AsyncClient(timeout=60) as http, running_chromium(browser) as chromium:
                print(json.dumps({"first view": await see_first(chromium, Server(http, url))}))
                for name, run in (("streaming", stream), ("reading back", read_back)):
                    async with visiting(chromium) as page:
                        figures = await run(page, Server(http, url))
                        print(json.dumps({name: figures}))


if __name__ == "__main__":
    asyncio.run(main())
