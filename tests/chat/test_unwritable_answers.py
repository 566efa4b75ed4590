"""An answer that the database refuses to store, whatever else it stores."""

import pytest

from tests import behind
from tests.answers import TEXT, Start, openai
from tests.conftest import MakeSettings
from tests.graphql.client import EVENTS, SEND, Json, subscribe
from tests.servers.gated import Gated
from tests.servers.running import running

# As damage to the file would, but only for this answer.
REFUSE = """CREATE TRIGGER refuse BEFORE INSERT ON answer_events WHEN NEW.payload LIKE '%unwritable%'
    BEGIN SELECT RAISE(ABORT, 'this cannot be written'); END"""
MESSAGE = """query($id: ID!) { message(id: $id) {
  status content completedAt failure { code retryable } citations { label } notices { code } } }"""


@pytest.mark.parametrize("kept", [{}, {"event_days": 1}], ids=["without events", "with events"])
async def test_an_answer_that_cannot_be_written_fails_with_what_was_written(
    start: Start, make_settings: MakeSettings, kept: Json
) -> None:
    settings = make_settings()
    with running(Gated(["Within 30 days [1]. ", "So it is. ", "unwritable"], before="unwritable")) as model:
        client = start(**openai(model), **kept)
        project = await client.project("Shop")
        await client.ready(project, "Returns", TEXT)
        behind.execute(str(settings.database_url), REFUSE)
        session = await client.session(project)
        answer = (await client.mutate(SEND, sessionId=session, content="When can goods be returned?"))["answer"]["id"]
        last: Json = {}
        async with client.socket() as socket:
            async for event in subscribe(socket, EVENTS, id=answer):
                if "So it is." in event.get("content", ""):
                    model.open.set()
                last = event
        message = (await client.run(MESSAGE, id=answer))["message"]
        assert (last["__typename"], message["status"]) == ("AnswerFailed", "FAILED")
        assert message["failure"] == {"code": "INTERNAL", "retryable": True}
        assert message["completedAt"] is not None
        assert message["content"].strip() == "Within 30 days [1]. So it is."
        assert [citation["label"] for citation in message["citations"]] == ["[1]"]
