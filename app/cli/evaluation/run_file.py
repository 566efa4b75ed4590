"""The results of an evaluation, and the file that they are saved in."""

import math
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from app import errors
from app.cli.evaluation.verdicts import GOOD, QuestionVerdict

_MAX_BYTES = 200_000_000


class _Record(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True)


class QuestionResult(_Record):
    """The result for one question. Values that the question does not expect, or the answer lacks, are None.

    `rank`: of the first passage of an expected document among the candidates for the prompt, from 1. `support`: mean
    support of the answer's citations. Times in milliseconds.
    """

    id: str
    line: int
    question: str
    answerable: bool
    verdict: QuestionVerdict
    outcome: str | None = None
    failure: str | None = None
    found: bool | None = None
    rank: int | None = None
    cited: bool | None = None
    support: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    first_token_ms: float | None = None
    total_ms: float | None = None
    content: str = ""
    documents: tuple[str, ...] = ()


class Summary(_Record):
    """The counts of a run. Shares are between 0 and 1, and None where there is nothing to count.

    `score`: the share of right answers and right refusals among the questions that could be checked.
    """

    questions: int
    score: float | None
    answerable: int
    right: int
    wrong: int
    refused_wrongly: int
    unchecked: int
    not_there: int
    refused_rightly: int
    answered_wrongly: int
    failed: int
    with_documents: int
    found: int
    cited: int
    support: float | None
    input_tokens: int
    output_tokens: int
    median_ms: float | None
    slowest_ms: float | None


class EvaluationRun(_Record):
    """A run, which may have only some of the questions (`complete` false)."""

    format: Literal["footnote-eval-1"] = "footnote-eval-1"
    version: str
    project: str
    file: str
    model: str
    options: dict[str, Any]
    started_at: str
    seconds: float
    complete: bool
    summary: Summary
    questions: Annotated[tuple[QuestionResult, ...], Field(max_length=100_000)]


def summarize(results: Sequence[QuestionResult]) -> Summary:
    """Count the results."""
    verdicts = Counter(result.verdict for result in results)
    expecting = [result for result in results if result.found is not None]
    times = sorted(result.total_ms for result in results if result.total_ms is not None)
    checked = len(results) - verdicts[QuestionVerdict.UNCHECKED]
    return Summary(
        questions=len(results),
        score=sum(verdicts[good] for good in GOOD) / checked if checked else None,
        answerable=sum(result.answerable for result in results),
        right=verdicts[QuestionVerdict.RIGHT],
        wrong=verdicts[QuestionVerdict.WRONG],
        refused_wrongly=verdicts[QuestionVerdict.REFUSED_WRONGLY],
        unchecked=verdicts[QuestionVerdict.UNCHECKED],
        not_there=sum(not result.answerable for result in results),
        refused_rightly=verdicts[QuestionVerdict.REFUSED_RIGHTLY],
        answered_wrongly=verdicts[QuestionVerdict.ANSWERED_WRONGLY],
        failed=verdicts[QuestionVerdict.FAILED],
        with_documents=len(expecting),
        found=sum(bool(result.found) for result in expecting),
        cited=sum(bool(result.cited) for result in expecting),
        support=_mean(result.support for result in results if result.support is not None),
        input_tokens=sum(result.input_tokens for result in results),
        output_tokens=sum(result.output_tokens for result in results),
        median_ms=times[len(times) // 2] if times else None,
        slowest_ms=times[math.ceil(0.95 * len(times)) - 1] if times else None,
    )


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(sum(found) / len(found), 4) if found else None


def check_writable(path: Path) -> None:
    """Raises StartError if a run cannot be saved there, before any question is asked."""
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise errors.StartError(f"The run cannot be saved as {path}: choose a file in a folder that can be written.")


def save_run(path: Path, run: EvaluationRun) -> None:
    """Write a run in one step: a crash leaves the file that was there. Raises StartError."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(run.model_dump_json(by_alias=True, indent=2) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise errors.StartError(f"The run cannot be saved as {path}: {error.strerror}.") from error


def load_run(path: Path) -> EvaluationRun:
    """A run that was saved. Raises StartError."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise errors.StartError(f"{path} is too large for a run of `footnote eval`.")
        return EvaluationRun.model_validate_json(path.read_bytes())
    except OSError as error:
        raise errors.StartError(f"{path} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        raise errors.StartError(f"{path} is not a run saved with `footnote eval --save`.") from error
