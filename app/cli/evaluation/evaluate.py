"""`footnote eval`: ask all questions in a file, and compare the answers with the expected ones."""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from app import __version__, errors, services
from app.answer_options import OptionLayer, to_camel_case
from app.cli.evaluation import report
from app.cli.evaluation.question_file import BadLine, BadQuestionFile, Question, read_questions
from app.cli.evaluation.question_sessions import QuestionSessions
from app.cli.evaluation.run_file import (
    EvaluationRun,
    QuestionResult,
    check_writable,
    load_run,
    save_run,
    summarize,
)
from app.cli.evaluation.verdicts import QuestionVerdict, judge
from app.cli.interrupts import CommandInterrupted, raise_interrupts
from app.cli.lookup import find_documents, find_project
from app.cli.opening import open_footnote
from app.cli.patience import outlast_outages
from app.cli.progress import ProgressBar, progress_bar
from app.cli.questions.answer_output import AnswerResult, follow_answer
from app.cli.running import ExitCode
from app.database import models
from app.rag.citations.answer_text import remove_markers

# How often to ask a question whose answers are interrupted: the database is lost again each time.
_MOST_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """What to evaluate, and what to do with the result."""

    file: Path
    project: str
    options: OptionLayer
    at_once: int
    save: Path | None
    against: Path | None
    minimum: float | None


@dataclass
class _Evaluation:
    """The questions of one command, with the ids of the documents that each expects, and the results so far.

    `problem`: why the database could not be used for so long that no further questions were asked.
    """

    footnote: services.Services
    project: models.Project
    options: OptionLayer
    questions: dict[int, Question]
    expected: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])
    results: dict[int, QuestionResult] = field(default_factory=dict[int, QuestionResult])
    problem: errors.Unavailable | None = None

    def __post_init__(self) -> None:
        self.sessions = QuestionSessions(self.footnote, self.project, self.options)

    async def find_expected_documents(self, path: Path) -> None:
        """Find the documents that the questions expect. Raises BadQuestionFile for those that do not exist."""
        known: dict[str, str | errors.Invalid] = {}
        bad: list[BadLine] = []
        for line, question in self.questions.items():
            for name in question.documents:
                if name not in known:
                    known[name] = await self._find_document(name)
            found = [known[name] for name in question.documents]
            bad += [BadLine(line, each.message) for each in found if isinstance(each, errors.Invalid)]
            self.expected[line] = frozenset(each for each in found if isinstance(each, str))
        if bad:
            raise BadQuestionFile(path, bad)

    async def _find_document(self, name: str) -> str | errors.Invalid:
        try:
            [document] = await find_documents(self.footnote, [name], self.project.id)
        except errors.Invalid as error:
            return error
        return document.id

    async def check_options(self) -> None:
        """Raises Invalid for an option out of range, before any question is asked."""
        session = await self.sessions.create_session()
        await self.sessions.delete_session(session.id)

    async def ask_all(self, at_once: int, bar: ProgressBar) -> None:
        """Ask every question in a chat session of its own, `at_once` at a time."""
        waiting = iter(self.questions.items())

        async def work() -> None:
            for line, question in waiting:
                if self.problem is not None:
                    return
                try:
                    self.results[line] = await self._ask(line, question)
                except errors.Unavailable as error:
                    self.problem = error
                bar.show_progress(len(self.results), "asking")

        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(work())

    async def _ask(self, line: int, question: Question) -> QuestionResult:
        """Ask one question, and ask it again if the database was unavailable while it was answered."""
        for _ in range(_MOST_ATTEMPTS):
            if (result := await self._ask_once(line, question)) is not None:
                return result
        return self._failure(line, question, "The database was unavailable each time this was asked.")

    async def _ask_once(self, line: int, question: Question) -> QuestionResult | None:
        """The result, or None if the answer was interrupted. The chat session is deleted afterwards."""
        operator = self.footnote.operator()
        chats = operator.chats
        session = await self.sessions.create_session()
        try:
            ask = partial(chats.send_message, session.id, question.question, key=session.id, overrides={})
            _, answer = await outlast_outages(ask)
            try:
                result = await follow_answer(operator, answer, show=False)
            except asyncio.CancelledError:
                await chats.cancel_answer(answer.id)
                raise
            is_interrupted = result.failed is not None and result.failed.code == "INTERRUPTED"
            return None if is_interrupted else await self._judge(line, question, result)
        except errors.FootnoteError as error:
            return self._failure(line, question, error.message)
        finally:
            await self.sessions.delete_session(session.id)

    def _failure(self, line: int, question: Question, message: str) -> QuestionResult:
        return QuestionResult(
            id=question.id,
            line=line,
            question=question.question,
            answerable=question.answerable,
            verdict=QuestionVerdict.FAILED,
            failure=message,
        )

    async def _judge(self, line: int, question: Question, result: AnswerResult) -> QuestionResult:
        done = result.completed
        if done is None:
            message = result.failed.message if result.failed else "The answer was cancelled."
            return self._failure(line, question, message)
        expected = self.expected[line]
        rank = await self._rank_of_first(expected, result)
        supports = [use.support for citation in done.citations for use in citation.uses]
        return QuestionResult(
            id=question.id,
            line=line,
            question=question.question,
            answerable=question.answerable,
            verdict=judge(question, done.outcome, remove_markers(result.content, done.citations)),
            outcome=done.outcome,
            found=rank is not None if expected else None,
            rank=rank,
            cited=any(citation.document_id in expected for citation in done.citations) if expected else None,
            support=round(sum(supports) / len(supports), 4) if supports else None,
            input_tokens=done.usage.input_tokens,
            output_tokens=done.usage.output_tokens,
            first_token_ms=done.usage.first_token_ms,
            total_ms=done.usage.total_ms,
            content=result.content,
            documents=tuple(dict.fromkeys(citation.document_title or "" for citation in done.citations)),
        )

    async def _rank_of_first(self, expected: frozenset[str], result: AnswerResult) -> int | None:
        """The rank of the first candidate for the prompt that is from an expected document."""
        passages = result.retrieved.passages if result.retrieved else ()
        chunks = await self.footnote.operator().documents.chunks_by_ids([passage.chunk_id for passage in passages])
        ranks = (rank for rank, chunk in enumerate(chunks, 1) if chunk is not None and chunk.document_id in expected)
        return next(ranks, None)


