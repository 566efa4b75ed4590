"""What the embedded answerer says itself, in the language of the question. Pure."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from app.question_language import choose_text


@dataclass(frozen=True, slots=True)
class FixedTexts:
    """`not_found`: the whole answer when no passage holds one. `introduction`: what the answerer can do.

    Both are read by those who ask, who cannot set anything.
    """

    not_found: str
    introduction: str


def texts_for(question: str) -> FixedTexts:
    """The texts in the language of the question; in English if it is not known or has none."""
    return choose_text(question, _TEXTS)


_TEXTS = {
    name: FixedTexts(each["not_found"], each["introduction"].strip())
    for name, each in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}
