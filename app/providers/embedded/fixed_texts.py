"""What the embedded answerer says itself, in the language of the question. Pure."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app import language

_ENGLISH, _CHINESE = "en", "zh"
_HAN, _KANA = re.compile("[\u4e00-\u9fff]"), re.compile("[\u3040-\u30ff]")
_LATIN_WORD = re.compile("[a-z]+", re.IGNORECASE)
_ENOUGH_WORDS = 2
_LONGEST = 2_000  # characters of a question that are looked at


@dataclass(frozen=True, slots=True)
class FixedTexts:
    """`not_found`: the whole answer when no passage holds one. `introduction`: what the answerer can do.

    Both are read by those who ask, who cannot set anything. `words` tell the language of a question.
    """

    not_found: str
    introduction: str
    words: frozenset[str]


def texts_for(question: str) -> FixedTexts:
    """The texts in the language of the question; in English if it is not known or has none."""
    question = question[:_LONGEST]
    if not _KANA.search(question) and len(_HAN.findall(question)) > len(_LATIN_WORD.findall(question)):
        return _TEXTS[_CHINESE]
    words = set(language.split_words(question))
    known = sorted(((len(words & texts.words), name) for name, texts in _TEXTS.items()), reverse=True)
    (best, name), (second, _) = known[:2]
    return _TEXTS[name if best >= _ENOUGH_WORDS and best > second else _ENGLISH]


def _read_texts() -> Mapping[str, FixedTexts]:
    file = Path(__file__).with_suffix(".toml")
    return {
        name: FixedTexts(each["not_found"], each["introduction"].strip(), frozenset(each["words"].split()))
        for name, each in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }


_TEXTS = _read_texts()
