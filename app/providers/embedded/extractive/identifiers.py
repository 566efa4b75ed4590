"""Detect questions with identifiers (codes, versions, names) that no passage has: the answer is unknown. Pure."""

import re
from collections.abc import Iterator, Sequence, Set

from app import language
from app.phrase_files import read_phrases

# Longer questions tell a story with the asker's own details.
_MOST_WORDS = 40
# Letters and digits together, letters first: B19, E1099, CVE-2025-1187, ISO 9001 in one word. Anything that begins with
# a digit may be an amount.
_LETTERED = re.compile(
    r"(?<![A-Za-z0-9._-])(?=[A-Za-z-]*\d)(?=[a-z0-9-]*[A-Z])[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?![\w-])", re.ASCII
)
_VERSION = re.compile(r"(?<![\w.-])v?(\d+\.\d+)(\.\d+)(?![\w-]|\.\d)", re.ASCII)
# Lower-case letters and numbers joined by signs; options; names like strictPort; text in quotation marks.
_JOINED = re.compile(r"(?<![\w-])[a-z0-9]+(?:[-_./@:]+[a-z0-9]+)+(?![\w-])")
_JOINT = re.compile(r"[_/@]|[a-z]\.[a-z]|-.*-")
_OTHER_NAME = re.compile(r"(?<!\S)(--?[a-zA-Z][\w-]+|%\w+)|\b([a-z]+[A-Z]\w*)|[\"`“„«]([^\s\"`“”„«»]{2,20})[\"`”“»]")
_CJK = re.compile(f"[{language.CJK}]")
_LETTER = rf"(?:[^\W{language.CJK}]|-)"  # or a digit, in a script with spaces between words
_WORD_JOINTS = 3  # as in "state-of-the-art"
_PHRASES = read_phrases(__file__, "identifiers.toml")
_LABELLED, _THING, _OWNER, _DEGREE, _FIRST_PERSON = (
    _PHRASES.pattern(name, re.IGNORECASE) for name in ("labelled_number", "thing", "owner", "degree", "first_person")
)
_CODE_NUMBER = _PHRASES.pattern("code_number", re.IGNORECASE)
_KIND, _ROLE, _LONG_ROLE, _DEPUTY, _THING_CJK = (
    _PHRASES.pattern(name, re.IGNORECASE) for name in ("kind", "role", "long_role", "deputy", "thing_cjk")
)
_CONTACT, _CONTACT_LABEL = _PHRASES.pattern("contact"), _PHRASES.pattern("contact_label")
_NAME, _OWN_NAME = _PHRASES.pattern("name"), _PHRASES.pattern("own_name")
# A name and a number, such as a model: Kestrel 60. Years and counts are not part of a name.
_NUMBERED = re.compile(r"(?<![\w-])([A-ZÄÖÜ][\w-]+)[ -](?!(?:19|20)\d\d)(\d{1,4})(?![\w.,:%°-]|\s[%°])")
_YEARLY = re.compile(r"(?<![\w-])([A-ZÄÖÜ][\w-]+)[ -]((?:19|20)\d\d)(?![\w.,:%°-])")  # Fernlink 2000, or Easter 2026
_SERIAL = re.compile(r"(?!(?:19|20)\d\d$)\d{3,4}")
_NUMBER_BEHIND = re.compile(r"[ -]?0*+(\d+(?:[.,]\d+)*|(?<=0))")
_LONG_NAME = re.compile(r"(?<=[a-zäöüß] )[A-ZÄÖÜ][\w-]++(?: [A-ZÄÖÜ][\w-]++)++")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_STEM = 6  # the first letters that all forms of a word share
_FEWEST_LOWER = 2  # with fewer lower-case words in a question, capitalized words are not taken for names
_ADVERB = re.compile("i?ly$")
_DECLINED = re.compile("(?<=[^\\W\\d_]{4})e[mnrs]?$")  # of a German adjective: einen halben, halber
_PAIR = re.compile("(?=(..))")
_RUN = re.compile(r"[A-Za-z]+|\d+")


