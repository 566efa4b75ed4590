"""Servers on one database whose process ids say nothing of each other, as in containers with the same host name."""

import os
import subprocess
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache

import httpx
import pytest

from app.settings import Settings
from tests.answers import openai
from tests.graphql.client import EVENTS, SEND, Client
from tests.processes.test_workers import GatedServer
from tests.servers.running import running
from tests.serving import serve, serve_in_process

STATUS = "query($id: ID!) { message(id: $id) { status content } }"
HERE: Sequence[str] = ()
# Only root may make one without another for users.
_RIGHTS = () if os.geteuid() == 0 else ("--map-root-user",)
IN_A_CONTAINER = ("unshare", *_RIGHTS, "--pid", "--mount-proc", "--kill-child")


@cache
def _has_namespaces() -> bool:
    try:
        return subprocess.run([*IN_A_CONTAINER, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@contextmanager
def served(values: dict[str, str], under: Sequence[str]) -> Generator[str]:
    """The address of a server in the namespace of this process, as part of it, or in one of its own."""
    if under is HERE:
        with serve(Settings.model_validate(values)) as address:
            yield address
    else:
        environment = {name.upper(): value for name, value in values.items()}
        with serve_in_process(environment, stderr=subprocess.DEVNULL, under=under) as (_, address):
            yield address


@pytest.mark.parametrize(
    ("first", "second"),
    [(IN_A_CONTAINER, IN_A_CONTAINER), (HERE, IN_A_CONTAINER), (IN_A_CONTAINER, HERE)],
    ids=["both have the same process id", "the first is not seen", "the second sees other processes"],
)
async def test_a_server_leaves_the_answers_of_one_in_another_namespace_alone(
    database_url: str, first: Sequence[str], second: Sequence[str]
) -> None:
    if not _has_namespaces():
        pytest.skip("no namespaces of process ids can be made here")
    model = GatedServer()
    with running(model), ExitStack() as stack:
        stack.callback(model.gate.set)
        values = {"database_url": database_url, **openai(model)}
        async with httpx.AsyncClient(timeout=60) as http:
            answering = Client(http, stack.enter_context(served(values, first)))
            session = await answering.session(await answering.project("Half"), enableRag=False)
            answer: str = (await answering.mutate(SEND, sessionId=session, content="Go on."))["answer"]["id"]
            other = Client(http, stack.enter_context(served(values, second)))
            assert (await other.run(STATUS, id=answer))["message"]["status"] in ("PENDING", "STREAMING")
            model.gate.set()
            assert (await other.follow(EVENTS, id=answer))[-1]["__typename"] == "AnswerCompleted"
            assert (await answering.run(STATUS, id=answer))["message"]["content"] == "Half an answer."
