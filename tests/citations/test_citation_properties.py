"""Properties that hold for the citations of any answer, streamed in any pieces."""

import re
from dataclasses import replace
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app import global_ids
from app.rag.citations.citation_types import (
    CheckedCitation,
    CheckedText,
    CitationEvent,
    MarkerStyle,
    NewCitation,
    UnknownMarker,
)
from app.rag.citations.markers import Marker, MarkerScanner
from tests.citations.test_citations import source, stream

WITHOUT_7 = [
    *[source(n, f"Text of {n}. The fee is {n}0 euros. It is not due.") for n in (1, 2, 3)],
    source(4, document="document-3"),
    source(5, document="document-3"),
    source(12, ""),
]

MARKDOWN = r"""[ ] 【 ］ 【2】 [1] [7] [2-9] [3–1] 1 7 , - ` ``` ~~~ \ ( ) : ]( ! a fee . > 文字 # |"""
markdown = st.lists(
    st.sampled_from([*MARKDOWN.split(), "[1, 7]", " ", " ", "\n", "\n\n", "The fee is 20 euros", "- ", "\u00a0"])
    | st.text(max_size=3),
    max_size=40,
).map("".join)
styles = st.sampled_from([("NUMBERED", True), ("NUMBERED", False), ("CHUNK", True)])


@settings(max_examples=300, deadline=None)
@example(answer="[1]\nThe fee is 10 euros", cuts=[], form=("NUMBERED", True))
@example(answer=" ```\nfee[2] = fee[7]\n", cuts=[9], form=("NUMBERED", True))
@given(answer=markdown, cuts=st.lists(st.integers(0, 120)), form=styles)
def test_the_result_does_not_depend_on_the_pieces(answer: str, cuts: list[int], form: tuple[MarkerStyle, bool]) -> None:
    edges = sorted({0, len(answer), *(cut for cut in cuts if cut < len(answer))})
    pieces = [answer[start:end] for start, end in pairwise(edges)]
    whole, events = stream(answer, WITHOUT_7, *form)
    for split in (pieces, list(answer)):
        cut, cut_events = stream("", WITHOUT_7, *form, pieces=split)
        assert (cut.content, cut.citations, cut.unknown_markers) == (
            whole.content,
            whole.citations,
            whole.unknown_markers,
        )
        assert [e for e in cut_events if not isinstance(e, CheckedText)] == [
            e for e in events if not isinstance(e, CheckedText)
        ]


def scanned(text: str) -> list[tuple[int, Marker]]:
    scanner = MarkerScanner()
    found: list[tuple[int, Marker]] = []
    at = 0
    for part in [*scanner.feed(text), *scanner.finish()]:
        raw = part if isinstance(part, str) else part.raw
        if isinstance(part, Marker):
            found.append((at, part))
        at += len(raw)
    assert at == len(text)
    return found


@settings(max_examples=300, deadline=None)
@given(answer=markdown, form=styles)
def test_what_is_shown_is_true(answer: str, form: tuple[MarkerStyle, bool]) -> None:
    style, keep_markers = form
    checked, events = stream(answer, WITHOUT_7, style, keep_markers)
    texts = {source.chunk_id: source.text for source in WITHOUT_7}
    assert "".join(event.text for event in events if isinstance(event, CheckedText)) == checked.content
    assert [event.citation.index for event in events if isinstance(event, NewCitation)] == [
        c.index for c in checked.citations
    ]
    assert tuple(event.label for event in events if isinstance(event, UnknownMarker)) == checked.unknown_markers
    assert len(set(checked.unknown_markers)) == len(checked.unknown_markers)
    assert told(events) == checked.citations
    assert [citation.index for citation in checked.citations] == list(range(1, len(checked.citations) + 1))
    first_uses = [citation.uses[0].marker for citation in checked.citations]
    assert first_uses == sorted(first_uses)
    for citation in checked.citations:
        assert citation.chunk_id == citation.uses[0].chunk_id
        for use in citation.uses:
            assert texts[use.chunk_id][slice(*use.quote_span)] == use.quote
            assert 0 <= use.support <= 1
            assert checked.content[slice(*use.marker)] == label(citation, use.chunk_id, style, keep_markers)
    spans = {use.marker for citation in checked.citations for use in citation.uses}
    for start, marker in scanned(checked.content):
        assert (start, start + len(marker.raw)) in spans, "a marker that nobody checked"


def told(events: list[CitationEvent]) -> tuple[CheckedCitation, ...]:
    """The citations with all their uses, from the events alone, as an interrupted answer keeps them."""
    found: list[CheckedCitation] = []
    for event in events:
        if isinstance(event, NewCitation):
            found.append(event.citation)
        elif isinstance(event, CheckedText):
            for index, use in event.uses:
                found[index - 1] = replace(found[index - 1], uses=(*found[index - 1].uses, use))
    return tuple(found)


def label(citation: CheckedCitation, chunk_id: int, style: MarkerStyle, keep_markers: bool) -> str:
    if not keep_markers:
        return ""
    if style == "NUMBERED":
        return f"[{citation.index}]"
    position = next(s.position for s in WITHOUT_7 if s.chunk_id == chunk_id)
    return f"[{global_ids.encode('Document', citation.document_id)}:{position}]"


