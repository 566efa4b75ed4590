"""Find the thing whose value a question asks for: which routing key, how many nurses, what default port. Pure."""

import re
from dataclasses import dataclass

from app import language
from app.phrase_files import Pattern, read_phrases
from app.providers.embedded.extractive import kinds, mismatches

_PHRASES = read_phrases(__file__, "answer_kinds.toml")
_ASKS_THING, _ASKS_COUNT = (_PHRASES.pattern(name, re.IGNORECASE) for name in ("asks_thing", "asks_count"))
_ASKS_LIMIT, _LIMIT = (_PHRASES.pattern(name, re.IGNORECASE) for name in ("asks_limit", "limit"))
_ASKS_DEADLINE, _DEADLINE = (_PHRASES.pattern(name, re.IGNORECASE) for name in ("asks_deadline", "deadline"))
_ASKS_HOLDER, _NAME_GERMAN = _PHRASES.pattern("asks_holder", re.IGNORECASE), _PHRASES.pattern("name_german")
_NUMBER, _UNCOUNTED, _DATE, _REFERENCE, _MEASURED = (
    _PHRASES.pattern(name, re.IGNORECASE) for name in ("number", "uncounted", "date", "reference", "measured")
)
_RESTRICTS = _PHRASES.pattern("restricts", re.IGNORECASE)
_ASKS_STAFF, _STAFF, _ASKS_ROOM = (
    _PHRASES.pattern(name, re.IGNORECASE) for name in ("asks_staff", "staff", "asks_room")
)
_ASKS_COUNT_CJK = _PHRASES.pattern("asks_count_cjk")
_HAS_VALUE = _PHRASES.join(_PHRASES.tables["patterns"]["has_value"])
_CJK = re.compile(f"[{language.CJK}]")
_PLURAL = re.compile("[^su]s$")
_ENDING = 2  # letters in which forms of a word may differ, plus as many that may follow
_LEAST_STEM = 3
_ROLE_STEM = 6
_HAN = "一二两三四五六七八九十百千万亿"
_PERSONS = _PHRASES.words("counted_persons")
_PERSONS_CJK = "人名位"


@dataclass(frozen=True, slots=True)
class Focus:
    """How texts name the thing, give it a value (Routing key: …), and say how many of it there are (28 nurses).

    `limit`: the question asks for a maximum. `deadline`: it asks for the last moment for something. `role`: the role
    whose holder it asks for. `dimension`: how texts name the dimension that it asks for. `staff`: it asks how many
    people work somewhere. `defined`: the thing whose meaning it asks for, in lower case.
    """

    named: re.Pattern[str] | None = None
    valued: re.Pattern[str] | None = None
    counted: re.Pattern[str] | None = None
    limit: bool = False
    deadline: bool = False
    role: re.Pattern[str] | None = None
    dimension: Pattern | None = None
    staff: bool = False
    defined: str = ""

    def is_meant_by(self, heading: str) -> bool:
        """Whether a heading names the thing whose meaning is asked for: the text below says what it is."""
        return self.defined != "" and heading.strip(" #*`").lower() == self.defined

    def score_name(self, text: str) -> float:
        """2 if `text` gives the thing a value, 1 if it names it."""
        if self.named is None or not self.named.search(text):
            return 0.0
        return 2.0 if self.valued and self.valued.search(text) else 1.0

    def limits(self, text: str) -> bool:
        """Whether `text` states the maximum, if that is asked for."""
        return self.limit and _LIMIT.search(text) is not None

    def ends(self, text: str) -> bool:
        """Whether `text` states a deadline, if that is asked for."""
        return self.deadline and _DEADLINE.search(text) is not None

    def names_holder(self, text: str) -> bool:
        """Whether `text` has the role whose holder is asked for, together with a name."""
        return self.role is not None and self.role.search(text) is not None and has_name(text)

    def names_dimension(self, text: str) -> bool:
        """Whether `text` names the requested dimension."""
        return self.dimension is not None and self.dimension.search(text) is not None

    def counts_staff(self, text: str) -> bool:
        """Whether `text` says how many people work somewhere, if that is asked for."""
        return self.staff and _STAFF.search(text) is not None

    def counts(self, text: str) -> bool:
        """Whether `text` has a number of the counted thing."""
        return self.counted is not None and self.counted.search(text) is not None


