"""Email addresses as people type them, and as they are stored, compared and shown.

Not the library email-validator: it refuses addresses that work here (owner@localhost, kim@intranet.local), keeps
capital letters before the @, and makes the Kelvin sign of a domain a k.
"""

import re
import unicodedata
from string import ascii_lowercase, ascii_uppercase

from app import errors, safe_text

MAX_EMAIL = 320

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")


def require_email(value: str) -> str:
    """An email address as it is stored: trimmed, in lower case. Raises Invalid if it is not one."""
    found = find_email(value)
    if found is None:
        message = f"{safe_text.quote(value)} is not an email address; an example is kim@example.org."
        raise errors.Invalid.at("email", "INVALID", message)
    return found


def find_email(value: str) -> str | None:
    """The address as it is stored, or None if this cannot be one.

    Only ASCII letters become lower case. Some others would become a different letter (the Kelvin sign becomes k), and
    then the owner of one address could pass for the owner of another.
    """
    # Length first: normalizing takes quadratic time if a letter has very many marks.
    if len(value := value.strip()) > MAX_EMAIL:
        return None
    found = unicodedata.normalize("NFC", value.translate(_SMALL))
    return (
        found
        if len(found) <= MAX_EMAIL and _ADDRESS.fullmatch(found) and not safe_text.has_hidden_characters(found)
        else None
    )


def is_showable(value: str) -> bool:
    """Whether it has no control characters, line breaks or lone surrogates (which a database cannot store)."""
    return not any(unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} for letter in value)
