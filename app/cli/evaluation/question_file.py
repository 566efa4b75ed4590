"""Read a file of questions and what is expected of their answers: JSON Lines, one question per line."""

import re
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from app import errors, safe_text
from app.chat.turn_limits import check_question

STANDARD_INPUT = Path("-")
MAX_QUESTIONS = 5000
MAX_LINE = 64_000
"""Bytes of a line."""
_MAX_NAME = 200
_MAX_TEXT = 2000
_MAX_ITEMS = 50
# Bad lines that are listed.
_LISTED = 20


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be used, and why."""

    number: int
    problem: str


class BadQuestionFile(errors.StartError):
    """The file has lines that cannot be used; nothing was asked."""

    def __init__(self, path: Path, lines: list[BadLine]) -> None:
        shown = [f"{_name_file(path)}, line {line.number}: {line.problem}" for line in lines[:_LISTED]]
        more = [f"{len(lines) - _LISTED:,} more lines have errors."] if len(lines) > _LISTED else []
        super().__init__("\n".join([*shown, *more]))


def _name_file(path: Path) -> str:
    return "standard input" if path == STANDARD_INPUT else str(path)


def _check_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{safe_text.quote(pattern)} is not a regular expression: {error}") from None
    return pattern


def _check_text(text: str) -> str:
    try:
        check_question(text)
    except errors.Invalid as error:
        raise ValueError(error.message) from None
    return text


Text = Annotated[str, Field(min_length=1, max_length=_MAX_TEXT)]
Pattern = Annotated[Text, AfterValidator(_check_pattern)]


class Question(BaseModel):
    """A question, and what is expected of its answer."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    id: Annotated[str, Field(min_length=1, max_length=_MAX_NAME)] = ""
    question: Annotated[str, AfterValidator(_check_text)]
    expected: Text | None = None
    accept: Annotated[list[Pattern], Field(max_length=_MAX_ITEMS)] = []
    documents: Annotated[list[Text], Field(max_length=_MAX_ITEMS)] = []
    answerable: bool = True
    note: Text | None = None

    @model_validator(mode="after")
    def _check_expectation(self) -> "Question":
        has_expectation = self.expected is not None or self.accept or self.documents
        if self.answerable and not has_expectation:
            raise ValueError("say what is expected: `expected`, `accept`, `documents` or `answerable: false`")
        if not self.answerable and has_expectation:
            raise ValueError("with `answerable: false`, leave out `expected`, `accept` and `documents`")
        return self


def read_questions(path: Path) -> dict[int, Question]:
    """The questions by line number; `-` is standard input. Raises StartError if it cannot be read or has a bad line."""
    found: dict[int, Question] = {}
    bad: list[BadLine] = []
    ids: set[str] = set()
    try:
        for number, line in _read_lines(path):
            question = _read_question(number, line)
            if isinstance(question, Question) and question.id in ids:
                question = BadLine(number, f"another line has the `id` {safe_text.quote(question.id)} too")
            if isinstance(question, BadLine):
                bad.append(question)
                continue
            ids.add(question.id)
            found[number] = question
            if len(found) > MAX_QUESTIONS:
                raise errors.StartError(f"{_name_file(path)} has more than {MAX_QUESTIONS:,} questions.")
    except OSError as error:
        raise errors.StartError(f"{_name_file(path)} cannot be read: {error.strerror}.") from error
    if bad:
        raise BadQuestionFile(path, bad)
    if not found:
        raise errors.StartError(f"{_name_file(path)} has no questions.")
    return found


def _read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers. Of a line that is too long, only the beginning."""
    with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_LINE + 1):
            number += 1
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            whole = line
            while len(whole) > MAX_LINE and not whole.endswith(b"\n") and (rest := file.readline(MAX_LINE)):
                whole = whole[:MAX_LINE] + rest[-1:]
            if line.strip():
                yield number, line


def _read_question(number: int, line: bytes) -> Question | BadLine:
    if len(line) > MAX_LINE:
        return BadLine(number, f"it has more than {MAX_LINE:,} bytes")
    try:
        question = Question.model_validate_json(line)
    except ValidationError as error:
        return BadLine(number, _describe_problem(error))
    return question if question.id else question.model_copy(update={"id": str(number)})


def _describe_problem(error: ValidationError) -> str:
    """The first problem in one line."""
    found: list[Any] = error.errors(include_url=False, include_context=False)
    first = min(found, key=lambda problem: problem["type"] != "extra_forbidden")  # a misspelled field is missing too
    place = ".".join(str(step) for step in first["loc"])
    match first["type"]:
        case "json_invalid":
            return "it is not JSON, or not UTF-8"
        case "missing":
            return f"`{place}` is missing"
        case "extra_forbidden":
            return f"there is no field `{place}`; the fields are {', '.join(Question.model_fields)}"
        case "value_error":
            said = first["msg"].removeprefix("Value error, ")
            return f"`{place}`: {said}" if place else said
        case "model_type":
            return "it is not a JSON object"
        case "list_type":
            return f"`{place}` must be a list"
        case _:
            said = first["msg"][:1].lower() + first["msg"][1:]
            return f"`{place}`: {said}"
