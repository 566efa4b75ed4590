"""Detect what kind of answer a question asks for (a time, a number, a list …), and whether a text has it. Pure."""

import re
from dataclasses import dataclass

from app import language
from app.phrase_files import Pattern, read_phrases
from app.providers.embedded.extractive import identifiers

_PHRASES = read_phrases(__file__, "answer_kinds.toml")


def _pattern(name: str) -> Pattern:
    return _PHRASES.pattern(name, re.IGNORECASE)


_ASKS_TIME, _ASKS_NUMBER, _ASKS_AMOUNT = _pattern("asks_time"), _pattern("asks_number"), _pattern("asks_amount")
_ASKS_NAME, _ASKS_PLACE = _pattern("asks_name"), _pattern("asks_place")
_ASKS_PERSON, _PERSON = _pattern("asks_person"), _pattern("person")
_ASKS_HOW_TO = _pattern("asks_how_to")
_ASKS_LIST, _ASKS_WHETHER, _ASKS_DENIED = _pattern("asks_list"), _pattern("asks_whether"), _pattern("asks_denied")
_TIME, _NUMBER, _UNNUMBERED = _pattern("time"), _pattern("number"), _pattern("unnumbered")
_EVENT, _REFERENCE = _pattern("event"), _pattern("reference")
_ASKS_WHY, _REASON = _pattern("asks_why"), _pattern("reason")
_ASKS_POINT, _POINT = _pattern("asks_point"), _pattern("point")
_CALENDAR, _MOMENT = _pattern("calendar"), _pattern("moment")
_WEEKDAY = _pattern("weekday")
_MAIL = [(_pattern("mail_header"), _pattern("asks_mail")), (_pattern("mail_subject"), _pattern("asks_subject"))]
_PLACE, _LOCATES = _PHRASES.pattern("place"), _pattern("locates")
_NAMES_IN_CODE, _MEASURES, _FORMS = (
    [tuple(_PHRASES.any_of(each[part], re.IGNORECASE) for part in ("asks", "shows")) for each in _PHRASES.tables[name]]
    for name in ("names_in_code", "measures", "forms")
)
_IN_NUMBERS = [
    shows for (_, shows), each in zip(_MEASURES, _PHRASES.tables["measures"], strict=True) if "in_numbers" in each
]
_SETTLES, _DENIES, _DENIES_FIRMLY = _pattern("settles"), _pattern("denies"), _pattern("denies_firmly")
_ASKS_DEFINITION = [
    _PHRASES.any_of([pattern], re.IGNORECASE) for pattern in _PHRASES.tables["patterns"]["asks_definition"]
]
_DEFINES: list[str] = [_PHRASES.join([pattern]) for pattern in _PHRASES.tables["patterns"]["defines"]]
_CJK = re.compile(f"[{language.CJK}]")
_TOKEN = re.compile(r"[\w:.]+")
_QUANTITY = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")
# A number with adjacent letters: error E3, route A12, the size 10px.
_LETTERED = re.compile(r"(?<![\w.])(?:[^\W\d_]{1,5}-?\d{1,6}|\d{1,6}[^\W\d_]{1,5})(?!\w)")
_DIGITS = re.compile(r"\d+")
# The unit in a column header, before the numbers: Length (km): 7.4, Price EUR: 12.
_UNIT_IN_HEADER = re.compile(
    r"[(\uff08]([^\W\d_]{1,8}[²³]?|[€$£¥])[)\uff09](?=[^()\uff08\uff09]{0,40}\d)| ([^\W\d_]{1,8}): (?=\d)"
)
_LONGER_WORD_INSIDE = re.compile(r"(?<=\S )[^\W\d_]{2}[\w-]*")
_WORD_INSIDE = re.compile(r"(?<=\S )[^\W\d_]\w")
_SMALL_DIGITS = 2
LONGEST = 1_000
"""The most characters of a question that are read: enough to see what it asks for, and a limit on the time."""


@dataclass(frozen=True, slots=True)
class QuestionTraits:
    """What a question asks for. `words` are all of its words, in lower case; `code_names` find the unusual ones, and
    `days` its weekdays.

    `likes` find numbers of the same form as the question's: other years, other error codes. `denied`: it asks what is
    not so. `measure` finds amounts in the units that it asks for (`in_numbers`: only numbers), and `forms` find other
    answers with a form of their own: colors, weights, addresses; `form_words` are the question's words for them.
    `defined`: the thing whose definition it asks for.
    `how_to`: it asks how something is done. `why`: it asks for a reason; `point`: for a point in time.
    """

    words: frozenset[str]
    numbers: tuple[re.Pattern[str], ...]
    likes: tuple[re.Pattern[str], ...]
    code_names: tuple[re.Pattern[str], ...]
    days: tuple[re.Pattern[str], ...]
    defined: str
    definitions: tuple[re.Pattern[str], ...]
    number: bool
    time: bool
    code: Pattern | None
    name: bool
    person: bool
    place: bool
    amount: bool
    measure: Pattern | None
    in_numbers: bool
    forms: tuple[Pattern, ...]
    form_words: frozenset[str]
    list: bool
    how_to: bool
    why: bool
    point: bool
    whether: bool
    denied: bool


