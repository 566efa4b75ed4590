"""`ProjectStats` of questions: how many were asked, how close their passages were, and what counting them costs."""

import sqlite3
from contextlib import closing
from pathlib import Path
from statistics import fmean

import pytest

from app.settings import Settings
from tests.graphql.client import Client
from tests.statements import recorded_work

STATS = "{ projects { nodes { name stats { questionCount averageSimilarity } } } }"
RETRIEVED = """subscription($id: ID!) { answerEvents(messageId: $id) {
  ... on RetrievalCompleted { passages { vectorScore } } } }"""
BEES = "# Bees\n\nBees dance to tell where flowers are.\n\n# Wasps\n\nWasps build nests of paper near flowers.\n"


async def test_questions_and_similarities_are_counted_by_project(client: Client, database: Path) -> None:
    projects = {name: await client.project(name) for name in ("asked", "silent")}
    for project in projects.values():
        await client.ready(project, "Insects", BEES)
    session, means = await client.session(projects["asked"]), list[float]()
    for question in ("Why do bees dance?", "What are the nests of wasps made of?", "Who won the World Cup in 1954?"):
        answer = await client.answered(session, question)
        [passages] = [event["passages"] for event in await client.follow(RETRIEVED, id=answer) if event]
        means += [fmean(passage["vectorScore"] for passage in passages)] if passages else []
    assert len(means) >= 2
    with recorded_work(Settings.model_validate({"database_url": f"sqlite:///{database}"})) as work:
        listed = (await client.run(STATS))["projects"]["nodes"]
    stats = {each["name"]: each["stats"] for each in listed}
    assert stats == {
        "asked": {"questionCount": 3, "averageSimilarity": pytest.approx(fmean(means))},
        "silent": {"questionCount": 0, "averageSimilarity": None},
    }
    [counting] = [statement for statement in work.statements if "messages.similarity" in statement]
    with closing(sqlite3.connect(database)) as connection:
        values = [0] * counting.count("?")
        plan = [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {counting}", values)]
    assert plan == ["SEARCH messages USING COVERING INDEX ix_messages_project_id_role_similarity (project_id=?)"]
