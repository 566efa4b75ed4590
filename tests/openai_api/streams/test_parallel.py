"""Fifty requests at once, each with its own model, options and question: none gets another's answer."""

import asyncio
import re
from typing import Any

import pytest

from tests.openai_api.api import OpenAIServer, events, text
from tests.openai_api.conftest import Start
from tests.servers.running import Body, running

Json = Any
COUNT = 50
DOCUMENTS = tuple(f"Planet number{n} has exactly {n + 100} moons." for n in range(COUNT))


def number(body: Body) -> int:
    found = re.search(r"number(\d+) ", body["messages"][-1]["content"])
    assert found
    return int(found[1])


def answer(body: Body) -> list[str]:
    n = number(body)
    return [f"Answer {n} of {body['model']}", *(f" w{i}" for i in range(20)), " [1", f"] end{n}."]


@pytest.mark.parametrize("index", [None, "Docs"], ids=["passed through", "from documents"])
async def test_parallel_requests_never_mix(start: Start, index: str | None) -> None:
    with running(OpenAIServer(answer)) as model:
        api = await start(model, ("\n\n".join(DOCUMENTS),))

        async def ask(n: int) -> str:
            body: Json = {
                "model": f"openai/model-{n}",
                "messages": [{"role": "user", "content": f"How many moons has planet number{n} ?"}],
                "temperature": n / 100,
                "max_tokens": 100 + n,
                "seed": n,
                "stream": n % 2 == 0,
                **({"index_name": index} if index else {}),
            }
            response = await api.post(body)
            assert response.headers["x-footnote-route"] == ("rag" if index else "pass-through"), response.text
            if body["stream"]:
                *chunks, done = events(response)
                assert done == "[DONE]"
                return text(chunks)
            return response.json()["choices"][0]["message"]["content"]

        answers = await asyncio.gather(*map(ask, range(COUNT)))
    assert len(model.chats) == COUNT
    assert {number(sent) for sent in model.chats} == set(range(COUNT))
    for sent in model.chats:
        n = number(sent)
        assert (sent["model"], sent["temperature"], sent["max_tokens"], sent["seed"]) == (
            f"model-{n}",
            n / 100,
            100 + n,
            n,
        )
    words = "".join(f" w{i}" for i in range(20))
    assert answers == [f"Answer {n} of model-{n}{words} [1] end{n}." for n in range(COUNT)]
