"""Answers that say nothing: markers, punctuation and "Sources:", but no words of their own."""

import html
import re
from collections.abc import Iterable
from pathlib import Path

_LABELS = frozenset(Path(__file__).with_name("source_labels.txt").read_text(encoding="utf-8").split())
# HTML that only formats or hides; what else stands in angle brackets may be the answer: `<dependency>`.
_TAG = re.compile(
    r"<![^<>]*+>|</?(?:[abipsu]|br|hr|em|sub|sup|div|span|small|strong|code|pre|ul|ol|li|h[1-6]|img|details|summary)"
    r"(?:\s[^<>]*+)?/?>",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[\s*+>•-]*+([0-9]{1,3})[.)]\s*")
_WORD = re.compile(r"[^\W_]+")


def is_wordless(text: str, titles: Iterable[str]) -> bool:
    """Whether an answer without its markers says nothing; `titles` of what it cites.

    A list of sources alone is no answer, with or without their titles. A number is one, unless it counts the lines.
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
