"""How sure an answer is: what is refused, what is told, and what stays with the message."""

import pytest

from tests.graphql.chat.test_citing import garden, number
from tests.graphql.client import Client, Json
from tests.graphql.conftest import Scripted
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body

CONFIDENCE = """query($id: ID!) { message(id: $id) {
  content outcome confidence notices { code } citations { label } replyTo { confidence } } }"""
EXTRACTIVE = "embedded/extractive"
GREETING = "Good morning! I have just moved into a new house and my aunt left me all of her plants. "


async def told(client: Client, session: str, question: str) -> Json:
    """The final answer to a question."""
    return (await client.run(CONFIDENCE, id=await client.answered(session, question)))["message"]


@pytest.mark.parametrize(
    "question",
    ["How often do ferns need water?", "When do the roses bloom?", f"{GREETING}How often do cacti need water?"],
)
async def test_the_embedded_answerer_answers_what_stands_in_the_sources(scripted: Scripted, question: str) -> None:
    client = scripted(OpenAIServer())
    message = await told(client, await garden(client, ragThreshold=0.0, model=EXTRACTIVE), question)
    assert (message["outcome"], message["notices"]) == ("CITED", [])
    assert 0.4 < message["confidence"] <= 1
    assert message["replyTo"]["confidence"] is None


@pytest.mark.parametrize(
    ("question", "refusal"),
    [
        ("Who won the chess championship in Reykjavik?", "The sources do not contain the answer to this question."),
        ("Which plants were sold in 1987?", "The sources do not contain the answer to this question."),
        ("怎么煮米饭", "资料中没有这个问题的答案。"),
        ("Wer hat die Meisterschaft in Reykjavik gewonnen?", "Die Quellen enthalten keine Antwort auf diese Frage."),
        ("Quel est le champion de Reykjavik ?", "Les sources ne contiennent pas la réponse à cette question."),
        ("¿Quién es el campeón de Reykjavik?", "Las fuentes no contienen la respuesta a esta pregunta."),
        ("Chi è il campione di Reykjavik?", "The sources do not contain the answer to this question."),
    ],
)
async def test_the_embedded_answerer_refuses_what_they_do_not_hold_in_the_language_of_the_question(
    scripted: Scripted, question: str, refusal: str
) -> None:
    client = scripted(OpenAIServer())
    message = await told(client, await garden(client, ragThreshold=0.0, model=EXTRACTIVE), question)
    assert (message["outcome"], message["citations"], message["confidence"]) == ("INSUFFICIENT", [], None)
    assert message["content"] == refusal


def repeat_ferns(body: Body) -> list[str]:
    """The answer of a model that repeats what the sources say, whatever was asked."""
    return [f"Ferns need water every day [{number(body, 'Ferns')}]."]


async def test_a_model_that_answers_without_sources_for_it_is_found_out(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(repeat_ferns))
    session = await garden(client, ragThreshold=0.0)
    right = await told(client, session, "How often do ferns need water?")
    assert (right["outcome"], right["notices"]) == ("CITED", [])
    beside = await told(client, session, "Who won the chess championship in Reykjavik in 1972?")
    assert (beside["outcome"], [each["code"] for each in beside["notices"]]) == ("CITED", ["INSUFFICIENT_SOURCES"])
    assert beside["confidence"] < 0.35 < 0.6 < right["confidence"]


async def test_what_the_sources_do_not_support_is_unlikely(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(lambda body: [f"Dragons breathe fire in winter [{number(body, 'Ferns')}]."]))
    message = await told(client, await garden(client), "How often do ferns need water?")
    assert [each["code"] for each in message["notices"]] == ["WEAK_CITATION"]
    assert message["confidence"] < 0.4


async def test_an_answer_that_cites_nothing_has_no_confidence(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(lambda _: ["Ferns need water every day."]))
    message = await told(client, await garden(client, grounding="OPEN"), "How often do ferns need water?")
    assert (message["outcome"], message["confidence"]) == ("UNCITED", None)
