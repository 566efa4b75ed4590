"""Texts that replace an answer that the documents do not support, in the language of the question. Pure."""

import tomllib
from pathlib import Path

from app.question_language import ENGLISH, choose_text

_TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
NO_SOURCES_TEXT, REJECTED_TEXT = _TEXTS[ENGLISH]["no_sources"], _TEXTS[ENGLISH]["rejected"]


def no_sources_text(question: str, own: str | None = None) -> str:
    """The text for when nothing relevant was found; `own` is the project's text for that, if it has one."""
    return _choose("no_sources", question, own)


def rejected_text(question: str, own: str | None = None) -> str:
    """The text that replaces an answer that cites nothing; `own` is the project's text for that, if it has one."""
    return _choose("rejected", question, own)


def _choose(name: str, question: str, own: str | None) -> str:
    """The project's own text, or the default in the question's language.

    A project's text that equals the English default is ignored: a client that shows the default may have saved it.
    """
    return own if own and own != _TEXTS[ENGLISH][name] else choose_text(question, _TEXTS)[name]
