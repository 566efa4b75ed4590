"""Models from GGUF files, run by real servers in child processes: conversations, the OpenAI API, bad files."""

import json
import os
import random
from pathlib import Path
from typing import Any

import httpx
import pytest

from app import errors, services
from app.settings import Settings
from tests.answers import TEXT, Start, final
from tests.conftest import MakeSettings
from tests.prompt.counted_texts import prompts
from tests.providers.local_models import open_session
from tests.servers import gguf
from tests.servers.llamacpp import CHAT, EMBEDDING

pytestmark = pytest.mark.usefixtures("models")

CREATE = """mutation($input: CreateChatSessionInput!) { createChatSession(input: $input) {
  __typename ... on ValidationError { issues { path message } } } }"""
SEARCH = "query($input: SearchInput!) { search(input: $input) { notices { code } edges { rerankScore } } }"

PREVIEW = "query($input: PreviewAnswerInput!) { previewAnswer(input: $input) { messages { role } } }"


@pytest.fixture(scope="module")
def models() -> None:
    gguf.require_models()


async def test_a_conversation_over_documents(start: Start) -> None:
    client = start(**gguf.settings(embedding_model=f"llamacpp/{EMBEDDING}"))
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    session = await client.session(project, grounding="OPEN", maxTokens=4)
    turns = [await final(client, session, text) for text in ("Until when can goods be returned?", "And software?")]
    for turn in turns:
        assert (turn["status"], turn["finishReason"]) == ("COMPLETED", "LENGTH"), turn
        assert turn["content"]
        assert turn["usage"]["model"] == f"llamacpp/{gguf.WRITER}"
        # The count of the budget is the model's own, and so are the window and the limit of the answer.
        assert turn["budget"]["counting"] == "EXACT"
        assert turn["usage"]["inputTokens"] == turn["budget"]["inputTokens"]
        assert turn["usage"]["outputTokens"] == 4
        assert turn["budget"]["contextWindow"] == 2048
    assert "INCLUDED" in [candidate["decision"] for candidate in turns[0]["budget"]["candidates"]]
    assert {segment["kind"] for segment in turns[1]["budget"]["segments"]} >= {"HISTORY", "CONTEXT"}
    assert len(gguf.children(os.getpid())) == 2


async def test_the_counts_of_fifty_texts_are_the_models_own(start: Start) -> None:
    client = start(**gguf.settings(llamacpp_folder=str(CHAT.parent), chat_model=f"llamacpp/{CHAT.name}"))
    project = await client.project("Counted")
    for kind, [*_, message] in prompts(50, random.Random(7)):  # noqa: S311 - the same each time
        session = await client.session(project, enableRag=False, systemPrompt="You are brief.", maxTokens=1)
        turn = await final(client, session, f"{kind}: {message.content}")
        assert turn["budget"]["counting"] == "EXACT", turn
        assert turn["budget"]["inputTokens"] == turn["usage"]["inputTokens"], (kind, message.content)


async def test_a_prompt_never_exceeds_the_window(start: Start) -> None:
    client = start(**gguf.settings(llamacpp_num_ctx=600))
    message = await final(client, await open_session(client), "word " * 1000)
    assert (message["status"], message["failure"]["code"]) == ("FAILED", "CONTEXT_TOO_LONG")


async def test_the_openai_api_relays_the_models_stream(start: Start) -> None:
    client = start(**gguf.settings())
    messages = [{"role": "user", "content": "Say hello."}]
    # What only llama.cpp understands reaches it: the model would end after a word.
    body: Any = {"messages": messages, "max_tokens": 8, "ignore_eos": True, "stream": True}
    async with httpx.AsyncClient(timeout=120) as http:
        streamed = await http.post(f"{client.url.removesuffix('/graphql')}/v1/chat/completions", json=body)
        whole = await http.post(
            f"{client.url.removesuffix('/graphql')}/v1/chat/completions", json={**body, "stream": False}
        )
    chunks = [json.loads(line[6:]) for line in streamed.text.splitlines() if line.startswith("data: {")]
    assert chunks[-1]["choices"][0]["finish_reason"] == "length"
    assert all("prompt_progress" not in chunk for chunk in chunks)
    assert {chunk["model"] for chunk in chunks} == {gguf.WRITER}
    assert whole.json()["usage"]["completion_tokens"] == 8


