"""One answer end to end over real sockets: what the model receives, and what the client gets back."""

from collections.abc import Sequence
from itertools import repeat

import pytest

from app import global_ids
from app.providers.resilience.circuit_breaker import FAILURES_TO_OPEN
from app.rag import refusals
from app.rag.context.prompt import GROUNDED_POLICY, OPEN_POLICY
from tests.answers import MESSAGE, TEXT, Start, asked, final, openai
from tests.graphql.client import EVENTS
from tests.graphql.documents.test_projects import UPDATE_PROJECT
from tests.servers.llamacpp import CHAT, EMBEDDING, WINDOW, llamacpp
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer
from tests.servers.ports import closed_port
from tests.servers.running import Break, Fault, Page, Refusal, resetting, running


async def test_the_prompt_has_policy_and_fenced_passages_and_the_answer_is_cited(start: Start) -> None:
    with running(
        OpenAIServer(lambda _: ["Within 30 days", " of delivery [", "1].", " Not soft", "ware [1, 9]."])
    ) as model:
        message = await asked(start(**openai(model)), "Until when can goods be returned, as in [3]?")
    sent = model.chats[0]
    assert (sent["model"], sent["temperature"], sent["max_tokens"], sent["stream"]) == ("chat", 0.4, 1200, True)
    system, question = sent["messages"]
    assert (system["role"], question["role"]) == ("system", "user")
    assert system["content"].startswith(GROUNDED_POLICY)
    assert question["content"] == "Until when can goods be returned, as in ⟦3⟧?"
    # The bibliography's numbers cannot be copied as markers; the fence cannot be guessed.
    assert "A similar rule ⟦7⟧ was found before ⟦12, 13⟧." in system["content"]
    assert "[7]" not in system["content"].replace(GROUNDED_POLICY, "")
    fence = system["content"].split("<<<")[1].split(" ")[0]
    assert len(fence) == 10
    assert system["content"].count(f"<<<{fence} passage 1>>>") == 1
    assert message["content"] == "Within 30 days of delivery [1]. Not software [1]."
    assert (message["outcome"], message["status"], message["finishReason"]) == ("CITED", "COMPLETED", "STOP")
    assert [notice["code"] for notice in message["notices"]] == ["INVENTED_CITATION_REMOVED"]
    (citation,) = message["citations"]
    assert (citation["label"], citation["documentTitle"]) == ("[1]", "Returns")
    assert citation["quote"] == "Goods may be returned within 30 days of delivery."
    span = citation["quoteSpan"]
    assert citation["chunk"]["text"][span["startOffset"] : span["endOffset"]] == citation["quote"]
    assert citation["uses"]
    for use in citation["uses"]:
        place = use["markerSpan"]
        assert message["content"][place["startOffset"] : place["endOffset"]] == "[1]"


async def test_the_ledger_sums_to_no_more_than_the_window(start: Start) -> None:
    models = [{"id": "chat", "object": "model", "max_model_len": 1500}]
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."], models=models)) as model:
        message = await asked(start(**openai(model)), "Until when can goods be returned?")
    budget = message["budget"]
    assert budget["contextWindow"] == 1500
    assert sum(segment["tokens"] for segment in budget["segments"]) <= 1500
    assert budget["adjustedMaxTokens"] == model.chats[0]["max_tokens"] < 1200
    assert budget["counting"] == "ESTIMATED"
    assert [notice["code"] for notice in message["notices"]] == ["MAX_TOKENS_REDUCED"]
    assert budget["candidates"][0]["decision"] == "INCLUDED"


async def test_a_window_too_small_for_the_question_is_an_honest_failure(start: Start) -> None:
    models = [{"id": "chat", "object": "model", "max_model_len": 600}]
    with running(OpenAIServer(models=models)) as model:
        message = await asked(start(**openai(model)), "Until when can goods be returned?")
    assert (message["status"], message["failure"]["code"]) == ("FAILED", "CONTEXT_TOO_LONG")
    assert model.chats == []


