"""Questions to projects of so few passages that none of them stands out: two to four, drawn from public sets.

Answerable: one of them holds the answer. Removed: the others are of the same article, but none holds it. Off topic:
all are about something else. Nothing is searched, since a search in such a project finds nearly all of it.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from app.rag.judgement import answerability
from tests.evaluation.answerability import cases
from tests.evaluation.answerability.examples import Example

_MOST_BESIDE = 3


def build_examples(folder: Path, names: Sequence[str], questions: int) -> list[Example]:
    """The examples of all sets that consist of passages."""
    chance = random.Random(1)  # noqa: S311
    sets = [cases.read_set(folder / name, questions) for name in names if (folder / name / "corpus.jsonl").is_file()]
    return [
        example
        for own in sets
        for question in own.plain.questions
        if not question.get("history")
        for example in _describe_question(own, question, chance)
    ]


def _describe_question(own: cases.QuestionSet, question: dict[str, Any], chance: random.Random) -> Iterator[Example]:
    text = {each["id"]: (str(each["text"]), str(each.get("title", ""))) for each in own.plain.corpus}
    relevant = own.plain.relevant.get(question["id"], {})
    golden = sorted(text.keys() & relevant.keys())
    others = sorted(text.keys() - relevant.keys())
    if not golden:
        return
    gold, beside = chance.choice(golden), chance.randint(1, _MOST_BESIDE)
    group = own.groups.get(gold)
    same = [id for id in others if group is None or own.groups.get(id) == group]
    foreign = [id for id in others if group is None or own.groups.get(id) != group]
    if min(len(same), len(foreign)) < beside:
        return
    near, far = chance.sample(same, beside), chance.sample(foreign, beside)
    shown = {"answerable": [gold, *near[1:], far[0]], "removed": [*near, far[0]] if group else [], "off_topic": far}
    for kind, ids in shown.items():
        passages = tuple(text[id] for id in ids)
        found = tuple((passage, 0.0) for passage, _ in passages)
        case = cases.Case(own.name, "removed", question["text"], passages, found, tuple(question.get("answers", ())))
        evidence = answerability.gather_evidence(case.question, passages, found)
        if evidence is not None and not (kind == "removed" and cases.still_answered(case)):
            yield Example(own.name, kind, astuple(evidence)[1:], kind == "answerable", own.name)
