"""Guess the language of a question, for texts that the server itself writes and for words that only ask. Pure."""

import re
from collections.abc import Mapping
from typing import TypeVar

from app import language
from app.phrase_files import read_phrases

Texts = TypeVar("Texts")

ENGLISH, _CHINESE = "en", "zh"
_HAN, _KANA = re.compile("[\u4e00-\u9fff]"), re.compile("[\u3040-\u30ff]")
_LATIN_WORD = re.compile("[a-z]+", re.IGNORECASE)
_ENOUGH_WORDS = 2
_MAX_CHARS = 2_000  # that are read of a question

_PHRASES = read_phrases(__file__, "question_language.toml")
_WORDS = {name: _PHRASES.words(name) for name in (ENGLISH, "de", "fr", "es")}
_ONLY_ASKING = {
    name: (_WORDS[name] | _PHRASES.words(f"also_{name}")) - _PHRASES.words("telling") for name in ("fr", "es")
}


def choose_text(question: str, texts: Mapping[str, Texts]) -> Texts:
    """The text in the language of the question; the English one if that is unknown or has no text."""
    return texts.get(guess_language(question), texts[ENGLISH])


def guess_language(question: str) -> str:
    """The language code of a question, such as "de"; English unless another language is more likely."""
    question = question[:_MAX_CHARS]
    if not _KANA.search(question) and len(_HAN.findall(question)) > len(_LATIN_WORD.findall(question)):
        return _CHINESE
    words = set(language.split_words(question))
    scores = sorted(((len(words & common), name) for name, common in _WORDS.items()), reverse=True)
    (best, name), (second, _) = scores[:2]
    return name if best >= _ENOUGH_WORDS and best > second else ENGLISH


def asking_words(question: str) -> frozenset[str]:
    """Words that only ask in a French or Spanish question; those of other languages are in `language`."""
    return _ONLY_ASKING.get(guess_language(question), frozenset())
