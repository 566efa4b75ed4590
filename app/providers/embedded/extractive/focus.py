"""The thing whose value a question asks for: which routing key, how many nurses, what is the default port. Pure."""

import re
from dataclasses import dataclass

from app import language
from app.phrase_files import read_phrases

_PHRASES = read_phrases(__file__, "answer_kinds.toml")
_ASKS_THING, _ASKS_COUNT = (_PHRASES.pattern(name, re.IGNORECASE) for name in ("asks_thing", "asks_count"))
_ASKS_LIMIT, _LIMIT = (_PHRASES.pattern(name, re.IGNORECASE) for name in ("asks_limit", "limit"))
_HAS_VALUE = _PHRASES.join(_PHRASES.tables["patterns"]["has_value"])
_CJK = re.compile(f"[{language.CJK}]")
_ENDING = 2  # letters that forms of a word may differ in, and more that may follow them
_LEAST_STEM = 3


@dataclass(frozen=True, slots=True)
class Focus:
    """How texts name the thing, give it a value (Routing key: …), and say how many of it there are (28 nurses).

    `limit`: the most that is possible is asked for.
    """

    named: re.Pattern[str] | None = None
    valued: re.Pattern[str] | None = None
    counted: re.Pattern[str] | None = None
    limit: bool = False

    def score_name(self, text: str) -> float:
        """2 if `text` gives the thing a value, 1 if it names it."""
        if self.named is None or not self.named.search(text):
            return 0.0
        return 2.0 if self.valued and self.valued.search(text) else 1.0

    def limits(self, text: str) -> bool:
        """Whether `text` says what the most is, where that is asked for."""
        return self.limit and _LIMIT.search(text) is not None

    def counts(self, text: str) -> bool:
        """Whether `text` has a number of what is counted."""
        return self.counted is not None and self.counted.search(text) is not None


def find_focus(question: str) -> Focus:
    """What `question` asks the value or the number of."""
    thing, count = _ASKS_THING.search(question), _ASKS_COUNT.search(question)
    forms = _forms_of(thing[thing.lastindex or 0]) if thing else None
    last = _forms_of(count[count.lastindex or 0].split()[-1]) if count else None
    return Focus(
        _compile(forms),
        _compile(forms and rf"{forms}{_HAS_VALUE}"),
        _compile(last and rf"(?<![\w.])\d[\d.,]*+ (?:[\w-]+ ){{0,3}}{last}|{last}\W+(?:[\w-]+ )?\d"),
        _ASKS_LIMIT.search(question) is not None,
    )


def find_counted(question: str) -> str | None:
    """What `question` asks the number of, as the last word of its name that says something, in lower case."""
    count = _ASKS_COUNT.search(question)
    words = count[count.lastindex or 0].lower().split() if count else []
    return next((word for word in reversed(words) if word not in language.STOP_WORDS), None)


def _forms_of(name: str) -> str:
    """A pattern for the words of a name, each in any form; in Chinese for the name itself."""
    if _CJK.search(name):
        return re.escape(name)
    stems = (re.escape(word[: max(_LEAST_STEM, len(word) - _ENDING)]) for word in name.split())
    return r"\b" + r"\W+".join(rf"{stem}\w{{0,3}}+" for stem in stems)


def _compile(pattern: str | None) -> re.Pattern[str] | None:
    return re.compile(pattern, re.IGNORECASE) if pattern else None
