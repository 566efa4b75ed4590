"""Build questions with passages that answer them, that nearly do, and that are about something else.

Made from public sets, with five passages each as Footnote's own search finds them: with one that holds the answer; the
same question with words put before it; the next best ones after every such passage was taken away, unless the words of
the answer still stand in one of them; and those found for a question from elsewhere.
"""

import json
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from app import language
from app.knowledge.search.hybrid import SearchResult
from app.knowledge.search.passages import Passage
from app.knowledge.search.queries import SearchQuery
from app.rag.citations import quotes
from app.rag.judgement import answerability
from app.services import Backend, open_backend
from app.settings import Settings
from tests.evaluation import wordings

Kind = Literal["answerable", "wordy", "removed", "off_topic"]

SHOWN = 5
_FOUND = 40
_OFF_TOPIC = 150
_WORDS_BEFORE = 20
# A part of an answer is as many words as this in a row.
_PART = 8
# The support of an answer's sentence from which a passage still seems to hold it; shorter answers must stand verbatim.
_STILL, _SHORT = 0.4, 60


@dataclass(frozen=True)
class Case:
    """A question, the texts shown for it with their titles, and more texts found for it with their full-text scores.

    `answers` are what somebody wrote, or marked in the text. `group` is the article that the question is about.
    """

    set: str
    kind: Kind
    question: str
    passages: tuple[tuple[str, str], ...]
    found: tuple[tuple[str, float], ...]
    answers: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True)
class QuestionSet:
    """A set as `wordings` reads it, and for sets of long texts the spans that answer each question."""

    plain: wordings.Set
    spans: dict[str, list[tuple[str, str]]]
    groups: dict[str, str]

    @property
    def name(self) -> str:
        return self.plain.name


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").rstrip("\n").split("\n")]


def read_set(folder: Path, most: int) -> QuestionSet:
    """The set in a folder, with at most so many questions."""
    questions = _lines(folder / "queries.jsonl")
    if (folder / "corpus.jsonl").is_file():
        plain = wordings.read(folder, most)
        group_by_question = {each["id"]: each["group"] for each in questions if "group" in each}
        groups = {
            document: str(group)
            for question, group in group_by_question.items()
            for document in plain.relevant.get(question, {})
        }
        return QuestionSet(plain, {}, groups)
    pages = {each["id"]: each["text"] for each in _lines(folder / "pages.jsonl")}
    random.Random(0).shuffle(questions)  # noqa: S311
    spans = {
        each["id"]: [(span["page"], pages[span["page"]][span["start"] : span["end"]]) for span in each["gold"]]
        for each in questions
    }
    corpus = [{"id": id, "title": "", "text": text} for id, text in pages.items()]
    return QuestionSet(wordings.Set(folder.name, corpus, questions[:most], {}), spans, {})


def _holds(own: QuestionSet, question: str, passage: Passage) -> tuple[bool, bool]:
    """Whether a passage holds an answer whole, and whether it holds any part of one."""
    if not own.spans:
        relevant = (passage.source or "") in own.plain.relevant[question]
        return relevant, relevant
    text = " ".join(passage.text.split())
    golden = [" ".join(span.split()) for page, span in own.spans[question] if page == passage.source]
    whole = any(span in text for span in golden)
    return whole, whole or any(_parts(span) & _parts(text) for span in golden)


def _parts(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[at : at + _PART]) for at in range(len(words) - _PART + 1)}


def still_answered(case: Case) -> bool:
    """Whether a passage still holds the words of the answer after those known to hold it were taken away."""
    finder = quotes.QuoteFinder(dict(enumerate(case.passages)))
    everything = " ".join(" ".join(text for text, _ in case.passages).lower().split())
    for answer in case.answers:
        short = " ".join(answer.lower().split()).strip(" .")
        if len(answer) < _SHORT and len(short) > 2 and short in everything:
            return True
        for start, end in language.sentence_spans(answer):
            sentence = answer[start:end]
            supports = [finder.best_quote(number, sentence).support for number in range(len(case.passages))]
            if len(language.split_words(sentence)) > 4 and max(supports, default=0.0) >= _STILL:
                return True
    return False


