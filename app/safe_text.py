"""Make text that others wrote safe to store and to show. Pure."""

import re
import unicodedata

MAX_NAME = 200
"""Characters of a name, unless said otherwise."""

# Zero-width joiners: Persian and Hindi words and emoji need them between two characters; next to ASCII they only hide.
_JOINERS = "\u200c\u200d"
_NEEDLESS_JOINER = re.compile(f"(?<![^\\x00-\\x7f{_JOINERS}])[{_JOINERS}]|[{_JOINERS}](?![^\\x00-\\x7f{_JOINERS}])")
INVISIBLE = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
"""Characters of zero width and direction marks, as the inside of a set."""
# Letters, marks and symbols by their category that show nothing, so that two names look the same or one looks empty.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def replace_unstorable(text: str) -> str:
    """Replace what some databases and networks cannot carry: lone surrogates and U+0000 become �."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def to_one_line(text: str, max_length: int = MAX_NAME) -> str:
    """`text` as one line to show, of at most `max_length` characters; empty if nothing is visible.

    Composed (NFC), single spaces, and nothing that is hidden or changes how the rest is shown: no control, format or
    direction characters, no lone surrogates. Long text is cut first.
    """
    return _visible_line(" ".join(text[: 4 * max_length].split()))[:max_length].rstrip(f" {_JOINERS}")


def quote(text: str, max_length: int = MAX_NAME) -> str:
    """`text` as messages quote it: “text”, as one line."""
    return f"“{to_one_line(text, max_length)}”"


def show_setting(name: str, value: str) -> str:
    """A setting with its value: `PORT=many`, with quotation marks around a value that is empty or has spaces."""
    is_word = value and value.isprintable() and " " not in value
    return f"{name}={value if is_word else quote(value)}"


def has_hidden_characters(text: str) -> bool:
    """Whether `text` has characters other than white space that `to_one_line` removes."""
    line = " ".join(text.split())
    return _visible_line(line) != unicodedata.normalize("NFC", line)


def _visible_line(line: str) -> str:
    if line.isascii() and line.isprintable():
        return line
    shown = "".join(filter(_is_visible, unicodedata.normalize("NFC", line)))
    return " ".join(unicodedata.normalize("NFC", _NEEDLESS_JOINER.sub("", shown)).split())


def _is_visible(letter: str) -> bool:
    return letter in _JOINERS or (letter not in _BLANKS and unicodedata.category(letter) not in {"Cc", "Cf", "Cs"})
