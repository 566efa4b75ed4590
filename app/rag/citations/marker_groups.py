"""Decide what reads as a citation marker: numbers of passages in brackets, with the words next to them. Pure.

`[1]`, `[1, 3]`, `[1;2]`, `[1-3]`, from 1 to 999, also in fullwidth brackets; with words, `[1 and 3]`, `[Source 2]`,
`[doc1]`, `[1, p. 3]`; and with a dagger, as written by models trained to browse: `【1†L1-L3】`, `【1:0†source】`.
In these the first number is the passage's. Look-alikes of all of them are resolved by `lookalikes.normalize_marker`.
"""

import re
import unicodedata
from dataclasses import dataclass

from app.phrase_files import read_phrases
from app.rag.citations import lookalikes

MAX_GROUP = 80
"""The longest group in characters: about twenty numbers. Longer ones are plain text."""
MAX_DAGGER_GROUP = 200
"""The longest group with a dagger: its tail may be a file's name."""

_Ranges = tuple[tuple[int, int], ...]
_WORDS = read_phrases(__file__, "marker_words.toml")


def _any_of(name: str) -> str:
    return f"(?:{'|'.join(sorted(_WORDS.words(name), key=lambda word: (-len(word), word)))})"


_OPEN, _CLOSE = "[\\[\u3010\uff3b]", "[\\]\u3011\uff3d]"
_SPACE = "[ \\t\u00a0\u202f]*+"
# Wrapped text breaks after a comma or a dash.
_BREAK = f"{_SPACE}\\n?{_SPACE}"
_AFTER_SPACE = f"[,;\u060c\u061b\uff0c\u3001\uff1b]{_BREAK}"
_COMMA = f"{_SPACE}{_AFTER_SPACE}"
_DASH = f"{_SPACE}[-\u2010-\u2015\u2212]{_BREAK}"
_JOIN = f"{_BREAK}{_any_of('joins')}{_BREAK}"
_NAME = f"{_any_of('passages')}\\.?{_SPACE}(?:{_any_of('number_signs')}\\.?{_SPACE})?(?:[:#]{_SPACE}){{0,2}}"
# [0] and [0, 1] are an index and an interval.
_NUMBER = "(?!0++(?![0-9]))[0-9]{1,3}(?![0-9])"
_ITEM = f"(?:{_NAME})?{_NUMBER}(?:{_DASH}{_NUMBER})?"
_SEPARATOR = f"(?:{_COMMA}(?:{_any_of('joins')}{_BREAK}|(?:{_any_of('hints')}\\.?{_BREAK}){{1,2}})?|{_JOIN})"
# Further numbers after that of a page are pages, too: a missed citation is better than one that was not meant.
_LINE = "[0-9]{1,4}(?![0-9])"
_LINES = f"{_LINE}(?:{_DASH}l?{_LINE})?(?:(?:{_SPACE},{_BREAK}|{_JOIN}){_LINE})*+"
_PLACE = f"{_AFTER_SPACE}{_any_of('places')}\\.?{_SPACE}{_LINES}"
_PLACED = f"{_ITEM}(?:{_SPACE}{_PLACE})?"

GROUP = re.compile(f"{_OPEN}{_SPACE}{_PLACED}(?:{_SEPARATOR}{_PLACED})*+{_SPACE}{_CLOSE}")
"""A whole group without a dagger, as `_read` returns it."""
_ONE_NUMBER = re.compile(r"\[([1-9][0-9]{0,2})\]")  # nearly all groups, decided at once
_DAGGER_ITEM = f"(?:{_NAME})?{_NUMBER}(?::[0-9]{{1,4}})?(?:{_DASH}{_NUMBER})?"
_HEAD = re.compile(f"{_OPEN}{_SPACE}{_DAGGER_ITEM}(?:{_SEPARATOR}{_DAGGER_ITEM})*+{_SPACE}\u2020")
_IN_TAIL = re.compile(f"[,;]{_SPACE}({_NUMBER})(?::[0-9]{{1,4}})?{_SPACE}\u2020")
_TAIL, _CLOSED_TAIL = re.compile(lookalikes.TAIL), re.compile(f"{lookalikes.TAIL}{lookalikes.CLOSE}")
_NO_PASSAGE = re.compile(f"{_PLACE}|(?<=[0-9]):[0-9]++")
_RANGE = re.compile(f"([0-9]+)(?:{_DASH}([0-9]+))?")
_MAX_NUMBERS = 20

_SHAPE = re.compile(f"{_OPEN}[\\w\\s,;:#&.\u060c\u061b\uff0c\u3001\uff1b\u2010-\u2015\u2212-]*+")
_LARGE_NUMBER = re.compile(r"[^0-9]*+[0-9]{4}")
_DIGIT = re.compile("[0-9]")
_LETTERS = re.compile(r"[^\W\d_]+")
_MARKUP = re.compile(r"[*_`~\\]+")
_GROUP_CHARACTER = re.compile(f"[<&\\]\u3011\uff3d\u2020{lookalikes.CHARACTERS}]")
_BETWEEN_DIGITS = re.compile(r"[^\W\d_]|[\s.:#]")  # cannot make a group unless a digit or a bracket follows

