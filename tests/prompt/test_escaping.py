"""Escaping: texts that go into the prompt contain nothing that reads as a marker."""

import pytest
from hypothesis import given, settings

from app.rag.citations import escaping
from app.rag.citations.citation_stream import CitationStream
from app.rag.citations.markers import Marker, MarkerScanner
from tests.citations.test_citation_properties import markdown, odd_markdown


def has_markers(text: str) -> bool:
    scanner = MarkerScanner()
    return any(isinstance(part, Marker) for part in [*scanner.feed(text), *scanner.finish()])


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("as shown [7].", "as shown ⟦7⟧."),
        ("[12, 13] and [1-3][4]", "⟦12, 13⟧ and ⟦1-3⟧⟦4⟧"),
        ("wrapped [12,\n13]", "wrapped ⟦12,\n13⟧"),
        ("`a[1]`", "`a⟦1⟧`"),
        ("\u30107\u3011 and \uff3b1, 2\uff3d", "⟦7⟧ and ⟦1, 2⟧"),
        ("[1](url)", "⟦1⟧(url)"),
        ("[" + "1, " * 40 + "1]", "⟦" + "1, " * 40 + "1⟧"),
        ("[2023] [0] [x] [12a] [0, 1]", "[2023] [0] [x] [12a] [0, 1]"),
        (r"[^1] and \[2\]", r"⟦^1⟧ and \⟦2\⟧"),
        ("&#91;2&#93; &lbrack;3] R&D &amp; &#91;x&#93;", "\uff06#91;2\uff06#93; \uff06lbrack;3⟧ R&D &amp; &#91;x&#93;"),
    ],
)
def test_escape(text: str, escaped: str) -> None:
    assert escaping.escape_markers(text) == escaped


@settings(max_examples=200, deadline=None)
@given(markdown | odd_markdown)
def test_escaped_text_has_no_markers_and_the_same_length(text: str) -> None:
    escaped = escaping.escape_markers(text)
    assert len(escaped) == len(text)
    assert escaping.escape_markers(escaped) == escaped
    assert not has_markers(escaped)
    stream = CitationStream((), "NUMBERED")
    stream.feed(escaped)
    stream.finish()
    assert (stream.content, stream.unknown_markers) == (escaped, ())


@pytest.mark.parametrize(
    ("answer", "stripped"),
    [
        ("A is B [1], and C [2][3].", "A is B, and C."),
        ("`a[1]` [1](url) [2023] [4]", "`a[1]` (url) [2023]"),
        ("A is B [0198c1de-1a2b-7000-8000-000000000001:12].", "A is B."),
        ("at [localhost:8080] it runs", "at [localhost:8080] it runs"),
    ],
)
def test_strip_markers(answer: str, stripped: str) -> None:
    assert escaping.strip_markers(answer) == stripped


@settings(max_examples=200, deadline=None)
@given(markdown)
def test_a_stripped_answer_has_no_marker(answer: str) -> None:
    stripped = escaping.strip_markers(answer)
    assert not has_markers(stripped)
    assert escaping.strip_markers(stripped) == stripped
