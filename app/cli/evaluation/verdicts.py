"""Judge an answer by what its question expects (a pure function)."""

import re
import unicodedata
from enum import StrEnum

from app import language
from app.cli.evaluation.question_file import Question
from app.statuses import REFUSED, AnswerOutcome

_LETTER = f"[^\\W_{language.CJK}]"  # scripts that put spaces between words


class QuestionVerdict(StrEnum):
    """What became of a question."""

    RIGHT = "RIGHT"
    WRONG = "WRONG"
    REFUSED_WRONGLY = "REFUSED_WRONGLY"
    UNCHECKED = "UNCHECKED"
    REFUSED_RIGHTLY = "REFUSED_RIGHTLY"
    ANSWERED_WRONGLY = "ANSWERED_WRONGLY"
    FAILED = "FAILED"


GOOD = frozenset({QuestionVerdict.RIGHT, QuestionVerdict.REFUSED_RIGHTLY})


def judge(question: Question, outcome: AnswerOutcome | None, content: str) -> QuestionVerdict:
    """The verdict on an answer, whose `content` has no markers. An `outcome` of None means that it failed.

    UNCHECKED: an answer was given, and the question only says which documents it expects.
    """
    if outcome is None:
        return QuestionVerdict.FAILED
    refused = outcome in REFUSED
    if not question.answerable:
        return QuestionVerdict.REFUSED_RIGHTLY if refused else QuestionVerdict.ANSWERED_WRONGLY
    if refused:
        return QuestionVerdict.REFUSED_WRONGLY
    if question.expected is None and not question.accept:
        return QuestionVerdict.UNCHECKED
    return QuestionVerdict.RIGHT if _is_right(question, content) else QuestionVerdict.WRONG


def _is_right(question: Question, content: str) -> bool:
    """Whether a pattern of `accept` is found in the answer or, without patterns, the `expected` text is."""
    answer = normalize(content)
    if question.accept:
        return any(re.compile(pattern, re.IGNORECASE).search(answer) for pattern in question.accept)
    return question.expected is not None and _contains(answer, normalize(question.expected))


def normalize(text: str) -> str:
    """`text` in lower case, in one form of each character, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _contains(answer: str, expected: str) -> bool:
    """Whether `answer` contains `expected` as whole words and numbers: “1,300” and “30.5” do not contain “30”."""
    before, after = "", ""
    if re.match(_LETTER, expected):
        before = f"(?<!{_LETTER})" + (r"(?<!\d[.,])" if expected[0].isdigit() else "")
    if re.match(_LETTER, expected[-1:]):
        after = f"(?!{_LETTER})" + (r"(?![.,]\d)" if expected[-1].isdigit() else "")
    return re.compile(before + re.escape(expected) + after).search(answer) is not None