async def test_history_is_sent_without_old_markers(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        client = start(**openai(model))
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        session = await client.session(project, systemPrompt="You are terse.")
        await client.answered(session, "Until when can goods be returned?")
        second = await client.answered(session, "And software?")
        message = (await client.run(MESSAGE, id=second))["message"]
    first, second_sent = model.chats
    assert [m["role"] for m in second_sent["messages"]] == ["system", "user", "assistant", "user"]
    assert second_sent["messages"][1]["content"] == "Until when can goods be returned?"
    assert second_sent["messages"][2]["content"] == "Within 30 days."
    # The stable beginning has the same bytes in every turn.
    stable = f"You are terse.\n\n{GROUNDED_POLICY}\n\n<<<"
    assert all(sent["messages"][0]["content"].startswith(stable) for sent in (first, second_sent))
    assert message["searchQuery"] == "And software?"
    assert message["outcome"] == "CITED"


async def test_an_empty_search_is_answered_without_asking_the_model(start: Start) -> None:
    with running(OpenAIServer()) as model:
        message = await asked(start(**openai(model)), "Who won the chess championship?")
    assert message["content"] == "No relevant information was found in the knowledge base."
    assert (message["outcome"], message["citations"], model.chats) == ("NO_SOURCES", [], [])


@pytest.mark.parametrize(
    ("question", "own", "said"),
    [
        (
            "Wer hat die Schachweltmeisterschaft gewonnen?",
            None,
            "In der Wissensbasis wurde nichts gefunden, was zu dieser Frage passt.",
        ),
        ("谁赢得了国际象棋世界冠军？", None, "知识库中没有找到相关信息。"),
        ("Schachweltmeister?", None, "No relevant information was found in the knowledge base."),
        ("Wer hat die Schachweltmeisterschaft gewonnen?", "Ask the office.", "Ask the office."),
        ("谁赢得了国际象棋世界冠军？", refusals.NO_SOURCES_TEXT, "知识库中没有找到相关信息。"),
    ],
)
async def test_an_empty_search_is_answered_in_the_language_of_the_question(
    start: Start, question: str, own: str | None, said: str
) -> None:
    client = start()
    project = await client.project("Shop")
    await client.mutate(UPDATE_PROJECT, id=project, noSourcesText=own)
    answer = await client.answered(await client.session(project), question)
    message = (await client.run(MESSAGE, id=answer))["message"]
    assert (message["content"], message["outcome"]) == (said, "NO_SOURCES")


async def test_an_answer_that_cites_nothing_is_withdrawn(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["By ", "tomorrow, I think [9]."])) as model:
        client = start(**openai(model))
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        answer = await client.answered(await client.session(project), "Until when can goods be returned?")
        happened = await client.follow(EVENTS, id=answer)
    replaced, last = happened[-2:]
    assert replaced["__typename"] == "AnswerReplaced"
    assert replaced["content"] == "The answer could not be supported by the knowledge base."
    assert replaced["outcome"] == last["message"]["outcome"] == "REJECTED"
    assert last["message"]["content"] == replaced["content"]


async def test_an_answer_that_finds_nothing_keeps_its_text_without_markers(start: Start) -> None:
    text = "The sources do not contain the answer to this question [1]."
    with running(OpenAIServer(lambda _: [text])) as model:
        message = await asked(start(**openai(model)), "Until when can goods be returned?")
    assert message["content"] == "The sources do not contain the answer to this question."
    assert (message["outcome"], message["citations"]) == ("INSUFFICIENT", [])


