"""Patterns of texts that try to instruct the model that reads them, from injection_phrases.toml."""

import re
from dataclasses import dataclass

from app.rag.judgement.phrase_files import read_phrase_file

BEGINNING = 5
"""The number of letters of a word that decide whether a rule is tried."""

_FILE, _join = read_phrase_file("injection_phrases.toml")


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, tried only on texts that have a word with one of these beginnings: most texts have few."""

    beginnings: frozenset[str]
    pattern: re.Pattern[str]


RULES = tuple(
    Rule(
        frozenset(word[:BEGINNING] for word in rule["words"].split()),
        re.compile(_join(rule["patterns"]), re.MULTILINE),
    )
    for rule in _FILE["rules"]
)
"""English, German, French, Spanish, Portuguese, Italian and Dutch."""

SCRIPTS = tuple((re.compile(script["letters"]), re.compile(_join(script["patterns"]))) for script in _FILE["scripts"])
"""Russian, Chinese, Japanese, Korean, Arabic and Hindi: the letters that a text must have, and the pattern."""

SHAPES = re.compile(_join(_FILE["shapes"]), re.MULTILINE)
"""The shapes of a prompt, or of a message to the outside: role markers, hidden comments, links that carry data."""