_FIRST_WORDS = _WORDS.words("passages") | _WORDS.words("number_signs")
_ALL_WORDS = _FIRST_WORDS.union(*map(_WORDS.words, ("joins", "hints", "places")))


def _beginnings(words: frozenset[str]) -> frozenset[str]:
    """All beginnings, decomposed: half a Korean syllable begins it."""
    written = [unicodedata.normalize("NFD", word) for word in words]
    return frozenset(word[:length] for word in written for length in range(1, len(word) + 1))


_FIRST_BEGINNINGS, _ALL_BEGINNINGS = _beginnings(_FIRST_WORDS), _beginnings(_ALL_WORDS)


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """A group as written, and its ranges in order; a single number is a range of one.

    A group that never ends has no ranges; `written` is then its beginning, without which the rest is no marker.
    """

    written: str
    ranges: _Ranges = ()


NO_GROUP = NumberGroup("")


def match_group(text: str, at: int, *, final: bool) -> NumberGroup | None:
    """The group at `at`; NO_GROUP if there is none, None while undecided."""
    if one := _ONE_NUMBER.match(text, at):
        return NumberGroup(one[0], ((int(one[1]), int(one[1])),))
    if not final and len(text) - at < MAX_GROUP and lookalikes.CANDIDATE_BEGINNING.fullmatch(text, at):
        return NO_GROUP if lookalikes.LARGE_NUMBER.match(text, at) else None
    match = lookalikes.CANDIDATE_START.match(text, at, at + MAX_GROUP)
    if match is None:
        return NO_GROUP
    if match["close"]:
        return NumberGroup(match[0], _read_ranges(_read(match[0]))) if is_group(match[0]) else NO_GROUP
    if match["dagger"]:
        return _match_tail(text, match, final=final) if is_dagger_head(match[0]) else NO_GROUP
    if not _begins_group(match["open"]):
        return NO_GROUP
    if len(text) - at < MAX_GROUP:
        return NO_GROUP if final else None
    return _match_bracket(match[0])


def is_group(written: str) -> bool:
    """Whether a candidate as written is a group without a dagger."""
    has_number = lookalikes.NUMBERS.search(written) is not None
    return has_number and GROUP.fullmatch(_read(written)) is not None


def is_dagger_head(written: str) -> bool:
    """Whether this is the beginning of a group up to its dagger."""
    return _HEAD.fullmatch(_read(written)) is not None


def find_continuation(before: str, text: str) -> int | None:
    """Where `text` continues a group that is open at the end of `before`: a gap must remain between them.

    The length of `text` if that is still undecided; None if it continues none.
    """
    for at, following in enumerate(text):
        if _GROUP_CHARACTER.match(following) and lookalikes.UNCLOSED_MARKER.search(before):
            return at
        unclosed = lookalikes.UNCLOSED_CANDIDATE.search(before)
        if unclosed is None or not _begins_group(unclosed[0]):
            return None
        if not _BETWEEN_DIGITS.match(following):
            empty = following in "]\u3011\uff3d" and not lookalikes.NUMBERS.search(unclosed[0])
            return at if _GROUP_CHARACTER.match(following) and not empty else None
        before += following
    return len(text)


def _match_tail(text: str, head: re.Match[str], *, final: bool) -> NumberGroup | None:
    """The group whose head ends with a dagger; the head alone if it is not closed on its line."""
    end = head.start() + MAX_DAGGER_GROUP
    closed = _CLOSED_TAIL.match(text, head.end(), end)
    if closed is None:
        grows = not final and len(text) < end and _TAIL.fullmatch(text, head.end())
        return None if grows else NumberGroup(head[0])
    more = tuple((int(number), int(number)) for number in _IN_TAIL.findall(_read(closed[0])))
    return NumberGroup(head[0] + closed[0], _read_ranges(_read(head[0])) + more)


def _match_bracket(head: str) -> NumberGroup:
    """Decide about a group that is too long: many numbers are text; a few padded ones lose their bracket."""
    opening = lookalikes.OPENING_BRACKET.match(head)
    few = len(lookalikes.NUMBERS.findall(head)) <= _MAX_NUMBERS
    return NumberGroup(opening[0]) if opening and few else NO_GROUP


def _begins_group(written: str) -> bool:
    """Whether a candidate may still become a group: all words are a marker's; the last may be incomplete."""
    plain = _MARKUP.sub("", _read(written))
    if not _SHAPE.fullmatch(plain) or _LARGE_NUMBER.match(plain):
        return False
    digit = _DIGIT.search(plain)
    for run in _LETTERS.finditer(plain):
        leads = digit is None or run.start() < digit.start()
        if run.end() < len(plain):
            if run[0] not in (_FIRST_WORDS if leads else _ALL_WORDS):
                return False
        elif unicodedata.normalize("NFD", run[0]) not in (_FIRST_BEGINNINGS if leads else _ALL_BEGINNINGS):
            return False
    return True


def _read(written: str) -> str:
    """A candidate as a reader sees it, in lower case."""
    return lookalikes.normalize_marker(written).lower()


def _read_ranges(plain: str) -> _Ranges:
    return tuple((int(first), int(last or first)) for first, last in _RANGE.findall(_NO_PASSAGE.sub("", plain)))