def lacks_identifier(question: str, texts: Sequence[str]) -> bool:
    """Whether the question has a code, version, year, numbered thing or name that no text has."""
    if len(question.split()) > _MOST_WORDS:
        return False
    if any(not any(pattern.search(text) for text in texts) for pattern in _patterns(question)):
        return True
    return _lacks_name(question, "\n".join(texts).lower())


def lacks_thing(question: str, texts: Sequence[str]) -> bool:
    """Whether the question has a name, or a word after an article, that no text has.

    Words after an article are not checked in questions for an extreme or for all: the highest price, every model.
    """
    text = "\n".join(texts).lower()
    things = [word for found in _LONG_NAME.finditer(question) for word in found[0].split()]
    if not _DEGREE.search(question):
        things += [_DECLINED.sub("", found[1]) for found in _THING.finditer(question)]
    return any(_is_missing(thing, text) for thing in things)


def lacks_kind(question: str, texts: Sequence[str]) -> bool:
    """Whether a question is about a kind of thing that no text mentions: a weekly ticket, 有停车场吗."""
    text = "\n".join(texts).lower()
    kinds = (
        []
        if _DEGREE.search(question)
        else [_DECLINED.sub("", _ADVERB.sub("", found[1].lower())) for found in _KIND.finditer(question)]
    )
    thing = _THING_CJK.search(question)
    pairs = _PAIR.findall(thing[thing.lastindex or 0]) if thing else []
    return any(_is_missing(kind, text) for kind in kinds) or (bool(pairs) and not any(pair in text for pair in pairs))


def lacks_role(question: str, text: str) -> bool:
    """Whether a question asks who holds a role that `text` does not mention."""
    found = _ROLE.search(question)
    if found is None:
        return False
    role = found[found.lastindex or 0].lower()
    if not _DEPUTY.search(question):
        text = _DEPUTY.sub(" ", text)
    # Schriftführer and Schriftform share six letters, and so do Jugendwart and Jugendarbeit.
    stem = role.removesuffix("in") if _LONG_ROLE.search(role) else role[:_STEM]
    return stem not in text.lower()


def lacks_owner(question: str, text: str) -> bool:
    """Whether a question asks for a property of a thing (the capital of Mongolia) that `text` does not mention.

    The words before the last one distinguish the thing from others: the games user.
    """
    found = _OWNER.search(question)
    thing = found[found.lastindex or 0].lower() if found else ""
    words = thing.split()
    before = [] if not language.STOP_WORDS.isdisjoint(words) else words[:-1]
    return any(_is_missing(name, text.lower()) for name in (thing, *before))


def lacks_code_number(question: str, text: str, above: str) -> bool:
    """Whether a question is about a code of one or two digits (exit code 5), and `text` has only other numbers.

    The text `above` it may name the code ("Error 5"); a bare number does not count, because it may be a chapter's.
    """
    found = _CODE_NUMBER.search(question)
    if found is None or compile_name(found[found.lastindex or 0]).search(text):
        return False
    return not compile_name(found[0]).search(above)


def find_contact_owner(question: str) -> str | None:
    """The owner of the telephone number, extension or address that a question asks for."""
    found = _CONTACT.search(question)
    return found[found.lastindex or 0] if found else None


def reaches_owner(owner: str, above: str, before: str, text: str) -> bool:
    """Whether a text with contact details, or the text above it, names `owner`.

    The sentence before it counts if the text contains nothing but the details: "Phone: …".
    """
    said = f"{above} {before if _CONTACT_LABEL.search(text) else ''} {text}".lower()
    if _CJK.search(owner):
        return owner[:2] in said or owner[-2:] in said
    return any(word.lower().removesuffix("s") in said for word in _LETTERS.findall(owner)[-1:])


