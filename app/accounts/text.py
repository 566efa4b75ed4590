"""What people type in; names and addresses that can be kept, compared and shown, out."""

import re
import unicodedata
from string import ascii_lowercase, ascii_uppercase

from app import errors

MAX_EMAIL = 320

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")


def line(path: str, value: str, most: int, what: str) -> str:
    """One line of text, trimmed. Raises Invalid when it is empty, too long, or holds what cannot be shown."""
    value = value.strip()
    if not value:
        raise errors.Invalid.one(path, "REQUIRED", f"{what} needs a {path}.")
    if len(value) > most:
        raise errors.Invalid.one(path, "TOO_LONG", f"The {path} has at most {most} characters.")
    if not showable(value):
        raise errors.Invalid.one(path, "INVALID", f"The {path} is one line of text without control characters.")
    return value


def email(value: str, path: str = "email") -> str:
    """An e-mail address as it is kept: trimmed, in small letters. Raises Invalid for what is none."""
    found = possible_email(value)
    if found is None:
        raise errors.Invalid.one(path, "INVALID", "This is no e-mail address; one is like kim@example.org.")
    return found


def possible_email(value: str) -> str | None:
    """An address as it is kept, or None when it cannot be one.

    Only what is the same mailbox becomes the same: of letters beyond ASCII some turn into others when made small (the
    Kelvin sign into k), and whoever has the one address must not be taken for who has the other.
    """
    found = unicodedata.normalize("NFC", value.strip().translate(_SMALL))
    return found if len(found) <= MAX_EMAIL and _ADDRESS.fullmatch(found) and showable(found) else None


def showable(value: str) -> bool:
    """No control characters, no line breaks, no half of a pair of surrogates (a database cannot keep that one)."""
    return not any(unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} for letter in value)
