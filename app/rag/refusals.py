"""What stands in the place of an answer that the documents do not support, in the language of the question. Pure."""

import tomllib
from pathlib import Path

from app.question_language import ENGLISH, choose_text

_TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
NO_SOURCES_TEXT, REJECTED_TEXT = _TEXTS[ENGLISH]["no_sources"], _TEXTS[ENGLISH]["rejected"]


def no_sources_text(question: str) -> str:
    """What is said when nothing relevant was found."""
    return choose_text(question, _TEXTS)["no_sources"]


def rejected_text(question: str) -> str:
    """What is said in the place of an answer that cites nothing."""
    return choose_text(question, _TEXTS)["rejected"]
