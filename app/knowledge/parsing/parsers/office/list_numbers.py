"""Write the numbers of list items as readers see them: 4, d, IV. Pure."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MAX_LETTERS = 26 * 20
_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_MAX_ROMAN = 3_999


def write_number(number: int, style: str) -> str:
    """A number in the style `1`, `01`, `a`, `A`, `i` or `I`; in digits if no style can write it."""
    if style in {"a", "A"} and 0 < number <= _MAX_LETTERS:
        # After z come aa, bb, cc, as in Word and OpenDocument.
        repeated, index = divmod(number - 1, len(_LETTERS))
        written = _LETTERS[index] * (repeated + 1)
    elif style in {"i", "I"} and 0 < number <= _MAX_ROMAN:
        written = _write_roman(number)
    else:
        return str(number).zfill(len(style) if style == "01" else 1)
    return written.upper() if style.isupper() else written


def _write_roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        written += letters * count
    return written
