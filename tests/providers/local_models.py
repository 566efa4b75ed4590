"""Shared by tests of models in child processes: sessions, and long answers."""

import os

from tests.graphql.client import EVENTS, SEND, Client, subscribe
from tests.looking import until
from tests.servers import gguf


async def open_session(client: Client, **values: object) -> str:
    """A session in a project of its own, without retrieval."""
    return await client.session(await client.project(f"Chat {os.urandom(4).hex()}"), enableRag=False, **values)


async def begin_long_answer(client: Client, session: str) -> str:
    """The id of an answer that is being written."""
    question = "Write a very long essay about the history of Europe, century by century."
    answer: str = (await client.mutate(SEND, sessionId=session, content=question))["answer"]["id"]
    async with client.socket() as socket:
        async for event in subscribe(socket, EVENTS, id=answer):
            if event["__typename"] == "AnswerDelta":
                return answer
    raise AssertionError("no words came")


async def wait_until_over(*pids: int) -> None:
    """Wait until these processes have ended."""

    async def over() -> bool:
        return not any(map(gguf.is_running, pids))

    await until(over)
