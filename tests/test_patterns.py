"""No regular expression of the product can run away: each is attacked and its steps counted (tests/patterns)."""

import re

import pytest

from app.providers.embedded.extractive import units
from tests.answers import MESSAGE, Start
from tests.patterns.collecting import Found, collect
from tests.patterns.counting import Counter
from tests.patterns.growth import grown

# Patterns whose steps grow faster than their text, with the most characters they are ever given and why.
BOUNDED = {
    "app.knowledge.parsing.parsers.markup.markdown._INLINE": (
        300,
        "marks are taken from headings of at most 300 characters",
    ),
}
MAX_STEPS = 2_000_000
"""What a bounded pattern may take on the longest text that it is given: some hundredths of a second."""
ENOUGH = 150
"""Patterns that are found at the least: fewer, and the collecting has gone blind."""


def named(found: Found) -> str:
    return f"{found.place} {found.pattern.pattern!r:.80}"


def test_every_pattern_is_linear() -> None:
    found = collect()
    assert len(found) > ENOUGH
    steep: list[str] = []
    used: set[str] = set()
    for each in found:
        growth = grown(each.pattern, anchored=each.anchored)
        if growth.linear:
            continue
        if each.place not in BOUNDED:
            steep.append(f"{named(each)} by {growth.attack}")
            continue
        used.add(each.place)
        prefix, pump, spoiler = growth.attack
        longest = (prefix + pump * BOUNDED[each.place][0])[: BOUNDED[each.place][0]] + spoiler
        Counter(each.pattern).steps(longest, most=MAX_STEPS, anchored=each.anchored)
    assert steep == []
    assert used == set(BOUNDED), "an exception that is no longer needed"


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:a+)+b",
        r"(?:a|a)*b",
        r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$",
        r"\s*$",
        r"[\w.]+$",
        r"a*a*b",
        r"<!--.*-->",
        r"foo.*bar",
        r"`+([^`]+)`+",
        r"\s*=\s*[\"']?\s*x",
        r"(\*\*)(?=\S)(.+?)(?<=\S)\1",
        r"(?=[\w.]*\d)[\w.]{20,}",
        r"(?s:<think>.*?</think>)",
    ],
)
def test_a_runaway_pattern_is_found(pattern: str) -> None:
    assert not grown(re.compile(pattern), anchored=False).linear


@pytest.mark.parametrize(
    "pattern",
    [r"\w+", r"(?m)^[^\n]*\n", r"(?<!\s)\s++$", r"(?<!a)(?:a++)++b", r"\bfoo.{0,20}bar", r"[a-z]+(?:-[a-z]+)*"],
)
def test_a_linear_pattern_passes(pattern: str) -> None:
    assert grown(re.compile(pattern), anchored=False).linear


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"(a|b)*?c\1", "abcbcab"),
        (r"(?i:FOO)\b|[^\W\d]+(?<=o)", "foo1 boo"),
        (r"x{1,3}+y|\Bz", "xxxxyaz"),
        (r"^a.$", "ab\n"),
    ],
)
def test_the_counting_matcher_matches_as_the_engine_does(pattern: str, text: str) -> None:
    """They must agree on where matches end, or the counted steps would mean nothing."""
    for flags in (0, re.MULTILINE | re.DOTALL):
        compiled = re.compile(pattern, flags)
        assert Counter(compiled).ends(text) == [match.end() for match in compiled.finditer(text) if match[0]]


TABLE = "# Prices\n\n| storage | price |\n|--|" + "   |" * 16 + "x\n| disk | 10 euros |\n"


async def test_a_table_row_that_froze_the_server_is_answered(start: Start) -> None:
    client = start()
    project = await client.project("Tables")
    await client.ready(project, "Prices", TABLE)
    answer = await client.answered(await client.session(project), "What is the price of disk storage?")
    message = (await client.run(MESSAGE, id=answer))["message"]
    assert (message["status"], message["outcome"]) == ("COMPLETED", "CITED")
    assert message["citations"]


def test_table_rows_are_parsed_correctly() -> None:
    for rule in ("|--|--|", "| :-- | --: |", "|:--:|:---:|", "|---|   |"):
        [row] = [unit for unit in units.read_units(0, f"| a | b |\n{rule}\n| 1 | 2 |") if unit.kind == "ROW"]
        assert row.text == "a: 1, b: 2"
