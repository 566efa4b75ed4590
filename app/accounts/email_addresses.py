"""E-mail addresses as people type them, and as they are kept, compared and shown."""

import re
import unicodedata
from string import ascii_lowercase, ascii_uppercase

from app import errors, language

MAX_EMAIL = 320

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")


def email(value: str, path: str = "email") -> str:
    """An e-mail address as it is kept: trimmed, in small letters. Raises Invalid for what is none."""
    found = possible_email(value)
    if found is None:
        raise errors.Invalid.one(path, "INVALID", "This is not an email address; an example is kim@example.org.")
    return found


def possible_email(value: str) -> str | None:
    """An address as it is kept, or None when it cannot be one.

    Only what is the same mailbox becomes the same: of letters beyond ASCII some turn into others when made small (the
    Kelvin sign into k), and whoever has the one address must not be taken for who has the other.
    """
    # Length first: putting very many marks in order takes quadratic time.
    if len(value := value.strip()) > MAX_EMAIL:
        return None
    found = unicodedata.normalize("NFC", value.translate(_SMALL))
    return (
        found
        if len(found) <= MAX_EMAIL and _ADDRESS.fullmatch(found) and not language.has_hidden_characters(found)
        else None
    )


def showable(value: str) -> bool:
    """No control characters, no line breaks, no half of a pair of surrogates (a database cannot keep that one)."""
    return not any(unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} for letter in value)
