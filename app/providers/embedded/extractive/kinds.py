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
_ASKS_LIST, _ASKS_WHETHER = _compile("asks_list"), _compile("asks_whether")
_TIME, _NUMBER, _UNNUMBERED = _compile("time"), _compile("number"), _compile("unnumbered")
_EVENT, _REFERENCE = _compile("event"), _compile("reference")
_PLACE = _PHRASES.pattern("place")
_NAMES_IN_CODE = [
    tuple(re.compile(_PHRASES.join(each[part]), re.IGNORECASE) for part in ("asks", "shows"))
    for each in _PHRASES.tables["names_in_code"]
]
_SETTLES, _DENIES = _compile("settles"), _compile("denies")
_ASKS_DEFINITION = [
    re.compile(_PHRASES.join([pattern]), re.IGNORECASE) for pattern in _PHRASES.tables["patterns"]["asks_definition"]
]
_DEFINES: list[str] = [_PHRASES.join([pattern]) for pattern in _PHRASES.tables["patterns"]["defines"]]
_CJK = re.compile(f"[{language.CJK}]")
_LETTER = rf"(?:[^\W{language.CJK}]|-)"  # or digit, of a script with spaces between its words
_TOKEN = re.compile(r"[\w:.]+")
_QUANTITY = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")
_DIGITS = re.compile(r"\d+")
_NAME = re.compile(r"(?<=\S )[A-ZÄÖÜ]\w")
# Small letters and numbers that are joined by signs; options; names like strictPort; what stands in quotation marks.
_JOINED = re.compile(r"(?<![\w-])[a-z0-9]+(?:[-_./@:]+[a-z0-9]+)+(?![\w-])")
_JOINT = re.compile(r"[_/@]|[a-z]\.[a-z]|-.*-")
_OTHER_NAME = re.compile(r"(?<!\S)(--?[a-zA-Z][\w-]+|%\w+)|\b([a-z]+[A-Z]\w*)|[\"`“„«]([^\s\"`“”„«»]{2,20})[\"`”“»]")
_WORD_JOINTS = 3  # as in "state-of-the-art"
_LONGEST = 1_000  # characters of a question that say what it asks for


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for. `words` are all of it, in lower case; `code_names` those that can be no usual word."""

    words: frozenset[str]
    numbers: tuple[re.Pattern[str], ...]
    code_names: tuple[re.Pattern[str], ...]
    definitions: tuple[re.Pattern[str], ...]
    number: bool
    time: bool
    code: re.Pattern[str] | None
    name: bool
    place: bool
    amount: bool
    list: bool
    whether: bool


def read_question(question: str) -> Asked:
    """What `question` asks for."""
    question = question[:_LONGEST]
    thing = next(filter(None, (pattern.search(question) for pattern in _ASKS_DEFINITION)), None)

    def asks(pattern: re.Pattern[str]) -> bool:
        return pattern.search(question) is not None

    return Asked(
        words=frozenset(language.split_words(question)),
        numbers=tuple(map(_whole, _QUANTITY.findall(question))),
        code_names=tuple(map(_whole, find_code_names(question))),
        definitions=tuple(_definitions_of(thing["thing"])) if thing else (),
        number=asks(_ASKS_NUMBER) or (asks(_ASKS_AMOUNT) and not asks(_ASKS_TIME)),
        time=asks(_ASKS_TIME),
        code=next((shows for wants, shows in _NAMES_IN_CODE if asks(wants)), None),
        name=asks(_ASKS_NAME),
        place=asks(_ASKS_PLACE),
        amount=asks(_ASKS_AMOUNT),
        list=asks(_ASKS_LIST),
        whether=asks(_ASKS_WHETHER),
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
        return 1.0 if _NAME.search(_new_words(asked, text)) else -1.0
    return 0.0


def _score_amount(asked: Asked, text: str) -> float:
    new = _new_words(asked, text)
    if (asked.time and _TIME.search(new)) or (not asked.time and _NUMBER.search(new)):
        return 1.0
    unsure = _UNNUMBERED.search(text) or (asked.time and (_NUMBER.search(new) or _EVENT.search(text)))
    return 0.3 if unsure else -1.0


def lacks_amount(asked: Asked, text: str) -> bool:
    """Whether only a number or a time can answer the question, and `text` says none that the question does not."""
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


def _new_words(asked: Asked, text: str) -> str:
    """The text without references, words and numbers of the question."""

    def keep(match: re.Match[str]) -> str:
        token = match[0].strip(".:").lower()
        return " " if token in asked.words else _DIGITS.sub(drop_number, match[0])

    def drop_number(match: re.Match[str]) -> str:
        return " " if match[0] in asked.words else match[0]

    return _TOKEN.sub(keep, _REFERENCE.sub(" ", text))