async def test_a_reranker_scores_what_was_found(start: Start) -> None:
    client = start(rerank_model=f"llamacpp/{EMBEDDING}", rerank_seconds=60)
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    await client.ready(project, "Goods", "Goods are sent by post.")
    found = (await client.run(SEARCH, input={"projectId": project, "query": "goods", "rerank": True}))["search"]
    assert found["notices"] == []
    assert [isinstance(edge["rerankScore"], float) for edge in found["edges"]] == [True, True]


async def test_users_cannot_name_other_files(start: Start) -> None:
    client = start(**gguf.settings())
    project = await client.project("Curious")
    for name in (f"llamacpp/{CHAT}", "llamacpp//etc/passwd", f"llamacpp/../{gguf.WRITER}"):
        refused = await client.mutate(CREATE, projectId=project, model=name)
        assert refused["issues"] == [
            {"path": ["model"], "message": f"There is no model “{name}” here; there is llamacpp/{gguf.WRITER}."}
        ]
    assert gguf.children(os.getpid()) == []


@pytest.mark.parametrize(
    ("variable", "content", "problem"),
    [
        ("chat_model", None, "cannot be opened: there is no file "),
        ("embedding_model", None, "cannot be opened: there is no file "),
        ("chat_model", b"", "is not a GGUF file."),
        ("chat_model", b"%PDF-1.7", "is not a GGUF file."),
        ("chat_model", b"GGUF\1\0\0\0" + bytes(16), "is of GGUF version 1; 2 and 3 are supported."),
        ("chat_model", b"GGUF\3\0\0\0" + bytes(4), "is not a whole GGUF file: it is damaged, or its download"),
        ("chat_model", b"GGUF\3\0\0\0" + b"\xff" * 64, "is not a whole GGUF file: it is damaged, or its download"),
        ("chat_model", "half", "is not a whole GGUF file: it is damaged, or its download has not finished."),
        ("chat_model", EMBEDDING, "holds a model that computes vectors and cannot write (bert)."),
        ("embedding_model", CHAT, "holds a model that writes and computes no vectors (llama)."),
    ],
)
async def test_a_file_that_is_no_model_stops_the_start(
    make_settings: MakeSettings, tmp_path: Path, variable: str, content: bytes | Path | str | None, problem: str
) -> None:
    file = content if isinstance(content, Path) else tmp_path / "model.gguf"
    if content == "half":
        whole = CHAT.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
    elif isinstance(content, bytes):
        file.write_bytes(content)
    settings: Settings = make_settings(**{variable: f"llamacpp/{file}"})
    with pytest.raises(errors.StartError) as raised:
        async with services.open_backend(settings, "ask"):
            pass
    assert raised.value.message.startswith(f"{variable.upper()}=llamacpp/{file} {problem}")


async def test_a_small_model_gets_a_small_prompt_whatever_its_file_is_called(start: Start, tmp_path: Path) -> None:
    writer = gguf.writer()
    assert writer
    (tmp_path / "model.gguf").symlink_to(writer)
    settings = gguf.settings(llamacpp_folder=str(tmp_path), chat_model="llamacpp/model.gguf")
    client = start(**settings)
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    asked = {"projectId": project, "content": "Until when can goods be returned?"}
    preview = (await client.run(PREVIEW, input=asked))["previewAnswer"]
    assert [message["role"] for message in preview["messages"]] == ["system", "user", "assistant", "user"], "an example"
