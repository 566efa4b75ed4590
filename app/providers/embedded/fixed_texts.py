"""The embedded answerer's own texts, in the language of the question. Pure."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from app.question_language import choose_text


@dataclass(frozen=True, slots=True)
class FixedTexts:
    """`not_found`: the answer if no passage contains one. `introduction`: what the answerer can do.

    Both are written for users who ask, not for operators. `no_project` is for users of OpenAI clients: how to name a
    project in a request.
    """

    not_found: str
    introduction: str
    no_project: str


def texts_for(question: str) -> FixedTexts:
    """The texts in the language of the question; in English if that is unknown or not available."""
    return choose_text(question, _TEXTS)


_TEXTS = {
    name: FixedTexts(
        each["not_found"],
        *(each[text].strip().format(models=each["models"].strip()) for text in ("introduction", "no_project")),
    )
    for name, each in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}
