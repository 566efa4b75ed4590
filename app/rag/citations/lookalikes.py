"""Patterns of text that reads as a citation marker: escaped, with entities, fullwidth, as a footnote, in bold."""

import html
import re
import unicodedata

from app import safe_text

_ODD_SPACES = "\x0b\x0c\x85\u1680\u2028\u2029"
_SPACES = f" \t\u00a0\u2000-\u200a\u202f\u205f\u3000{_ODD_SPACES}"
# Invisible characters: control, filler and tag characters, variation selectors; and marks over the character before.
HIDDEN = (
    f"{safe_text.INVISIBLE}\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u206a-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u0300-\u036f\u20d0-\u20f0"
)
"""Characters that a reader does not see, as the inside of a set."""
# Numbers in circles that Unicode does not decompose.
_CIRCLED = {code: str(int(unicodedata.numeric(chr(code)))) for code in (*range(0x24EB, 0x24FF), *range(0x2776, 0x2794))}
# The zeros of other digits: Arabic, Persian, those of India, Thai, Lao, Tibetan, Burmese, Khmer.
_ZEROS = "\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0\u0f20\u1040\u17e0"
_OTHER_DIGITS = {ord(zero) + value: str(value) for zero in _ZEROS for value in range(10)}
_ASCII_DIGITS = _CIRCLED | _OTHER_DIGITS
_DIGITS = (
    f"0-9{''.join(map(chr, _OTHER_DIGITS))}"
    "\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2473\u24eb-\u24fe\u2776-\u2793\uff10-\uff19"
    "\U0001d7ce-\U0001d7ff"
)
_BETWEEN = ",;\u060c\u061b\uff0c\u3001\uff1b\u2010-\u2015\u2212\uff0d-"
CHARACTERS = f"{_DIGITS}{_SPACES}{HIDDEN}\\n^*_~`\\\\{_BETWEEN}"
"""Characters allowed between the brackets, as the inside of a set."""
_TAG = "</?[A-Za-z!][^<>\\n]{0,60}+>"
_ENTITY = "&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,31});"
_OPEN_ENTITY = "&(?:#0*+91|#[xX]0*+5[bB]|lbrack|lsqb);"
_CLOSE_ENTITY = "&(?:#0*+93|#[xX]0*+5[dD]|rbrack|rsqb);"
_DAGGER_ENTITY = "&(?:#0*+8224|#[xX]0*+2020|dagger);"
_DAGGER = f"(?:\u2020|{_DAGGER_ENTITY})"
OPEN, CLOSE = f"(?:\\\\?[\\[\u3010\uff3b]|{_OPEN_ENTITY})", f"(?:[\\]\u3011\uff3d]|{_CLOSE_ENTITY})"
"""Patterns of brackets."""
CUT_OFF = "<[^<>\\n]{0,62}|&[#A-Za-z0-9]{0,31}"
"""Pattern of the beginning of a tag or entity."""


def text_inside(characters: str) -> str:
    """A pattern of text between brackets, of `characters` (the inside of a set), tags, entities and ampersands."""
    return f"(?:[{characters}]|{_TAG}|(?!{_OPEN_ENTITY}|{_CLOSE_ENTITY}|{_DAGGER_ENTITY}){_ENTITY}|&(?=[^#A-Za-z]))*+"


_INSIDE = text_inside(CHARACTERS)
_WITH_WORDS = text_inside(f"\\w.:#\uff0e\uff1a\uff03\uff06{CHARACTERS}")
TAIL = f"(?:[^\\[\\]\u3010\u3011\uff3b\uff3d\\r\\n&]|(?!{_OPEN_ENTITY}|{_CLOSE_ENTITY})&)*+"
"""A pattern of text after a dagger, up to a bracket or the end of the line."""
STARTS = "\\[\u3010\uff3b\\\\&"
"""The characters that can begin a marker, as the inside of a set."""
MARKER_CANDIDATE = re.compile(f"{OPEN}{_WITH_WORDS}{CLOSE}")
"""A candidate as written; its form after `normalize_marker` decides whether it is a marker."""
CANDIDATE_START = re.compile(
    f"(?P<open>{OPEN}{_WITH_WORDS})(?:(?P<close>{CLOSE})|(?P<dagger>{_DAGGER})|(?:{CUT_OFF})?\\Z)"
)
"""A candidate up to its end, to its dagger, which `TAIL` follows, or to the end of the text."""
DAGGER = re.compile(_DAGGER)
DAGGER_CANDIDATE = re.compile(f"({OPEN}{_WITH_WORDS}{_DAGGER})(?:{TAIL}{CLOSE})?")
"""The head, and the rest of the group if it is closed."""
CANDIDATE_BEGINNING = re.compile(f"\\\\|&[#A-Za-z0-9]{{0,9}}|{OPEN}{_INSIDE}(?:{CUT_OFF})?")
"""Text that may still become a marker of numbers alone."""
LARGE_NUMBER = re.compile(f"{OPEN}[{CHARACTERS}]*?[0-9]{{4}}")
"""The beginning of a candidate that can no longer become a marker."""
UNCLOSED_MARKER = re.compile(f"(?:[\\[\u3010\uff3b]|{_OPEN_ENTITY}){_INSIDE}$")
"""An open bracket at the end of a text, which digits and a closing bracket would turn into a marker."""
UNCLOSED_CANDIDATE = re.compile(f"(?:[\\[\u3010\uff3b]|{_OPEN_ENTITY}){_WITH_WORDS}$")
"""One that words follow."""
ENTITY_START = re.compile(f"&(?={_ENTITY[1:]})")
OPENING_BRACKET = re.compile(OPEN)
NUMBERS = re.compile(f"[{_DIGITS}]+")

_ANY_TAG = re.compile(_TAG)
_ANY_HIDDEN = re.compile(f"[{HIDDEN}]+")
_ANY_ODD_SPACE = re.compile(f"[{_ODD_SPACES}]")
# A line break that is shown as a space.
_BREAK_AT_EDGE = re.compile(r"(?<=^.)[ \t]*\n(?=[ \t]*[^\s])|\n(?=[ \t]*.$)")
# Emphasis and code around a number; between two digits they are text: [1*2].
_MARKUP = re.compile(r"\\|(?<![0-9])[*_`~]++|[*_`~]++(?![0-9])")
_FOOTNOTE = re.compile("(?<=^[\\[\u3010])\\^")


def normalize_marker(written: str) -> str:
    """A candidate as a reader sees it: entities resolved; tags, emphasis and hidden characters removed."""
    shown = _ANY_HIDDEN.sub("", html.unescape(_ANY_TAG.sub("", written))).translate(_ASCII_DIGITS)
    shown = _ANY_ODD_SPACE.sub(" ", unicodedata.normalize("NFKC", shown))
    return _FOOTNOTE.sub("", _BREAK_AT_EDGE.sub(" ", _MARKUP.sub("", shown)))