def find_focus(question: str) -> Focus:
    """The thing whose value or number `question` asks for."""
    thing, count = _ASKS_THING.search(question), _ASKS_COUNT.search(question)
    forms = _forms_of(thing[thing.lastindex or 0]) if thing else None
    last = _forms_of(count[count.lastindex or 0].split()[-1]) if count else None
    holder = _ASKS_HOLDER.search(question)
    role = holder[holder.lastindex or 0] if holder else ""
    return Focus(
        _compile(forms),
        _compile(forms and rf"{forms}{_HAS_VALUE}"),
        _compile(last and rf"(?<![\w.])\d[\d.,]*+ (?:[\w-]+ ){{0,3}}{last}|{last}\W+(?:[\w-]+ )?\d"),
        _ASKS_LIMIT.search(question) is not None,
        _ASKS_DEADLINE.search(question) is not None,
        _compile(rf"\b{re.escape(role[: max(_ROLE_STEM, len(role) - _ENDING)])}" if role else None),
        mismatches.find_dimension(question),
        _ASKS_STAFF.search(question) is not None,
        kinds.find_defined(question).lower(),
    )


def restricts(text: str) -> bool:
    """Whether a text says that something is so exclusively."""
    return _RESTRICTS.search(text) is not None


def has_name(text: str) -> bool:
    """Whether a German text, in which all nouns are capitalized, has a name."""
    return _NAME_GERMAN.search(text) is not None


def drop_measures(text: str) -> str:
    """A text without numbers that do not count things: dates, times, references and measurements."""
    return _MEASURED.sub(" ", _DATE.sub(" ", _REFERENCE.sub(" ", text)))


def counts_something(text: str) -> bool:
    """Whether `text`, without measures, has a number."""
    return _NUMBER.search(text) is not None


def says_how_many(text: str) -> bool:
    """Whether `text` says how many without a number: all, unlimited. "Every three months" says how often."""
    return _UNCOUNTED.search(text) is not None


def are_persons(word: str) -> bool:
    """Whether a word denotes persons."""
    return word in _PERSONS


def is_measure(word: str) -> bool:
    """Whether a word is a unit of measurement."""
    return _MEASURED.search(f"3 {word}") is not None


def lacks_count(question: str, text: str) -> bool:
    """Whether `text` has no number with the Chinese measure word of the thing whose number is asked for."""
    found = _ASKS_COUNT_CJK.search(question)
    if found is None:
        return False
    word = found[found.lastindex or 0]
    words = f"[{_PERSONS_CJK}]" if word in _PERSONS_CJK else word
    counted = re.compile(rf"[\d{_HAN}][\d,.多余几来{_HAN}]{{0,6}} ?个?{words}|{words}[^\n:\uff1a]{{0,4}}[:\uff1a] ?\d")
    return counted.search(text) is None


def find_counted(question: str) -> str | None:
    """The thing whose number `question` asks for: the last specific word of its name, in lower case."""
    count = _ASKS_COUNT.search(question)
    words = count[count.lastindex or 0].lower().split() if count else []
    telling = [word for word in reversed(words) if word not in language.STOP_WORDS]
    # How many tenors sing, how many people work: an English verb may follow the plural.
    plural = (word for word in telling if _PLURAL.search(word) or are_persons(word))
    return next(plural, next(iter(telling), None))


def find_counted_thing(question: str) -> str | None:
    """Like `find_counted`, but None for a unit, or a thing for which texts often have other words.

    These are persons of any kind, people who work somewhere, and things that fit into something.
    """
    if _ASKS_ROOM.search(question) or _ASKS_STAFF.search(question):
        return None
    counted = find_counted(question)
    return None if counted is None or is_measure(counted) or are_persons(counted) else counted


def _forms_of(name: str) -> str:
    """A pattern for the words of a name, each in any form; in Chinese, for the name itself."""
    if _CJK.search(name):
        return re.escape(name)
    stems = (re.escape(word[: max(_LEAST_STEM, len(word) - _ENDING)]) for word in name.split())
    return r"\b" + r"\W+".join(rf"{stem}\w{{0,3}}+" for stem in stems)


def _compile(pattern: str | None) -> re.Pattern[str] | None:
    return re.compile(pattern, re.IGNORECASE) if pattern else None
