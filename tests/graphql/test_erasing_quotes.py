"""Deleting a document with its quotes: what stored answers and their journals then hold of it."""

import json

from tests.graphql.client import EVENTS, Client, Json
from tests.graphql.conftest import Scripted
from tests.servers.openai import OpenAIServer

DELETE = """mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) {
  __typename ... on DeleteDocumentPayload { deletedDocumentId } ... on Error { message } } }"""
CITED = """query($id: ID!) { message(id: $id) { content citations { documentTitle sourceStatus uses { quote } } } }"""
SECRET = "gooseberries"
ROSES = f"Roses need water twice a week, say {SECRET}. The {SECRET} know."


async def quotes(client: Client, answer: str) -> dict[str, tuple[str, list[str]]]:
    """Status and quotes of each cited document."""
    citations: Json = (await client.run(CITED, id=answer))["message"]["citations"]
    return {each["documentTitle"]: (each["sourceStatus"], [use["quote"] for use in each["uses"]]) for each in citations}


async def test_quotes_are_erased_from_answers_and_journals(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(lambda _: ["Plants need water [1], and again [2]. ", "Water is needed [1]."]))
    project = await client.project("Garden")
    roses = await client.ready(project, "Roses", ROSES, source="roses")
    ferns = await client.ready(project, "Ferns", "Ferns need water every day.")
    session = await client.session(project, ragThreshold=0.01)
    answer = await client.answered(session, "How often do plants need water?")
    before = await quotes(client, answer)
    assert SECRET in "".join(before["Roses"][1])
    # Passages of an earlier version name chunks that are gone.
    assert await client.ready(project, "Roses", f"{ROSES} And more.", source="roses") == roses
    events = await client.follow(EVENTS, id=answer)

    await client.mutate(DELETE, id=ferns)
    assert (await quotes(client, answer))["Ferns"] == ("DELETED", before["Ferns"][1]), "quotes are kept by default"
    deleted = await client.mutate(DELETE, id=roses, eraseQuotes=True)
    assert deleted == {"__typename": "DeleteDocumentPayload", "deletedDocumentId": roses}
    after = await quotes(client, answer)
    assert after["Roses"] == ("DELETED", ["" for _ in before["Roses"][1]])
    assert after["Ferns"] == ("DELETED", before["Ferns"][1])
    replayed = await client.follow(EVENTS, id=answer)
    assert [each["__typename"] for each in replayed] == [each["__typename"] for each in events]
    assert SECRET in json.dumps(events)
    assert SECRET not in json.dumps(replayed)