def find_code_names(question: str) -> list[str]:
    """Paths, options, versions, quoted words and the like."""
    others = [match[match.lastindex or 0] for match in _OTHER_NAME.finditer(question)]
    return [*_joined_names(question), *others]


def lacks_code_name(question: str, texts: list[str]) -> bool:
    """Whether the question has a name that cannot be an ordinary word and that no text contains."""
    names = [name for name in _joined_names(question) if "_" in name or _is_no_word(name)]
    return any(not any(compile_name(name).search(text) for text in texts) for name in names)


def _joined_names(question: str) -> list[str]:
    return [name for name in _JOINED.findall(question) if _JOINT.search(name)]


def _is_no_word(name: str) -> bool:
    return name.count("-") > _WORD_JOINTS or (name.count("-") == _WORD_JOINTS and any(map(str.isdigit, name)))


def compile_name(name: str) -> re.Pattern[str]:
    """A pattern for a name or number that is not part of another."""
    return compile_whole(re.escape(name))


def compile_whole(form: str) -> re.Pattern[str]:
    """A pattern for a form that is not part of a longer word or number."""
    # Only the form ignores case: otherwise, compiling the rest takes five times as long.
    return re.compile(rf"(?<!{_LETTER})(?<!\d[.,])(?i:{form})(?!{_LETTER})(?![.,]\d)")


def _find_numbers(name: str, text: str) -> Iterator[str]:
    """The numbers directly after a name, without leading zeros."""
    place = text.find(name)
    while place >= 0:
        found = _NUMBER_BEHIND.match(text, place + len(name))
        if found and not re.match(r"\w", text[place - 1 : place]):
            yield found[1]
        place = text.find(name, place + 1)


def _lacks_name(question: str, text: str) -> bool:
    """Whether the text lacks a name in the question, or has it only with other numbers.

    A text in the first person need not name its author.
    """
    numbered = [(found[1].lower(), found[2].lstrip("0")) for found in _NUMBERED.finditer(question)]
    known = {name: set(_find_numbers(name, text)) for name in dict(numbered)}
    if any(known[name] and number not in known[name] for name, number in numbered):
        return True
    if any(
        _is_new_of_series(number, set(_find_numbers(name.lower(), text))) for name, number in _YEARLY.findall(question)
    ):
        return True
    if sum(word[0].islower() for word in question.split()) < _FEWEST_LOWER:
        return False
    patterns = [_NAME] if _FIRST_PERSON.search(text) else [_NAME, _OWN_NAME]
    names = [found[found.lastindex or 0] for pattern in patterns for found in pattern.finditer(question)]
    return any(_is_missing(name, text) for name in names)


def _is_new_of_series(number: str, known: Set[str]) -> bool:
    """Whether a number that may be a year is none, as the same name has others that are none, and is not among them."""
    return number not in known and sum(_SERIAL.fullmatch(each) is not None for each in known) > 1


def _is_missing(name: str, text: str) -> bool:
    """Whether the lower-case text has no word of a name in any form or compound."""
    words = _LETTERS.findall(name.lower())
    return bool(words) and not any(word[:_STEM] in text for word in words)


def _patterns(question: str) -> Iterator[re.Pattern[str]]:
    """How texts may write each identifier: RFC2119, RFC 2119, RFC-2119; version 4.3.0 also as 4.3 or 4.3.x."""
    for found in _LETTERED.finditer(question):
        spelled = r"[\s-]?".join(_RUN.findall(found[0]))
        yield re.compile(rf"(?<![A-Za-z0-9]){spelled}(?!\d)", re.IGNORECASE)
    for found in _VERSION.finditer(question):
        short, patch = map(re.escape, found.groups())
        yield re.compile(rf"(?<![\d.]){short}(?:{patch}(?!\d)|(?:\.x)?(?!\.?\d))", re.IGNORECASE)
    for found in _LABELLED.finditer(question):
        yield re.compile(rf"(?<!\d){found[found.lastindex or 0]}(?!\d)")