@given(st.text())
def test_text_without_brackets_is_untouched(answer: str) -> None:
    answer = answer.replace("[", "")
    checked, _ = stream(answer)
    assert checked.content == answer


@given(st.text(alphabet="[]123, -\\a\n", max_size=30))
def test_code_is_untouched(code: str) -> None:
    answer = f"```\n{code}\n```\n"
    assert stream(answer)[0].content == answer


MARKS = [*"\\[]()`*_~^<>&;:-|#!.9\n\r\u200b", "  ", "    ", "\n\n", "[9]", "[^9]", "［９］", "【9】", "&#91;", "&rsqb;"]
CONSTRUCTS = ["```", "~~~", "> ", "- ", "1. ", "](http://x", "<b>", "word", "[8](", "```\n", "\\["]
odd_markdown = st.lists(st.sampled_from([*MARKS, *CONSTRUCTS]), max_size=25).map("".join)
READER = MarkdownIt("commonmark", {"html": True}).enable("strikethrough")
SHOWN = re.compile(r"[\[\u3010\uff3b]\^?\s*(?!0+\b)[0-9\uff10-\uff19]{1,3}\s*[\]\u3011\uff3d]")


LABEL = [
    ["[", "&#91;", "\\[", "【"],
    ["RG9jdW1l", "&#82;G9jdW1l"],
    ["bnQ6MDAw"],
    [":3", "&colon;&#51;"],
    ["]", "&rsqb;", "\\]"],
]
NOISE = ["**", "`", "\\", "<b>", "</b>", "<i title='&gt;'>", "&lt;", "\u200b", "\u200b" * 70, "[9]", "[1]", " ", "word"]
labels = st.lists(
    st.tuples(*(st.tuples(st.sampled_from([*[""] * 20, *NOISE]), st.sampled_from(part)) for part in LABEL)), max_size=3
).map(lambda found: "".join(piece for label in found for pair in label for piece in pair))
SHOWN_LABEL = re.compile(r"[\[\u3010]RG9jdW1lbnQ6[A-Za-z0-9=_-]{1,90}:[0-9]{1,9}[\]\u3011]")


def shown(answer: str) -> str:
    """An answer as a reader sees it, without code."""
    texts: list[str] = []
    for token in READER.parse(answer):
        for child in token.children or []:
            if child.type == "text":
                texts.append(child.content)
            elif child.type in ("code_inline", "softbreak", "hardbreak", "image"):
                texts.append("\x00")
        texts.append("\x00")
    return re.sub("[\u200b]", "", "".join(texts))


def test_a_fence_outside_lists_contains_unindented_lines() -> None:
    answer = " ```\nfee[9] = 1\n ```\n"
    assert stream(answer, [source(1)])[0].content == answer


# The same examples each time: who looks for more than a reader of Markdown may find runs it with others.
@settings(max_examples=1500, deadline=None, derandomize=True)
@example(answer="[9](http://x)", cuts=[])
@example(answer="> ```\n[9]", cuts=[1, 4])
@example(answer="](http://x[9])", cuts=[])
@example(answer="[9]  ```\n```\n[9]", cuts=[4])
@example(answer="<b>[9]\n~~~\n\n[9]", cuts=[])
@example(answer="[a]([b )](c[9])", cuts=[])
@example(answer="[a](b\\) [c](d[9]\\)", cuts=[])
@example(answer="[a](b)c](d[9])", cuts=[])
@example(answer="word\n    ~~~ [9]", cuts=[])
@example(answer="word\n91. ~~~ [9]", cuts=[])
@example(answer="1. ~~~\n1. [9]", cuts=[])
@example(answer="> ```\n\n> [9]", cuts=[])
@example(answer="a ```b\n```[9]```", cuts=[])
@example(answer="\r[9]```\n```\n[9]", cuts=[])
@given(answer=odd_markdown, cuts=st.lists(st.integers(0, 60), max_size=6))
def test_no_unchecked_marker_is_visible(answer: str, cuts: list[int]) -> None:
    edges = sorted({0, len(answer), *(cut for cut in cuts if cut < len(answer))})
    checked, _ = stream("", [source(1)], pieces=[answer[start:end] for start, end in pairwise(edges)])
    whole, _ = stream(answer, [source(1)])
    assert checked.content == whole.content
    assert SHOWN.findall(shown(checked.content)) == [], repr(checked.content)


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(answer=labels, cuts=st.lists(st.integers(0, 120), max_size=6))
def test_no_label_of_chunk_style_is_visible_that_the_server_did_not_write(answer: str, cuts: list[int]) -> None:
    edges = sorted({0, len(answer), *(cut for cut in cuts if cut < len(answer))})
    checked, _ = stream("", [source(1)], pieces=[answer[start:end] for start, end in pairwise(edges)])
    whole, _ = stream(answer, [source(1)])
    assert checked.content == whole.content
    assert SHOWN_LABEL.findall(shown(checked.content)) == [], repr(checked.content)
