"""The prompt as the model receives it: stable parts first, byte for byte, and passages that cannot escape."""

import itertools
import re
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.knowledge.search.passages import Passage
from app.rag.context import prompt, selection
from app.settings import Settings
from tests.graphql.client import Client
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.serving import serve

QUESTIONS = [f"How many moons does planet number {number} have?" for number in range(5)]
POLICY = "You speak like a captain."


@pytest.fixture
async def http() -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=120) as client:
        yield client


async def sent(http: httpx.AsyncClient, folder: Path, placement: str) -> list[list[dict[str, str]]]:
    """The messages of five turns, as the model received them."""
    model = OpenAIServer(lambda _: ["It has some moons [1]."])
    with running(model):
        values = {
            "database_url": f"sqlite:///{folder / 'footnote.db'}",
            "openai_base_url": model.url,
            "chat_model": "openai/chat",
        }
        with serve(Settings.model_validate(values)) as url:
            client = Client(http, url)
            project = await client.project("prefix")
            for number in range(5):
                text = f"Planet number {number} has {number + 2} moons and one ring."
                await client.ready(project, f"Planet {number}", text)
            session = await client.session(project, systemPrompt=POLICY, contextPlacement=placement)
            for question in QUESTIONS:
                await client.answered(session, question)
    return [body["messages"] for body in model.chats]


async def test_system_prompt_and_policy_are_byte_identical_in_every_turn(
    http: httpx.AsyncClient, tmp_path: Path
) -> None:
    systems = [messages[0]["content"] for messages in await sent(http, tmp_path, "SYSTEM")]
    stable = f"{POLICY}\n\n{prompt.GROUNDED_POLICY}\n\n"
    assert len(systems) == 5
    assert all(system.startswith(stable) for system in systems)
    fences = [re.match(r"<<<(\w+) passage 1>>>", system[len(stable) :]) for system in systems]
    assert len({fence and fence[1] for fence in fences}) == 1, "a session has one fence"


async def test_earlier_turns_are_byte_identical_with_passages_beside_the_question(
    http: httpx.AsyncClient, tmp_path: Path
) -> None:
    turns = await sent(http, tmp_path, "USER")
    assert [len(messages) for messages in turns] == [2, 4, 6, 8, 10]
    for earlier, later in itertools.pairwise(turns):
        assert later[: len(earlier) - 1] == earlier[:-1]
    assert all(messages[-1]["content"].endswith(question) for messages, question in zip(turns, QUESTIONS, strict=True))
    assert "<<<" not in "".join(message["content"] for messages in turns for message in messages[:-1])


FENCES = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=10, max_size=10)
TEXTS = st.text(max_size=200) | st.from_regex(r"(<<<[a-z]{10} (end of )?passage [0-9]>>>\s*){1,3}", fullmatch=True)


def passage(title: str, text: str) -> Passage:
    return Passage(
        chunk_id=1,
        document_id="d",
        document_title=title,
        source=title,
        url=None,
        position=0,
        start_offset=0,
        page=None,
        heading=(title,),
        text=text,
        token_count=1,
        score=0.5,
        vector_score=None,
        lexical_score=None,
    )


@given(fence=FENCES, other=FENCES, title=TEXTS, text=TEXTS)
def test_no_text_can_close_a_fence_with_a_secret_name(fence: str, other: str, title: str, text: str) -> None:
    if fence in title + text:
        return
    block = prompt.render_passage(1, passage(title, text.replace("0", other)), fence)
    assert block.count(f"<<<{fence} passage 1>>>") == 1
    assert block.count(f"<<<{fence} end of passage 1>>>") == 1
    assert block.endswith(f"<<<{fence} end of passage 1>>>")


@st.composite
def similar_texts(draw: st.DrawFn) -> list[str]:
    """Texts that share words, beginnings and ends, some with other white space."""
    parts = draw(st.lists(st.text("ab", min_size=1, max_size=15), min_size=1, max_size=3))
    chosen = [draw(st.lists(st.sampled_from(parts), min_size=1, max_size=4)) for _ in range(8)]
    return [draw(st.sampled_from([" ", "  ", "\n", " \t"])).join("".join(one)) for one in chosen]


@given(similar_texts())
def test_passages_that_differ_only_in_white_space_count_once(texts: list[str]) -> None:
    found = selection.filter_relevant([passage("", text) for text in texts], threshold=0.0, wanted=0)
    distinct = dict.fromkeys(" ".join(text.split()) for text in texts)
    assert [" ".join(one.text.split()) for one in found.candidates] == list(distinct)
    assert len(found.candidates) + len(found.left_out) == len(texts)
