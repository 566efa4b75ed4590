"""Complete follow-ups that are not a question without the previous one: "And on Sundays?" Pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app import language
from app.phrase_files import read_phrases
from app.providers.embedded.extractive import kinds, scoring

_PHRASES = read_phrases(__file__, "followups.toml")
_BEGINS, _ENDS, _STANDS_ALONE, _QUALIFIES, _DAY = (
    _PHRASES.pattern(name, re.IGNORECASE) for name in ("begins", "ends", "stands_alone", "qualifies", "day")
)
_MOST_WORDS, _MOST_CHARACTERS = 8, 80  # in the part that is new
_MOST_NAMES = 200  # names of rows that are searched for


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A follow-up as a complete question. The answer must have one of the words; without words, any answer will do."""

    question: str
    words: frozenset[str]

    def is_answered_by(self, quotations: Sequence[str]) -> bool:
        """Whether a quotation is about the follow-up itself, and not only about the previous question."""
        said = frozenset(map(scoring.rough_stem, language.split_words("\n".join(quotations))))
        return not self.words or not self.words.isdisjoint(said)


def complete_question(question: str, earlier: Sequence[str], names: Collection[str]) -> FollowUp | None:
    """Complete a question with the one that it continues; None if it is complete. `earlier` questions are oldest first.

    Its content replaces the corresponding part of the previous question: another weekday, or another of the `names`,
    which are names of rows. A noun is a complete question ("And the permit?"), unless a row was named before.
    """
    known = [_name_pattern(name) for name in sorted(names, key=len, reverse=True)[:_MOST_NAMES] if name.strip()]
    whole, rest = "", None
    for each in (*earlier, question):
        rest = _find_rest(each[: kinds.LONGEST])
        if rest is not None and not (_qualifies(rest) or any(name.search(whole) for name in known)):
            rest = None
        whole = _replace_part(whole, rest, known) if rest and whole else each[: kinds.LONGEST]
    if rest is None or not earlier:
        return None
    words = () if _DAY.search(rest) else language.search_terms(rest)
    return FollowUp(whole[: kinds.LONGEST], frozenset(map(scoring.rough_stem, words)))


def _qualifies(rest: str) -> bool:
    return _QUALIFIES.search(rest) is not None or _DAY.search(rest) is not None


def _find_rest(question: str) -> str | None:
    """The new part of a follow-up; None if it is a complete question."""
    begin, end = _BEGINS.match(question), _ENDS.search(question)
    if begin is None and end is None:
        return None
    rest = question[begin.end() if begin else 0 : end.start() if end else len(question)].strip(" ,?!.\uff0c\uff1f。")
    too_long = len(rest) > _MOST_CHARACTERS or len(rest.split()) > _MOST_WORDS
    return None if not rest or too_long or _STANDS_ALONE.search(rest) else rest


def _replace_part(before: str, rest: str, known: Sequence[re.Pattern[str]]) -> str:
    """The previous question with `rest` in place of its day or name, or else at its end."""
    before = before.strip(" ?!.\uff1f。")
    alike = [_DAY.compiled] if _DAY.search(rest) else known if any(name.search(rest) for name in known) else []
    found = next(filter(None, (pattern.search(before) for pattern in alike)), None)
    if found is None:
        return f"{before} {rest}?"
    return f"{before[: found.start()]}{rest}{before[found.end() :]}?"


def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name.strip())}(?:e?[ns])?(?!\w)", re.IGNORECASE)
