"""Score answers: ingest a folder, ask its questions, and count correct, wrong and refused answers.

Everything goes through the front door: `footnote ingest` and `footnote serve` are started as a user starts them, and
each question is asked with a GraphQL client over a WebSocket.

    python -m tests.evaluation.ask --corpus FOLDER [--questions FILE] [--verbose]
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gql import Client, GraphQLRequest
from gql.client import AsyncClientSession
from gql.transport.websockets import WebsocketsTransport

HERE = Path(__file__).parent
PROJECT = "evaluation"
MARKER = re.compile(r"\s*\[\d{1,3}\]")

PROJECTS = "{ projects(first: 1) { nodes { id embeddingSpaces { measuredChunks } } } }"
SESSION = """mutation ($projectId: ID!) { createChatSession(input: { projectId: $projectId }) {
  ... on CreateChatSessionPayload { chatSession { id } } ... on Error { message } } }"""
SEND = """mutation ($sessionId: ID!, $content: String!) {
  sendMessage(input: { sessionId: $sessionId, content: $content }) {
    ... on SendMessagePayload { answer { id status } } ... on Error { message } } }"""
FOLLOW = """subscription ($messageId: ID!) { answerEvents(messageId: $messageId) { __typename sequence
  ... on AnswerDelta { text } ... on AnswerFailed { failure { code message } }
  ... on AnswerCompleted { message { content outcome citations { label documentTitle page
    document { source } uses { quote quoteSpan { startOffset endOffset } markerSpan { startOffset endOffset }
      chunk { text } } } } } } }"""


@dataclass(frozen=True)
class Result:
    """The outcome of one question."""

    question: dict[str, Any]
    content: str
    outcome: str
    deltas: int
    cited: list[str]
    quotes_hold: bool

    @property
    def refused(self) -> bool:
        return self.outcome in ("NO_SOURCES", "REJECTED", "INSUFFICIENT")

    @property
    def correct(self) -> bool:
        if not self.question["answerable"]:
            return self.refused
        plain = " ".join(MARKER.sub("", self.content).lower().split())
        return not self.refused and any(re.search(pattern, plain) for pattern in self.question["accept"])

    @property
    def right_file(self) -> bool:
        return any(source.endswith(f"/{self.question.get('file')}") for source in self.cited)


async def ask(session: AsyncClientSession, project_id: str, question: dict[str, Any]) -> Result:
    """Ask one question in a chat session of its own, and check every citation against its chunk."""
    made = await run(session, SESSION, projectId=project_id)
    sent = await run(
        session, SEND, sessionId=made["createChatSession"]["chatSession"]["id"], content=question["question"]
    )
    deltas, sequence, message = 0, 0, None
    request = GraphQLRequest(FOLLOW, variable_values={"messageId": sent["sendMessage"]["answer"]["id"]})
    async for result in session.subscribe(request):
        event = result["answerEvents"]
        sequence += 1
        assert event["sequence"] == sequence, f"a gap before {event}"
        deltas += event["__typename"] == "AnswerDelta"
        assert event["__typename"] != "AnswerFailed", event
        if event["__typename"] == "AnswerCompleted":
            message = event["message"]
    assert message is not None, "the log ended without a last event"
    return Result(
        question,
        message["content"],
        message["outcome"],
        deltas,
        [citation["document"]["source"] for citation in message["citations"]],
        all(holds(message["content"], citation) for citation in message["citations"]),
    )


def holds(content: str, citation: dict[str, Any]) -> bool:
    """Whether each use's quote and marker appear verbatim where they claim to."""
    for use in citation["uses"]:
        start, end = use["quoteSpan"]["startOffset"], use["quoteSpan"]["endOffset"]
        marker = content[use["markerSpan"]["startOffset"] : use["markerSpan"]["endOffset"]]
        if use["chunk"]["text"][start:end] != use["quote"] or not use["quote"] or marker != citation["label"]:
            return False
    return True


async def find_measured_project(session: AsyncClientSession) -> dict[str, Any]:
    """The project, once weight and threshold are measured: those of the first questions would be the defaults."""
    async with asyncio.timeout(60):
        while True:
            [project] = (await run(session, PROJECTS))["projects"]["nodes"]
            if project["embeddingSpaces"][0]["measuredChunks"]:
                return project
            await asyncio.sleep(0.1)


async def run(session: AsyncClientSession, query: str, **variables: Any) -> dict[str, Any]:
    """Run one operation; an internal error ends the evaluation."""
    result = await session.execute(GraphQLRequest(query, variable_values=variables))
    assert "message" not in next(iter(result.values())), result
    return result


def report(results: list[Result], *, verbose: bool) -> None:
    """A line per question, then the counts."""
    for result in results:
        mark = "right  " if result.correct else "refused" if result.refused else "WRONG  "
        print(f"{result.question['id']} {mark} {result.outcome:12} {result.question['question']}")
        if verbose or not result.correct:
            print(f"             {' '.join(result.content.split())}")
            print(f"             cited: {', '.join(result.cited) or 'nothing'}")
    print()
    print_counts("", results)
    for half in dict.fromkeys(result.question["half"] for result in results if "half" in result.question):
        print_counts(f"{half}: ", [result for result in results if result.question["half"] == half])
    print(f"every quote stands verbatim in its chunk: {all(result.quotes_hold for result in results)}")
    print(f"deltas per answer: {sum(result.deltas for result in results) / len(results):.1f}")


def print_counts(label: str, results: list[Result]) -> None:
    """What became of the questions that the corpus answers, and of the others."""
    answerable = [result for result in results if result.question["answerable"]]
    right = sum(result.correct for result in answerable)
    refused = sum(result.refused for result in answerable)
    print(
        f"{label}answerable {len(answerable)}: {right} right, {len(answerable) - right - refused} wrong, "
        f"{refused} refused; the right file is cited in {sum(result.right_file for result in answerable)}"
    )
    others = [result for result in results if not result.question["answerable"]]
    silent = sum(result.refused for result in others)
    print(f"{label}not answerable {len(others)}: {silent} refused, {len(others) - silent} answered")


async def main(corpus: Path, questions: list[dict[str, Any]], *, verbose: bool) -> None:
    """Ingest, serve, ask, report."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/evaluation.db"}
        command = [sys.executable, "-m", "app"]
        subprocess.run([*command, "ingest", str(corpus), "--project", PROJECT], env=environment, check=False)
        server = subprocess.Popen(
            [*command, "serve", "--port", "0"], env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            url = next(word for line in server.stdout for word in line.split() if word.endswith("/graphql"))
            transport = WebsocketsTransport(url=url.replace("http", "ws"), subprotocols=["graphql-transport-ws"])
            async with Client(transport=transport) as session:
                project = await find_measured_project(session)
                results = [await ask(session, project["id"], question) for question in questions]
        finally:
            server.terminate()
            server.wait(10)
    report(results, verbose=verbose)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpus", type=Path, required=True, help="folder with the documents of corpus.md")
    parser.add_argument("--questions", type=Path, default=HERE / "questions.jsonl", help="another file of questions")
    parser.add_argument("--verbose", action="store_true", help="show every answer, not only those that are not right")
    arguments = parser.parse_args()
    lines = arguments.questions.read_text(encoding="utf-8").splitlines()
    asyncio.run(main(arguments.corpus, list(map(json.loads, lines)), verbose=arguments.verbose))
