"""Patterns of texts that try to instruct the model that reads them, from injection_phrases.toml."""

import re
from dataclasses import dataclass

from app.phrase_files import Pattern, read_phrases

BEGINNING = 5
"""The number of letters of a word that decide whether a rule is tried."""

_PHRASES = read_phrases(__file__, "injection_phrases.toml")


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, tried only on texts with a word that starts with one of `beginnings`, which saves most searches."""

    beginnings: frozenset[str]
    pattern: Pattern


RULES = tuple(
    Rule(
        frozenset(word[:BEGINNING] for word in rule["words"].split()),
        _PHRASES.any_of(rule["patterns"], re.MULTILINE),
    )
    for rule in _PHRASES.tables["rules"]
)
"""English, German, French, Spanish, Portuguese, Italian and Dutch."""

SCRIPTS = tuple(
    (re.compile(script["letters"]), _PHRASES.any_of(script["patterns"])) for script in _PHRASES.tables["scripts"]
)
"""Russian, Chinese, Japanese, Korean, Arabic and Hindi: letters that a text must contain, and the pattern."""

SHAPES = _PHRASES.pattern("shapes", re.MULTILINE)
"""The shapes of a prompt, or of a message to the outside: role markers, hidden comments, links that carry data."""
