"""What a question asks for (a time, a number, a list …), and how far a text shows that it has it. Pure."""

import re
from dataclasses import dataclass

from app import language
from app.phrase_files import read_phrases

_PHRASES = read_phrases(__file__, "answer_kinds.toml")


def _compile(name: str) -> re.Pattern[str]:
    return _PHRASES.pattern(name, re.IGNORECASE)


_ASKS_TIME, _ASKS_NUMBER, _ASKS_AMOUNT = _compile("asks_time"), _compile("asks_number"), _compile("asks_amount")
_ASKS_NAME, _ASKS_PLACE = _compile("asks_name"), _compile("asks_place")
_ASKS_LIST, _ASKS_WHETHER, _ASKS_DENIED = _compile("asks_list"), _compile("asks_whether"), _compile("asks_denied")
_TIME, _NUMBER, _UNNUMBERED = _compile("time"), _compile("number"), _compile("unnumbered")
_EVENT, _REFERENCE = _compile("event"), _compile("reference")
_PLACE = _PHRASES.pattern("place")
_NAMES_IN_CODE, _MEASURES, _FORMS = (
    [
        tuple(re.compile(_PHRASES.join(each[part]), re.IGNORECASE) for part in ("asks", "shows"))
        for each in _PHRASES.tables[name]
    ]
    for name in ("names_in_code", "measures", "forms")
)
_SETTLES, _DENIES, _DENIES_FIRMLY = _compile("settles"), _compile("denies"), _compile("denies_firmly")
_ASKS_DEFINITION = [
    re.compile(_PHRASES.join([pattern]), re.IGNORECASE) for pattern in _PHRASES.tables["patterns"]["asks_definition"]
]
_DEFINES: list[str] = [_PHRASES.join([pattern]) for pattern in _PHRASES.tables["patterns"]["defines"]]
_CJK = re.compile(f"[{language.CJK}]")
_LETTER = rf"(?:[^\W{language.CJK}]|-)"  # or digit, of a script with spaces between its words
_TOKEN = re.compile(r"[\w:.]+")
_QUANTITY = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")
# A number with letters at it: error E3, route A12, the size 10px.
_LETTERED = re.compile(r"(?<![\w.])(?:[^\W\d_]{1,5}-?\d{1,6}|\d{1,6}[^\W\d_]{1,5})(?!\w)")
_DIGITS = re.compile(r"\d+")
_WORD_INSIDE = re.compile(r"(?<=\S )[^\W\d_]\w")
# Small letters and numbers that are joined by signs; options; names like strictPort; what stands in quotation marks.
_JOINED = re.compile(r"(?<![\w-])[a-z0-9]+(?:[-_./@:]+[a-z0-9]+)+(?![\w-])")
_JOINT = re.compile(r"[_/@]|[a-z]\.[a-z]|-.*-")
_OTHER_NAME = re.compile(r"(?<!\S)(--?[a-zA-Z][\w-]+|%\w+)|\b([a-z]+[A-Z]\w*)|[\"`“„«]([^\s\"`“”„«»]{2,20})[\"`”“»]")
_SMALL_DIGITS = 2
_WORD_JOINTS = 3  # as in "state-of-the-art"
LONGEST = 1_000
"""Characters of a question that say what it asks for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for. `words` are all of it, in lower case; `code_names` those that can be no usual word.

    `likes` find numbers of the same form as those of the question: other years, other error codes. `denied`: what is
    not so is asked for. `measure` finds amounts in the units that are asked for, `form`
    what else only one kind of text can say: colors, weights, addresses.
    """

    words: frozenset[str]
    numbers: tuple[re.Pattern[str], ...]
    likes: tuple[re.Pattern[str], ...]
    code_names: tuple[re.Pattern[str], ...]
    definitions: tuple[re.Pattern[str], ...]
    number: bool
    time: bool
    code: re.Pattern[str] | None
    name: bool
    place: bool
    amount: bool
    measure: re.Pattern[str] | None
    form: re.Pattern[str] | None
    list: bool
    whether: bool
    denied: bool


def read_question(question: str) -> Asked:
    """What `question` asks for."""
    question = question[:LONGEST]
    thing = next(filter(None, (pattern.search(question) for pattern in _ASKS_DEFINITION)), None)
    numbers = [number[0] for pattern in (_QUANTITY, _LETTERED) for number in pattern.finditer(question)]

    def asks(pattern: re.Pattern[str]) -> bool:
        return pattern.search(question) is not None

    return Asked(
        words=frozenset(language.split_words(question)),
        numbers=tuple(map(_whole, numbers)),
        likes=tuple(_like(number) for number in numbers if _is_telling(number)),
        code_names=tuple(map(_whole, find_code_names(question))),
        definitions=tuple(_definitions_of(thing["thing"])) if thing else (),
        number=asks(_ASKS_NUMBER) or (asks(_ASKS_AMOUNT) and not asks(_ASKS_TIME)),
        time=asks(_ASKS_TIME),
        code=next((shows for wants, shows in _NAMES_IN_CODE if asks(wants)), None),
        name=asks(_ASKS_NAME),
        place=asks(_ASKS_PLACE),
        amount=asks(_ASKS_AMOUNT),
        measure=next((shows for wants, shows in _MEASURES if asks(wants)), None),
        form=next((shows for wants, shows in _FORMS if asks(wants)), None),
        list=asks(_ASKS_LIST),
        whether=asks(_ASKS_WHETHER),
        denied=asks(_ASKS_DENIED),
    )