class _CaseBuilder:
    """Builds the cases of one set."""

    def __init__(self, footnote: Backend, project_id: str, own: QuestionSet, sets: list[wordings.Set]) -> None:
        self._footnote, self._project_id, self._own, self._sets = footnote, project_id, own, sets
        self._chance = random.Random(0)  # noqa: S311
        self.cases: list[Case] = []

    async def _search(self, text: str, history: Sequence[Any] = ()) -> SearchResult:
        earlier = "\n\n".join([turn["text"] for turn in history if turn["role"] == "user"][-2:])
        query = SearchQuery(text, earlier=earlier or None, limit=_FOUND)
        return await self._footnote.knowledge.search.search_project(self._project_id, query)

    def _add(self, kind: Kind, text: str, passages: Sequence[Passage], **known: Any) -> None:
        shown = tuple((passage.text, passage.document_title) for passage in passages[:SHOWN])
        best = tuple((passage.text, passage.lexical_score or 0.0) for passage in passages[: answerability.COMPARED])
        case = Case(self._own.name, kind, text, shown, best, **known)
        if kind != "removed" or not still_answered(case):
            self.cases.append(case)

    async def add_question(self, question: dict[str, Any]) -> None:
        """With the answer, with words before, with the answer removed, and by other articles of the set."""
        own, text = self._own, str(question["text"])
        spans = tuple(span for _, span in own.spans.get(question["id"], ()))
        known = {"answers": tuple(question.get("answers", spans)), "group": str(question.get("group", ""))}
        found = await self._search(text, question.get("history", ()))
        held = [_holds(own, question["id"], passage) for passage in found.passages]
        if any(whole for whole, _ in held[:SHOWN]):
            self._add("answerable", text, found.passages, **known)
        longer = wordings.before(text, _WORDS_BEFORE, self._sets, own.plain, self._chance)
        wordy = await self._search(longer, question.get("history", ()))
        if any(_holds(own, question["id"], passage)[0] for passage in wordy.passages[:SHOWN]):
            self._add("wordy", longer, wordy.passages, **known)
        rest = [passage for passage, part in zip(found.passages, held, strict=True) if not part[1]]
        self._add("removed", text, rest, **known)
        if own.name.endswith(("_de", "_zh")):
            others = [each for each in found.passages if own.groups.get(each.source or "") != known["group"]]
            self._add("off_topic", text, others, group=known["group"])

    async def add_stranger(self, text: str) -> None:
        """A question of another set."""
        found = await self._search(text)
        self._add("off_topic", text, found.passages)


async def build_cases(folder: Path, names: Sequence[str], questions: int) -> dict[str, list[Case]]:
    """The cases of every set. In German and Chinese the off-topic ones are about other articles of the same set."""
    sets = [read_set(folder / name, questions) for name in names]
    plain = [own.plain for own in sets]
    english = [own for own in sets if not own.name.endswith(("_de", "_zh"))]
    cases: dict[str, list[Case]] = {}
    for own in sets:
        others = [other for other in english if other is not own and own in english]
        strangers = [each["text"] for other in others for each in other.plain.questions if not each.get("history")]
        random.Random(1).shuffle(strangers)  # noqa: S311
        with tempfile.TemporaryDirectory() as place:
            settings = Settings.model_validate({"database_url": f"sqlite:///{place}/sets.db"})
            async with open_backend(settings, "serve") as footnote:
                builder = _CaseBuilder(footnote, await wordings.ingest(footnote, own.plain), own, plain)
                for question in own.plain.questions:
                    await builder.add_question(question)
                for text in strangers[:_OFF_TOPIC]:
                    await builder.add_stranger(text)
        cases[own.name] = builder.cases
    return cases
