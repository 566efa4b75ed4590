"""Names that people give: one line each, checked."""

from app import errors, language


def name(path: str, value: str, what: str, most: int = language.MAX_NAME) -> str:
    """The name as it is kept: composed (NFC), trimmed, with single spaces.

    Raises Invalid when it is empty, too long, or holds what nobody sees. `what` has the name: "A project".
    """
    # Length first: putting very many marks in order takes quadratic time.
    if len(value) <= 4 * most:
        if not value.strip():
            raise errors.Invalid.one(path, "REQUIRED", f"{what} needs a {path}.")
        if language.has_hidden_characters(value):
            message = f"The {path} must be one line of text without control, direction or other invisible characters."
            raise errors.Invalid.one(path, "INVALID", message)
        found = language.to_one_line(value, 4 * most)
        if len(found) <= most:
            return found
    raise errors.Invalid.one(path, "TOO_LONG", f"The {path} has at most {most} characters.")
