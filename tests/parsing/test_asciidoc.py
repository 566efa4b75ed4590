"""Attributes of AsciiDoc: what they stand for is in the text, and what defines them is not."""

import time

import pytest

from app import errors
from app.knowledge.parsing.dispatch import parse_file

KETTLE = """= {product} handbook
Jane Doe <jane@example.org>
:product: Kettle
:capacity: 1.8 litres
:both: {product} of {capacity}
:toc:

The tank holds {capacity}. A {Both}{toc}, {unknown}, \\{capacity}.

== A {capacity} tank
:weight: 900 g, \\
  without water

|===
|Weight |Tank

|{weight} |{capacity}
|===

A paragraph goes on
:capacity: as it is.

----
:capacity: 3 litres
{capacity}
----

:capacity: 2 litres
:!weight:

Now {capacity}, {weight}.
"""


def parse_text(text: str) -> str:
    return parse_file(text.encode(), name="a.adoc").text


def test_attributes_are_replaced_by_their_values() -> None:
    document = parse_file(KETTLE.encode(), name="kettle.adoc")
    assert document.title == "Kettle handbook"
    assert [heading.text for heading in document.headings] == ["Kettle handbook", "A 1.8 litres tank"]
    for heading in document.headings:
        assert document.text[heading.offset :].startswith(f"{'=' * heading.level} {heading.text}\n")
    assert document.text.startswith("= Kettle handbook\nJane Doe <jane@example.org>\n\nThe tank holds 1.8 litres. ")
    assert "A Kettle of 1.8 litres, {unknown}, {capacity}.\n" in document.text
    assert "| Weight: 900 g, without water; Tank: 1.8 litres" in document.text
    assert "A paragraph goes on\n:capacity: as it is.\n" in document.text
    assert "----\n:capacity: 3 litres\n{capacity}\n----" in document.text
    assert document.text.rstrip().endswith("Now 2 litres, {weight}.")
    assert ":product:" not in document.text


@pytest.mark.parametrize(
    "text",
    [
        "Before {it}.\n\n:it: late\n\nAfter.",
        "Words of a paragraph.\n:it: no attribute\n\nAnd {it}.",
        "= Title\n\nA time: {it}\n",
        "----\n:it: 1\n----\n\n{it}",
    ],
)
def test_what_is_not_defined_stays(text: str) -> None:
    assert "{it}" in parse_text(text)


def test_a_document_of_attributes_alone_has_no_text() -> None:
    with pytest.raises(errors.DocumentError, match="no text"):
        parse_text(":name: value\n:other: value\n")


def test_attributes_do_not_blow_a_document_up() -> None:
    doubling = "".join(f":a{n}: {{a{n - 1}}}{{a{n - 1}}}\n" for n in range(1, 60))
    for text in (
        f"= Bomb\n:a0: ha\n{doubling}\n{'{a59} {a9} ' * 20_000}",
        f"= Bomb\n:x: {'long ' * 390}\n\n{'{x}' * 100_000}",
        f"= Loop\n:a: {{b}}\n:b: {{a}}\n\n{'{a}{b}' * 10_000}",
        "= Entries\n" + ":a: \\\n" * 100_000 + "\nWords.",
        "= Entries\n\n" + ":a: {a} {a}\n" * 100_000 + "\nWords {a}.",
    ):
        start = time.process_time()
        assert len(parse_text(text)) <= 2 * len(text) + 2_000
        assert time.process_time() - start < 5