def _definitions_of(thing: str) -> list[re.Pattern[str]]:
    """Patterns for texts that define a thing; in Chinese by its whole name, else by its last word."""
    name = thing.strip(" ?.!\uff1f。")
    head = name if _CJK.search(name) else next(iter(name.split()[-1:]), "")
    return [re.compile(each.replace("{thing}", re.escape(head)), re.IGNORECASE) for each in _DEFINES] if head else []


def score_kind(asked: Asked, text: str) -> float:
    """Whether `text` has the time, number, code, name or place asked for: 1 yes, -1 no, 0 if nothing of the kind is."""
    if asked.time or asked.number:
        return _score_amount(asked, text)
    if asked.code:
        return 1.0 if asked.code.search(text) else -1.0
    if asked.place and _PLACE.search(text):
        return 1.0
    if (asked.name or asked.place) and not _CJK.search(text):
        inside = _WORD_INSIDE.finditer(_new_words(asked, text))
        return 1.0 if any(word[0][0].isupper() for word in inside) else -1.0
    return 0.0


def _score_amount(asked: Asked, text: str) -> float:
    new = _new_words(asked, text)
    if (asked.time and _TIME.search(new)) or (not asked.time and _NUMBER.search(new)):
        return 1.0
    unsure = _UNNUMBERED.search(text) or (asked.time and (_NUMBER.search(new) or _EVENT.search(text)))
    return 0.3 if unsure else -1.0


def measures(asked: Asked, text: str) -> bool:
    """Whether `text` has an amount in a unit that is asked for (euros of what costs something), or its form."""
    wanted = asked.form or asked.measure
    return wanted is not None and wanted.search(text) is not None


def lacks_answer(asked: Asked, text: str) -> bool:
    """Whether `text` has nothing of the only kind that can answer: no new number or time, no color, no weight."""
    if asked.form and not asked.form.search(text):
        return True
    return asked.amount and score_kind(asked, text) < 0


def settles(text: str) -> float:
    """How far a text decides for yes or no: 1 if it begins so, 0.5 if it denies something."""
    return 1.0 if _SETTLES.search(text) else 0.5 if _DENIES.search(text) else 0.0


def defines(asked: Asked, text: str) -> bool:
    """Whether `text` says what the thing is that the question asks for."""
    return any(pattern.search(text) for pattern in asked.definitions)


def names(asked: Asked, text: str) -> bool:
    """Whether `text` has a code name of the question as a whole."""
    return any(pattern.search(text) for pattern in asked.code_names)


def has_numbers(asked: Asked, text: str) -> bool:
    """Whether `text` has all numbers of a question that has some."""
    return bool(asked.numbers) and all(pattern.search(text) for pattern in asked.numbers)


def has_any_number(asked: Asked, text: str) -> bool:
    """Whether `text` has a number of the question."""
    return any(pattern.search(text) for pattern in asked.numbers)


def names_others(asked: Asked, text: str) -> bool:
    """Whether `text` has other numbers of the same form as those of the question, and none of these."""
    return any(pattern.search(text) for pattern in asked.likes) and not has_any_number(asked, text)


def denies(text: str) -> bool:
    """Whether a text says that something is not so."""
    return _DENIES_FIRMLY.search(text) is not None


def find_code_names(question: str) -> list[str]:
    """Paths, options, versions, quoted words and the like."""
    others = [match[match.lastindex or 0] for match in _OTHER_NAME.finditer(question)]
    return [*_joined_names(question), *others]


def lacks_code_name(question: str, texts: list[str]) -> bool:
    """Whether no text contains a name of the question that cannot be an ordinary word: it is unknown then."""
    names = [name for name in _joined_names(question) if "_" in name or _is_no_word(name)]
    return any(not any(_whole(name).search(text) for text in texts) for name in names)


def _joined_names(question: str) -> list[str]:
    return [name for name in _JOINED.findall(question) if _JOINT.search(name)]


def _is_no_word(name: str) -> bool:
    return name.count("-") > _WORD_JOINTS or (name.count("-") == _WORD_JOINTS and _DIGITS.search(name) is not None)


def _whole(name: str) -> re.Pattern[str]:
    """The name or number, not as a part of another."""
    return re.compile(rf"(?<!{_LETTER})(?<!\d[.,]){re.escape(name)}(?!{_LETTER})(?![.,]\d)", re.IGNORECASE)


def _is_telling(number: str) -> bool:
    """Whether a number is more than a small one, which may count anything."""
    return len(number) > _SMALL_DIGITS or not number.isdigit()


def _like(number: str) -> re.Pattern[str]:
    """Numbers of the same length, separators and letters."""
    form = _DIGITS.sub(lambda digits: rf"\d{{{len(digits[0])}}}", re.escape(number))
    return re.compile(rf"(?<!{_LETTER})(?<!\d[.,]){form}(?!{_LETTER})(?![.,]\d)", re.IGNORECASE)


def _new_words(asked: Asked, text: str) -> str:
    """The text without references, words and numbers of the question."""

    def keep(match: re.Match[str]) -> str:
        token = match[0].strip(".:").lower()
        return " " if token in asked.words else _DIGITS.sub(drop_number, match[0])

    def drop_number(match: re.Match[str]) -> str:
        return " " if match[0] in asked.words else match[0]

    return _TOKEN.sub(keep, _REFERENCE.sub(" ", text))
