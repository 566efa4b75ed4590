"""Patterns of answers that say their sources hold nothing, from missing_phrases.toml."""

import re

from app.rag.judgement.phrase_files import read_phrase_file

_FILE, _join = read_phrase_file("missing_phrases.toml")


def _compile(name: str) -> re.Pattern[str]:
    return re.compile(_join(_FILE["patterns"][name]))


MISSING = _compile("missing")
BESIDE = _compile("beside")
ABOUT = _compile("about")
THEY = _compile("they")
CONDITION = _compile("condition")
TURN = _compile("turn")
