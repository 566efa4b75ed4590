"""Validate and normalize names that people choose. A name is one line of text."""

from app import errors, safe_text


def normalize_name(path: str, value: str, what: str) -> str:
    """The name as it is stored: composed (NFC), trimmed, with single spaces.

    Raises Invalid if it is empty, too long, or has invisible characters. `what` is the named object: "A project".
    """
    # Check the length first: normalizing a long run of combining marks takes quadratic time.
    if len(value) <= 4 * safe_text.MAX_NAME:
        if not value.strip():
            raise errors.Invalid.at(path, "REQUIRED", f"{what} needs a {path}.")
        if safe_text.has_hidden_characters(value):
            message = f"The {path} must be one line of text without control characters or other invisible characters."
            raise errors.Invalid.at(path, "INVALID", message)
        found = safe_text.to_one_line(value, 4 * safe_text.MAX_NAME)
        if len(found) <= safe_text.MAX_NAME:
            return found
    raise errors.Invalid.at(path, "TOO_LONG", f"The {path} must have at most {safe_text.MAX_NAME} characters.")