async def evaluate(plan: EvaluationPlan, *, as_json: bool, show_all: bool) -> ExitCode:
    """Ask, judge, print and save. After Ctrl-C, judge, print and save the answers so far."""
    with raise_interrupts():  # somebody may type them
        questions = read_questions(plan.file)
    before = _load_run_before(plan.against, questions) if plan.against else None
    if plan.save:
        check_writable(plan.save)
    started, start = datetime.now(UTC), time.perf_counter()
    async with open_footnote() as footnote:
        evaluation = _Evaluation(footnote, await find_project(footnote, plan.project), plan.options, questions)
        await evaluation.find_expected_documents(plan.file)
        await evaluation.check_options()
        await evaluation.sessions.delete_abandoned()
        try:
            with progress_bar(len(questions), "asking") as bar:
                await evaluation.ask_all(plan.at_once, bar)
        except asyncio.CancelledError:
            interrupted = True
        else:
            interrupted = False
        operator = footnote.operator()
        model = operator.chats.resolve_options(evaluation.project, operator.user, plan.options).model
    results = [evaluation.results[line] for line in sorted(evaluation.results)]
    run = EvaluationRun(
        version=__version__,
        project=plan.project,
        file=str(plan.file),
        model=model,
        options={to_camel_case(name): value for name, value in plan.options.items()},
        started_at=started.isoformat(timespec="seconds"),
        seconds=round(time.perf_counter() - start, 3),
        complete=not interrupted and evaluation.problem is None,
        summary=summarize(results),
        questions=tuple(results),
    )
    if plan.save:
        save_run(plan.save, run)
    report.print_run(run, before, as_json=as_json, show_all=show_all)
    _require_complete(evaluation, plan.save, interrupted=interrupted)
    return _exit_code(run, before, plan.minimum)


def _load_run_before(path: Path, questions: dict[int, Question]) -> EvaluationRun:
    """The run to compare with. Raises StartError if it has asked none of the questions, before any is asked again."""
    run = load_run(path)
    if not {result.question for result in run.questions} & {question.question for question in questions.values()}:
        raise errors.StartError(
            f"{path} has none of these questions: it is a run of {run.file}. There is nothing to compare."
        )
    return run


def _require_complete(evaluation: _Evaluation, saved: Path | None, *, interrupted: bool) -> None:
    """Raises an error that says how many questions were answered, unless all were asked."""
    kept = f"; they are saved in {saved}" if saved else ""
    answered = f"{len(evaluation.results):,} of {len(evaluation.questions):,} questions were answered{kept}."
    if interrupted:
        raise CommandInterrupted(answered)
    if (problem := evaluation.problem) is not None:
        raise errors.Unavailable(f"{problem.message} {answered}", problem.service, problem.retry_after_ms)


def _exit_code(run: EvaluationRun, before: EvaluationRun | None, minimum: float | None) -> ExitCode:
    """FAILED if an answer failed, if the score is below `minimum`, or if it was better in the other run."""
    score = run.summary.score or 0.0
    failed = run.summary.failed > 0 or (minimum is not None and score < minimum)
    if before is not None:
        failed = failed or report.compare_runs(run, before).is_worse
    return ExitCode.FAILED if failed else ExitCode.OK