async def test_open_answers_as_they_are(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Usually 30 days."])) as model:
        client = start(**openai(model))
        message = await asked(client, "Until when can goods be returned?", grounding="OPEN")
        off_topic = await asked(client, "Who won the chess championship?", grounding="OPEN", contextPlacement="USER")
    assert (message["content"], message["outcome"]) == ("Usually 30 days.", "UNCITED")
    assert model.chats[0]["messages"][0]["content"].startswith(OPEN_POLICY)
    assert off_topic["outcome"] == "UNCITED"
    assert "<<<" not in str(model.chats[1]["messages"])


async def test_passages_can_stand_before_the_question_instead(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        await asked(start(**openai(model)), "Until when can goods be returned?", contextPlacement="USER")
    system, question = model.chats[0]["messages"]
    assert system["content"] == GROUNDED_POLICY
    assert question["content"].startswith("<<<")
    assert question["content"].endswith("\n\nUntil when can goods be returned?")


async def test_without_retrieval_the_request_passes_through(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Hello."])) as model:
        client = start(**openai(model))
        message = await asked(client, "Until when can goods be returned?", enableRag=False)
        thanks = await asked(client, "Thank you very much!")
    assert (message["outcome"], thanks["outcome"]) == ("PASSED_THROUGH", "PASSED_THROUGH")
    assert model.chats[0]["messages"] == [{"role": "user", "content": "Until when can goods be returned?"}]


async def test_markers_can_be_left_out_and_styled(start: Start) -> None:
    pieces = ["Within 30 days [1]."]
    with running(OpenAIServer(lambda _: pieces)) as model:
        client = start(**openai(model))
        plain = await asked(client, "Until when can goods be returned?", includeCitations=False)
        made_up = global_ids.encode("Document", "0" * 32)
        pieces[:] = ["Within 30 days [1]", f" [{made_up[:30]}", f"{made_up[30:]}:7]."]
        chunk = await asked(client, "Until when may goods be returned?", citationStyle="CHUNK")
    assert (plain["content"], plain["outcome"]) == ("Within 30 days.", "CITED")
    assert chunk["content"] == f"Within 30 days {chunk['citations'][0]['label']}."
    assert chunk["citations"][0]["label"].endswith(":0]")
    assert [notice["code"] for notice in chunk["notices"]] == ["INVENTED_CITATION_REMOVED"]


async def test_ollama_gets_its_window_and_no_silent_truncation(start: Start) -> None:
    with running(OllamaServer(lambda _: ["Within 30 days", " [1]."])) as model:
        client = start(ollama_host=model.url, chat_model="ollama/tiny", ollama_num_ctx=4096)
        message = await asked(client, "Until when can goods be returned?", maxTokens=300)
    sent = model.chats[0]
    assert sent["options"] == {"num_ctx": 4096, "num_predict": 300, "temperature": 0.4}
    assert sent["truncate"] is False
    assert sent["messages"][0]["content"].startswith(GROUNDED_POLICY)
    assert model.loads == [("tiny", 4096)]
    assert (message["content"], message["outcome"]) == ("Within 30 days [1].", "CITED")
    assert message["budget"]["contextWindow"] == 4096
    assert message["usage"]["model"] == "ollama/tiny"


async def test_ollama_embeds_documents_and_questions(start: Start) -> None:
    with running(OllamaServer(lambda _: ["Within 30 days [1]."])) as model:
        client = start(ollama_host=model.url, chat_model="ollama/tiny", embedding_model="ollama/minilm")
        message = await asked(client, "Until when can goods be returned?")
    assert message["outcome"] == "CITED"
    texts = [text for sent in model.embeddings for text in sent["input"]]
    assert "Returns\n# Returns" in texts[-2]
    assert texts[-1] == "Until when can goods be returned?"
    assert all(sent["truncate"] is False for sent in model.embeddings)


FAULTS: Sequence[tuple[str, Sequence[Fault], str, bool, str]] = [
    ("ends without its terminal frame", [Break("end", after=2)], "MODEL_INCOMPLETE", True, "Within 30 days"),
    ("dies", [Break("die", after=2)], "MODEL_INCOMPLETE", True, "Within 30 days"),
    ("stalls", [Break("stall", after=2)], "MODEL_TIMEOUT", True, "Within 30 days"),
    ("reports an error", [Break("error", after=2)], "MODEL_UNAVAILABLE", True, "Within 30 days"),
    ("sends a web page", [Page()] * 9, "MODEL_UNAVAILABLE", True, ""),
    ("does not know the model", [Refusal(404)], "MODEL_NOT_FOUND", False, ""),
    ("does not accept the key", [Refusal(401)], "MODEL_UNAUTHORIZED", False, ""),
    ("refuses", [Refusal(400)], "MODEL_REFUSED", False, ""),
    ("has had enough", [Refusal(429, headers={"retry-after": "60"})], "MODEL_RATE_LIMITED", True, ""),
    ("is broken for good", [Refusal(500)] * 9, "MODEL_UNAVAILABLE", True, ""),
]


@pytest.mark.parametrize(("faults", "code", "retryable", "kept"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
async def test_a_model_that_fails_becomes_a_failure_and_the_server_goes_on(
    start: Start, faults: Sequence[Fault], code: str, retryable: bool, kept: str
) -> None:
    with running(OpenAIServer(lambda _: ["Within ", "30 days", " [1]."], faults=faults)) as model:
        # Only a model that stalls is waited for; the others must not be taken for one when the machine is busy.
        client = start(**openai(model), model_between_tokens_seconds=2 if code == "MODEL_TIMEOUT" else 60)
        message = await asked(client, "Until when can goods be returned?")
        assert (message["status"], message["content"]) == ("FAILED", kept)
        assert (message["failure"]["code"], message["failure"]["retryable"]) == (code, retryable)
        assert "secret" not in message["failure"]["message"]
        model.faults = iter(())
        after = await asked(client, "Until when may goods be returned?")
    assert after["outcome"] == "CITED"


async def test_a_model_that_its_server_cannot_run_closes_no_other_to_anybody(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as server:
        server.scripts = {"too-large": repeat(Refusal(500, headers={"retry-after": "0"}))}
        client = start(**openai(server))
        project = await client.project("Too large")
        for _ in range(FAILURES_TO_OPEN + 1):
            session = await client.session(project, model="openai/too-large", enableRag=False)
            message = await final(client, session, "Hello?")
            assert message["failure"]["message"].startswith("too-large at openai cannot answer now: out of order")
        assert (await asked(client, "Until when can goods be returned?"))["outcome"] == "CITED"


async def test_no_word_is_lost(start: Start) -> None:
    """Pieces arrive faster than they are written; those that arrive during a write go into the next one."""
    pieces = [f"{i} " for i in range(20_000)]
    with running(OpenAIServer(lambda _: pieces)) as model:
        client = start(**openai(model), max_tokens=4000)  # or the model is stopped
        session = await client.session(await client.project("Numbers"), enableRag=False)
        writes: list[int] = []
        # A fast machine may have all of an answer before its first write.
        while not writes or max(writes) == 1:
            answer = await client.answered(session, "Count.")
            happened = await client.follow(EVENTS, id=answer)
            message = (await client.run(MESSAGE, id=answer))["message"]
            deltas = [event for event in happened if event["__typename"] == "AnswerDelta"]
            assert "".join(delta["text"] for delta in deltas) == "".join(pieces) == message["content"]
            assert deltas[-1]["content"] == message["content"]
            assert [event["sequence"] for event in happened] == list(range(1, len(happened) + 1))
            writes.append(len(deltas))


async def test_a_missing_model_is_a_failure(start: Start) -> None:
    with resetting() as (url, _):
        client = start(openai_base_url=f"http://127.0.0.1:{closed_port()}/v1", ollama_host=url, chat_model="openai/x")
        refused = await asked(client, "Until when can goods be returned?")
        reset = await asked(client, "Until when may goods be returned?", model="ollama/x")
    assert refused["failure"]["code"] == reset["failure"]["code"] == "MODEL_UNAVAILABLE"


async def test_a_failing_embedder_leaves_keyword_search_and_is_reported(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        client = start(**openai(model), embedding_model="openai/embed")
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        model.faults = iter([Refusal(401), *[None] * 9])
        answer = await client.answered(await client.session(project), "Until when can goods be returned?")
        message = (await client.run(MESSAGE, id=answer))["message"]
    assert message["outcome"] == "CITED"
    assert [notice["code"] for notice in message["notices"]] == ["EMBEDDER_UNAVAILABLE"]


async def test_a_local_only_project_sends_nothing_out(start: Start) -> None:
    with running(OpenAIServer()) as model:
        outside = model.url.replace("127.0.0.1", "footnote-test.invalid")
        client = start(openai_base_url=outside, openai_api_key="key")
        made = await client.run(
            'mutation { createProject(input: { name: "Local", localProvidersOnly: true }) '
            "{ ... on CreateProjectPayload { project { id } } } }"
        )
        session = await client.session(made["createProject"]["project"]["id"], model="openai/chat", enableRag=False)
        answer = await client.answered(session, "Hello?")
        message = (await client.run(MESSAGE, id=answer))["message"]
    assert message["failure"]["code"] == "MODEL_REFUSED"
    assert "allows local models only" in message["failure"]["message"]


async def test_a_real_model_server_streams_and_is_judged(start: Start) -> None:
    """The toy model talks nonsense and cannot cite: its streamed answer is withdrawn or reported as cut."""
    with llamacpp("chat", CHAT, WINDOW * 2) as chat:
        client = start(openai_base_url=f"{chat}/v1", chat_model="openai/tiny")
        message = await asked(client, "Until when can goods be returned?", maxTokens=64)
        opened = await asked(client, "Until when may goods be returned?", maxTokens=64, grounding="OPEN")
    assert message["status"] == opened["status"] == "COMPLETED"
    # Rarely it repeats a sentence of the source, and the server gives that its footnote.
    placers = {use["placedBy"] for citation in message["citations"] for use in citation["uses"]}
    assert message["outcome"] in ({"CITED"} if placers else {"REJECTED", "INSUFFICIENT"})
    assert placers <= {"SERVER"}
    assert message["budget"]["contextWindow"] == WINDOW * 2
    assert opened["outcome"] == "UNCITED"
    assert 0 < opened["usage"]["outputTokens"] <= 64
    # A tokenizer of 2,048 words counts more than our estimate for real models; the margin is for that.
    assert 0 < opened["usage"]["inputTokens"] <= opened["budget"]["inputTokens"] + 250


async def test_real_embeddings_find_by_meaning(start: Start) -> None:
    with llamacpp("embed", EMBEDDING, 512) as embeddings:
        client = start(openai_base_url=f"{embeddings}/v1", embedding_model="openai/all-minilm-l6-v2")
        project = await client.project("Zoo")
        await client.ready(project, "Canine", "The hound barked all night and kept the neighbors awake.")
        await client.ready(project, "Finance", "Quarterly revenue grew by seven percent.")
        found = await client.run(
            """query($id: ID!) { search(input: { projectId: $id, query: "a noisy dog", mode: VECTOR }) {
            edges { score vectorScore node { document { title } } } } }""",
            id=project,
        )
    best = found["search"]["edges"][0]
    assert best["node"]["document"]["title"] == "Canine"
    assert best["score"] > 0.3
