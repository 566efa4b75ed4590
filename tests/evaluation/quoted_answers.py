"""Measure how often the embedded answerer quotes the answer to public questions whose answers are a few words.

    python -m tests.evaluation.quoted_answers [FOLDER] [--questions 600] [--sets xquad_en xquad_de xquad_zh]

FOLDER holds a folder per set. Right: the words of an answer stand in what is quoted; wrong: something else is quoted.
The articles of a set are two halves: the answerer's rules were tried on one (`tune`), not on the other (`held`).
"""

import argparse
import asyncio
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from app.cli.questions.answer_output import follow_answer
from app.knowledge.ingestion.relevance_meter import RelevanceMeter
from app.rag.citations.answer_text import remove_markers
from app.services import composition
from app.services.access import Services
from app.settings import Settings
from app.statuses import AnswerOutcome
from tests.evaluation import wordings

_OTHER = re.compile(r"[\s\W_]+")


def _normalized(text: str) -> str:
    return _OTHER.sub(" ", text.lower()).strip()


def half_of(question: dict[str, Any]) -> str:
    """Half of the articles are for tuning."""
    return "held" if int(question["group"]) % 2 else "tune"


async def _ask(footnote: Services, project_id: str, question: dict[str, Any], counts: Counter[str]) -> None:
    operator = footnote.operator()
    chats = operator.chats
    session = await chats.create_session(project_id, {})
    _, answer = await chats.send_message(session.id, question["text"], key=None, overrides={})
    given = await follow_answer(operator, answer, show=False)
    await chats.delete_session(session.id)
    assert given.completed is not None, given.failed
    if given.completed.outcome is not AnswerOutcome.CITED:
        counts["refused"] += 1
        return
    said = remove_markers(given.content, given.completed.citations)
    counts["words"] += len(said.split())
    right = any(_normalized(each) in _normalized(said) for each in question["answers"])
    counts["right" if right else "wrong"] += 1


async def measure(own: wordings.Set) -> dict[str, Counter[str]]:
    """The counts of each half of a set, in a database of its own."""
    halves = {"tune": Counter[str](), "held": Counter[str]()}
    with tempfile.TemporaryDirectory() as place:
        settings = Settings.model_validate({"database_url": f"sqlite:///{place}/set.db", "sample_project": False})
        async with composition.open_backend(settings, "ask") as backend:
            project_id = await wordings.ingest(backend, own)
            knowledge = backend.knowledge
            await RelevanceMeter(backend.database, knowledge.index, knowledge.spaces).measure_all()
            for question in own.questions:
                await _ask(Services(backend), project_id, question, halves[half_of(question)])
    return halves


async def main(folder: Path, names: list[str], questions: int) -> None:
    """Print a line for each half of each set."""
    print(f"{'':16} questions  right  wrong  refused  words of an answer")
    for name in names:
        for half, counts in (await measure(wordings.read(folder / name, questions))).items():
            answered = counts["right"] + counts["wrong"]
            total = answered + counts["refused"]
            shares = "  ".join(f"{100 * counts[each] / max(1, total):5.1f}" for each in ("right", "wrong", "refused"))
            print(f"{name:10} {half}  {total:8}  {shares}  {counts['words'] / max(1, answered):6.0f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("../shared/data"), help="folder with the sets")
    parser.add_argument("--questions", type=int, default=600, help="how many of each set")
    parser.add_argument("--sets", nargs="+", default=["xquad_en", "xquad_de", "xquad_zh"], metavar="SET")
    arguments = parser.parse_args()
    asyncio.run(main(arguments.folder, arguments.sets, arguments.questions))
