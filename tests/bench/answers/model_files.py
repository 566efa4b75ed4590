"""Measure a conversation with a model from a GGUF file: when its words begin, turn by turn, and what others notice.

SmolLM2 of 135 million parameters answers questions about the handbook. In the prompts of the profile SMALL, passages
stand beside the question, in those of LARGE in the system prompt; what a turn shares with the one before, from its
beginning on, the model need not read again.
"""

import asyncio
import os
import statistics
import tempfile
import time
from contextlib import suppress

import httpx

from tests.bench.measured import Row, compare_times, timed
from tests.bench.running import Server, serving
from tests.bench.server.starting import until_read
from tests.graphql.client import EVENTS, SEND, Client, subscribe
from tests.servers import gguf

_QUESTIONS = (
    "Which document formats can Footnote read?",
    "And how are scanned PDFs read?",
    "What happens to a document that cannot be read?",
)
_CONVERSATIONS = 3
_MAX_TOKENS = 60
_PROJECT = "{ projects(first: 1) { nodes { id } } }"
_INPUT_TOKENS = "query($id: ID!) { message(id: $id) { usage { inputTokens } } }"


async def measure() -> list[Row]:
    """The first words of three turns with each profile, and how long other requests take meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        values = gguf.settings(llamacpp_num_ctx=8192, max_tokens=_MAX_TOKENS, max_context_tokens=1_000)
        environment = {
            **os.environ,
            **{name.upper(): str(value) for name, value in values.items()},
            "DATABASE_URL": f"sqlite:///{folder}/bench.db",
            "SAMPLE_PROJECT": "true",
        }
        with serving(environment) as server:
            await until_read(server)
            return await _measure_conversations(server)


async def _measure_conversations(server: Server) -> list[Row]:
    async with httpx.AsyncClient(timeout=600) as http:
        client = Client(http, server.url.removesuffix("/graphql"))
        project = (await client.run(_PROJECT))["projects"]["nodes"][0]["id"]
        await _talk(client, project, "SMALL")  # loads the model
        health = server.url.replace("/graphql", "/livez")
        quiet = [await timed(lambda: http.get(health)) for _ in range(300)]
        waits: list[float] = []
        watching = asyncio.create_task(_watch(health, waits))
        rows: list[Row] = []
        for profile in ("SMALL", "LARGE"):
            turns = [await _talk(client, project, profile) for _ in range(_CONVERSATIONS)]
            rows += _compare_turns(profile, turns)
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        return [*rows, compare_times("another request while a model writes", waits, "while none does", quiet)]


def _compare_turns(profile: str, conversations: list[list[tuple[float, int]]]) -> list[Row]:
    """Each turn's first words beside those of the first turn."""
    first = [turns[0][0] for turns in conversations]
    rows: list[Row] = []
    for number, turns in enumerate(zip(*conversations, strict=True), 1):
        tokens = round(statistics.mean(tokens for _, tokens in turns))
        name = f"{profile}: first words, turn {number}, {tokens:,} tokens"
        rows.append(compare_times(name, [wait for wait, _ in turns], "turn 1", first))
    return rows


async def _talk(client: Client, project: str, profile: str) -> list[tuple[float, int]]:
    """Ask in a new chat; for each turn, the milliseconds until its first words, and the tokens of its prompt."""
    session = await client.session(project, promptProfile=profile, grounding="OPEN")
    turns: list[tuple[float, int]] = []
    for question in _QUESTIONS:
        began, first = time.perf_counter(), None
        answer = (await client.mutate(SEND, sessionId=session, content=question))["answer"]["id"]
        async with client.socket() as socket:
            async for event in subscribe(socket, EVENTS, id=answer):
                if first is None and event["__typename"] == "AnswerDelta":
                    first = (time.perf_counter() - began) * 1000
        assert first is not None, question
        tokens = (await client.run(_INPUT_TOKENS, id=answer))["message"]["usage"]["inputTokens"]
        turns.append((first, tokens))
    return turns


async def _watch(url: str, waits: list[float]) -> None:
    async with httpx.AsyncClient(timeout=60) as http:
        while True:
            waits.append(await timed(lambda: http.get(url)))
            await asyncio.sleep(0.02)
