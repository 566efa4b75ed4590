"""Detect answers that say nothing: markers, punctuation and "Sources:", but no words of their own."""

import html
import re
from collections.abc import Iterable

from app.phrase_files import read_phrases

_LABELS = read_phrases(__file__, "empty_answers.toml").words("labels")
# HTML that only formats or hides; other text in angle brackets may be the answer: `<dependency>`.
_TAG = re.compile(
    r"<![^<>]*+>|</?(?:[abipsu]|br|hr|em|sub|sup|div|span|small|strong|code|pre|ul|ol|li|h[1-6]|img|details|summary)"
    r"(?:\s[^<>]*+)?/?>",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[\s*+>•-]*+([0-9]{1,3})[.)]\s*")
_WORD = re.compile(r"[^\W_]+")


def has_no_content(text: str, titles: Iterable[str]) -> bool:
    """Whether an answer without its markers says nothing; `titles` are those of its citations.

    A list of sources is not an answer, with or without titles. A number is one, unless it numbers the lines.
    """
    lines = _TAG.sub(" ", html.unescape(text)).splitlines()
    counted = 0
    words: list[str] = []
    for line in lines:
        number = _NUMBER.match(line)
        if number and int(number[1]) == counted + 1:
            counted += 1
            line = line[number.end() :]
        words += _words(line)
    own = [word for word in words if word not in _LABELS]
    listed = len(own) < len(words) or counted > 0
    return not own or (listed and set(own) <= {word for title in titles for word in _words(title)})


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
