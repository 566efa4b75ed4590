"""Find headings that contain the answer: those of releases and other dated sections. Pure."""

import re
from collections.abc import Iterator, Sequence

from app.phrase_files import read_phrases
from app.providers.embedded.extractive import kinds
from app.providers.embedded.extractive.kinds import QuestionTraits
from app.providers.embedded.extractive.lists import Blocks
from app.providers.embedded.extractive.units import QuotableUnit

_PHRASES = read_phrases(__file__, "sections.toml")
_ASKS_CHANGES, _ASKS_VERSION, _ASKS_END = (
    _PHRASES.pattern(name, re.IGNORECASE) for name in ("asks_changes", "asks_version", "asks_end")
)
# ASCII only, because Chinese text adjoins a version without a space.
_VERSION = _PHRASES.pattern("version", re.IGNORECASE | re.ASCII)
_LIMITED_TO = _PHRASES.pattern("limited_to")
_ZEROS = re.compile(r"(?<!\.0)(?:\.0)++$")
_MOST_SENTENCES = 4  # for a section without a list


def choose_section(
    question: str, traits: QuestionTraits, all_units: Sequence[QuotableUnit], blocks: Blocks
) -> list[QuotableUnit]:
    """The heading of the version that a question names, if its date is asked for; with its section, if changes are."""
    versions = _versions(question)
    headings = [unit for unit in all_units if unit.kind == "HEADING" and versions & _versions(unit.text)]
    if traits.time and not _ASKS_END.search(question):
        return [heading for heading in headings if _has_time(traits, heading)][:1]
    if not headings or not _ASKS_CHANGES.search(question):
        return []
    if blocks.is_introduction(headings[0]):
        return headings[:1]
    below = [unit for unit in all_units if any(heading is headings[0] for heading in _headings_above(unit))]
    said = [unit for unit in below if unit.kind in ("TEXT", "ITEM")][:_MOST_SENTENCES]
    return [headings[0], *said] if said else []


def find_telling_heading(question: str, traits: QuestionTraits, unit: QuotableUnit) -> QuotableUnit | None:
    """The heading above a unit that has the requested date or version, if the unit itself does not."""
    if traits.time and not _ASKS_END.search(question) and not _has_time(traits, unit):
        return next((heading for heading in _headings_above(unit) if _has_time(traits, heading)), None)
    if not _ASKS_VERSION.search(question):
        return None
    return next((heading for heading in _headings_above(unit) if _versions(heading.text) - _versions(question)), None)


def is_of_other_section(question: str, quoted: str, headings: Sequence[str]) -> bool:
    """Whether a heading has the question's qualifier (the guide in Bergen), but `quoted` does not."""
    found = _LIMITED_TO.search(question)
    place = found[found.lastindex or 0].lower() if found else ""
    return place != "" and place not in quoted.lower() and any(place in heading.lower() for heading in headings)


def _has_time(traits: QuestionTraits, unit: QuotableUnit) -> bool:
    return kinds.score_kind(traits, unit.text) == 1


def _headings_above(unit: QuotableUnit) -> Iterator[QuotableUnit]:
    """The headings of the sections that contain a unit, innermost first."""
    while unit.section is not None:
        unit = unit.section
        yield unit


def _versions(text: str) -> set[str]:
    """The versions in a text: 2.3, v2.3.0 and version 2.3 are the same."""
    return {_ZEROS.sub("", found[found.lastindex or 0]) for found in _VERSION.finditer(text)}