def read_question(question: str) -> QuestionTraits:
    """Detect what `question` asks for."""
    question = question[:LONGEST]
    thing = find_defined(question)
    numbers = [number[0] for pattern in (_QUANTITY, _LETTERED) for number in pattern.finditer(question)]

    def asks(pattern: Pattern) -> bool:
        return pattern.search(question) is not None

    forms = [(shows, found[0]) for wants, shows in _FORMS if (found := wants.search(question)) is not None]
    measure = next((shows for wants, shows in _MEASURES if asks(wants)), None)
    return QuestionTraits(
        words=frozenset(language.split_words(question)),
        numbers=tuple(map(identifiers.compile_name, numbers)),
        likes=tuple(_like(number) for number in numbers if _is_telling(number)),
        code_names=tuple(map(identifiers.compile_name, identifiers.find_code_names(question))),
        days=tuple(re.compile(re.escape(day[0]), re.IGNORECASE) for day in _WEEKDAY.finditer(question)),
        defined=thing.strip("`").lower(),
        definitions=tuple(_definitions_of(thing)),
        number=asks(_ASKS_NUMBER) or (asks(_ASKS_AMOUNT) and not asks(_ASKS_TIME)),
        time=asks(_ASKS_TIME),
        code=next((shows for wants, shows in _NAMES_IN_CODE if asks(wants)), None),
        name=asks(_ASKS_NAME),
        person=asks(_ASKS_PERSON),
        place=asks(_ASKS_PLACE),
        amount=asks(_ASKS_AMOUNT),
        measure=measure,
        in_numbers=measure in _IN_NUMBERS,
        forms=tuple(shows for shows, _ in forms),
        form_words=frozenset(word for _, asking in forms for word in language.split_words(asking)),
        list=asks(_ASKS_LIST),
        how_to=asks(_ASKS_HOW_TO),
        why=asks(_ASKS_WHY),
        point=asks(_ASKS_POINT),
        whether=asks(_ASKS_WHETHER),
        denied=asks(_ASKS_DENIED),
    )


def find_defined(question: str) -> str:
    """The thing whose definition the question asks for; "" if it asks for something else."""
    thing = next(filter(None, (pattern.search(question) for pattern in _ASKS_DEFINITION)), None)
    return thing["thing"].strip(" ?.!\uff1f。") if thing else ""


def _definitions_of(name: str) -> list[re.Pattern[str]]:
    """Patterns for definitions of a thing, by its last word; in Chinese, by its whole name."""
    head = name if _CJK.search(name) else next(iter(name.split()[-1:]), "")
    return [re.compile(each.replace("{thing}", re.escape(head)), re.IGNORECASE) for each in _DEFINES] if head else []


def score_kind(traits: QuestionTraits, text: str) -> float:
    """Whether `text` has the requested time, number, code, name or place: 1 yes, -1 no, 0 if none is requested."""
    if traits.time or traits.number:
        return _score_amount(traits, text)
    if traits.code:
        return 1.0 if traits.code.search(text) else -1.0
    if traits.place and _says_where(text):
        return 1.0
    if (traits.name or traits.place) and not _CJK.search(text):
        inside = _WORD_INSIDE.finditer(_new_words(traits, text))
        return 1.0 if any(word[0][0].isupper() for word in inside) else -1.0
    return 0.0


def has_kind(traits: QuestionTraits, text: str) -> bool:
    """Whether `text` has the requested time, number, code, name or place; for a place, more than a name."""
    return _says_where(text) if traits.place else score_kind(traits, text) == 1


def _says_where(text: str) -> bool:
    return _PLACE.search(text) is not None or _LOCATES.search(text) is not None


def _score_amount(traits: QuestionTraits, text: str) -> float:
    new = _new_words(traits, text)
    if (traits.time and _TIME.search(new)) or (not traits.time and _NUMBER.search(new)):
        return 1.0
    unsure = _UNNUMBERED.search(text) or (traits.time and _EVENT.search(text))
    return 0.3 if unsure else -1.0


def measures(traits: QuestionTraits, text: str) -> bool:
    """Whether `text` has an amount in a requested unit (euros, for what something costs), or the requested form."""
    wanted = traits.forms or (traits.measure,)
    return all(each is not None and _shows(each, text) for each in wanted)


def _shows(wanted: Pattern, text: str) -> bool:
    """Whether `text` matches the pattern; in cells, the unit may be in the header."""
    return wanted.search(text) is not None or wanted.search(_UNIT_IN_HEADER.sub(r" 1 \1\2 ", text)) is not None


def is_mail_header(question: str, text: str) -> bool:
    """Whether `text` is a header field of a mail, and the question does not ask for one."""
    return any(line.search(text) and not asks.search(question) for line, asks in _MAIL)


def lacks_answer(traits: QuestionTraits, text: str) -> bool:
    """Whether `text` lacks the only kind of answer that fits: a new number, euros, a color, an option."""
    if lacks_form(traits, text):
        return True
    if traits.code and not traits.code.search(text):
        return True
    lacks_person = traits.person and not _CJK.search(text) and not _has_person(traits, text)
    return lacks_person or lacks_amount(traits, text)


def has_new_word(traits: QuestionTraits, text: str) -> bool:
    """Whether `text` has a word that the question does not have, or a number as long as a telephone number."""
    new = (word for word in language.split_words(text) if word not in traits.words)
    return any(len(word) > _SMALL_DIGITS if word.isdigit() else len(word) > 1 for word in new)


def lacks_form(traits: QuestionTraits, text: str) -> bool:
    """Whether `text` lacks any of the requested forms: a color, euros, an amount per month."""
    return not all(_shows(form, text) for form in traits.forms)


def lacks_amount(traits: QuestionTraits, text: str) -> bool:
    """Whether only a number or a time can answer, and `text` has no new one, or none in a requested unit."""
    if traits.measure and not _shows(traits.measure, text):
        return traits.in_numbers or _UNNUMBERED.search(text) is None
    if (traits.point and not _POINT.search(text)) or (traits.why and not _REASON.search(text)):
        return True
    # A time of day does not answer other questions: how high, how many.
    said = text if traits.time or traits.measure else _MOMENT.sub(" ", text)
    return traits.amount and score_kind(traits, said) < 0


def _has_person(traits: QuestionTraits, text: str) -> bool:
    """Whether `text` has a new name, or says what somebody is: the release manager, a user."""
    new = _new_words(traits, text).lstrip()
    first = language.split_words(new)[:1]
    begins = new[:1].isupper() and not language.STOP_WORDS.issuperset(first)
    inside = (word[0] for word in _LONGER_WORD_INSIDE.finditer(new) if word[0][:2].istitle())
    return begins or _PERSON.search(text) is not None or any(not _CALENDAR.search(word) for word in inside)


def settles(text: str) -> float:
    """How clearly a text says yes or no: 1 if it begins with it, 0.5 if it denies something."""
    return 1.0 if _SETTLES.search(text) else 0.5 if _DENIES.search(text) else 0.0


def defines(traits: QuestionTraits, text: str, label: str = "") -> bool:
    """Whether `text` defines the thing that the question asks about, or its `label` is exactly that thing."""
    is_label = label != "" and label.strip("`*").lower() == traits.defined
    return is_label or any(pattern.search(text) for pattern in traits.definitions)


def names(traits: QuestionTraits, text: str) -> bool:
    """Whether `text` has a code name of the question as a whole."""
    return any(pattern.search(text) for pattern in traits.code_names)


def names_day(traits: QuestionTraits, text: str) -> bool:
    """Whether `text` has a weekday of the question."""
    return any(pattern.search(text) for pattern in traits.days)


def has_numbers(traits: QuestionTraits, text: str) -> bool:
    """Whether the question has numbers, and `text` has all of them."""
    return bool(traits.numbers) and all(pattern.search(text) for pattern in traits.numbers)


def has_any_number(traits: QuestionTraits, text: str) -> bool:
    """Whether `text` has a number of the question."""
    return any(pattern.search(text) for pattern in traits.numbers)


def names_others(traits: QuestionTraits, text: str) -> bool:
    """Whether `text` has numbers of the same form as the question's, but none of the question's."""
    return any(pattern.search(text) for pattern in traits.likes) and not has_any_number(traits, text)


def denies(text: str) -> bool:
    """Whether a text says that something is not so."""
    return _DENIES_FIRMLY.search(text) is not None


def _is_telling(number: str) -> bool:
    """Whether a number is specific, not a small one that may count anything."""
    return len(number) > _SMALL_DIGITS or not number.isdigit()


def _like(number: str) -> re.Pattern[str]:
    """A pattern for numbers with the same length, separators and letters."""
    form = _DIGITS.sub(lambda digits: rf"\d{{{len(digits[0])}}}", re.escape(number))
    return identifiers.compile_whole(form)


def _new_words(traits: QuestionTraits, text: str) -> str:
    """The text without references and without words and numbers of the question."""

    def keep(match: re.Match[str]) -> str:
        token = match[0].strip(".:").lower()
        return " " if token in traits.words else _DIGITS.sub(drop_number, match[0])

    def drop_number(match: re.Match[str]) -> str:
        return " " if match[0] in traits.words else match[0]

    return _TOKEN.sub(keep, _REFERENCE.sub(" ", text))
