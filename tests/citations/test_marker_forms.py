"""The forms of markers that models write beside `[n]`: with words, with daggers, and whatever may stand for them."""

import re
import time
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.rag.citations import escaping
from app.rag.citations.citation_stream import CitationStream
from app.rag.citations.citation_types import CheckedText
from tests.citations.test_citation_properties import shown
from tests.citations.test_citations import SOURCES, stream
from tests.prompt.test_escaping import has_markers

CITED = [
    # gpt-oss, and OpenAI's Assistants; the number before a colon is the passage's
    ("A 【1†L1-L3】. B【2†source】【3†source】", "A [1]. B[2][3]"),
    ("A 【2:0†source】 【1:13†my file, v2 (final).pdf】 b", "A [1] [2] b"),
    ("A 【1, 2†source】 b 【3-2†x】 c 【1†L1, 3†L5】 d", "A [1][2] b [3][2] c [1][3] d"),
    ("A [2†] b ［3†L4］ c [1&dagger;x&#93; d \\[2†x\\]", "A [1] b [2] c [3] d [1]"),
    ("A 【**2**†`so<b>u</b>rce`】", "A [1]"),
    # words between numbers
    ("A [1 and 2] b [3 und 1] c [1和3]", "A [1][2] b [3][1] c [1][3]"),
    ("A [2 & 3] b [2 &amp; 1] c [1&3]", "A [1][2] b [1][3] c [3][2]"),
    ("A [1, 2, and 3] b [1, see 3] c [2; see also 3] d [1 and\n2]", "A [1][2][3] b [1][3] c [2][3] d [1][2]"),
    # names of passages
    ("A [Source 2] b [source: 3] c [SOURCES 2, 3 & 1]", "A [1] b [2] c [1][2][3]"),
    ("A [Doc 3] b [doc3][doc1] c [Doc. 2] d [Document #2]", "A [1] b [1][2] c [3] d [3]"),
    ("A [Passage 2] b [cite: 2, 3] c [Ref. 1] d [Source 1, Source 3]", "A [1] b [1][2] c [3] d [3][2]"),
    ("A [Quelle 2] b [Dokument Nr. 3] c [référence 1] d [fuente 2]", "A [1] b [2] c [3] d [1]"),
    ("A [来源2] b 【来源：2、3】 c [출처 1]", "A [1] b [1][2] c [3]"),
    ("A [So\u200burce **2**] b [&#83;ource&nbsp;3] c [<i>Source</i> 1]", "A [1] b [2] c [3]"),
    ("A [Source 2](http://x)", "A [1] (http://x)"),
    # digits of other scripts
    ("A [٣] b [۱، ۲] c [المصدر ٣]", "A [1] b [2][3] c [1]"),
    ("A [۱, ۲] b x[२-३] c 【۱†L۲】", "A [1][2] b x[2][3] c [1]"),
    # places within a passage are none of its number
    ("A [1, p. 3] b [2, S. 3-12] c [3, lines 1 and 2] d [1, pp. 2, 3; 2, p. 1]", "A [1] b [2] c [3] d [1][2]"),
    ("A [1, Seite 3]. B [Source 2, page 1234]", "A [1]. B [2]"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "content"), CITED)
def test_numbers_with_words_and_daggers_are_markers(answer: str, content: str) -> None:
    for pieces in ([answer], list(answer)):
        checked, _ = stream("", pieces=pieces)
        assert (checked.content, checked.unknown_markers) == (content, ())


@pytest.mark.parametrize(
    ("answer", "content", "invented"),
    [
        ("A 【9†L1-L3】.", "A.", ["[9]"]),
        ("A 【9:1†source】 b", "A b", ["[9]"]),
        ("A [9 and 2] b [Source 8] c [1, see 7]", "A [1] b c [2]", ["[9]", "[8]", "[7]"]),
        ("A [9, p. 3]. [Doc 9] B", "A. B", ["[9]"]),
        # What is never closed loses what made it a marker.
        ("A 【2†source\nB 【2†" + "x" * 200 + "】", "A source\nB " + "x" * 200 + "】", []),
        ("A 【9†sour", "A sour", []),
        ("A [Source" + " " * 90 + "9]", "A Source" + " " * 90 + "9]", []),
        # What is left around a removed marker forms none.
        ("[[9]source 7] [sou[9]rce 7]", "[source …7] [source …7]", ["[9]"]),
        ("[Source [9] 7] [Source[9]7] [1 [9]and 2]", "[Source …7] [Source…7] [1 and …2]", ["[9]"]),
        ("[Source [9]**7**] [doc[9]&#55;] 【7[9]†x】", "[Source …**7**] [doc…&#55;] 【7…†x】", ["[9]"]),
        ("[sources [9] say] [[9]doc] [[9]see 7]", "[sources say] [doc] [see 7]", ["[9]"]),
    ],
)
def test_one_without_a_passage_is_removed(answer: str, content: str, invented: list[str]) -> None:
    for pieces in ([answer], list(answer)):
        checked, _ = stream("", pieces=pieces)
        assert (checked.content, list(checked.unknown_markers)) == (content, invented)


@pytest.mark.parametrize(
    "answer",
    [
        *("[Table 3]", "[Page 3]", "[Section 4]", "[Note 2]", "[Step 1]", "[Figure 2]", "[see 7]", "[p. 3]"),
        "[Seite 3]",
        *("[1 or 2]", "[1: \"quote\"]", "[1/2]", "[1 + 2]", "[1 2]", "[#1]", "[1a]", "[1.]", "[1, x]", "[12:30]"),
        *("[Source 2023]", "[Source]", "[doc]", "[Source 0]", "[0 and 1]", "[Source code 1]"),
        *("[Document 1.2]", "[docs12a]"),
        *("[see the sources]", "[and 1]", "[1 and]", "(1)", "(Source 1)", "<sup>1</sup>", "[x†]", "1†", "[†1]"),
        *("[0†x]", "[2023†x]", "`[Source 1]`", "`a【1†x】`", "```\n[Source 9] 【9†x】\n```", "[a](b/【9†x】)"),
        "- [ ] a\n- [x] b",
        *("[a & b]", "[R&D 1]", "[Source code](x)", "[2024 and 2025]", "[۲۰۲۳]", "[cite_start]", "x[i and 1]"),
    ],
)  # fmt: skip
def test_other_brackets_with_words_are_left_alone(answer: str) -> None:
    for pieces in ([answer], list(answer)):
        assert stream("", pieces=pieces)[0].content == answer
    assert not has_markers(answer)


@pytest.mark.parametrize(
    ("piece", "visible"),
    [
        ("a [Source", "a"),
        ("a [Source 1", "a"),
        ("a [Source c", "a"),
        ("a [Source co", "a"),
        ("a [Source cod", "a [Source cod"),
        ("a [Sources are", "a [Sources are"),
        ("a [1 a", "a"),
        ("a [1 as", "a [1 as"),
        ("a 【1†any words", "a"),
        ("a 【1†any words\n", "a any words\n"),
        ("a [Table", "a [Table"),
    ],
)
def test_text_is_held_back_only_while_its_words_may_be_a_markers(piece: str, visible: str) -> None:
    checked = CitationStream(SOURCES, "NUMBERED")
    assert "".join(event.text for event in checked.feed(piece) if isinstance(event, CheckedText)) == visible


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("as 【7†source】 and 【7:1†R&D】", "as ⟦7†source⟧ and ⟦7:1†R&D⟧"),
        ("open 【7†source\nand [8†", "open ⟦7†source\nand ⟦8†"),
        ("[8&dagger;x&#93; &#91;8†x]", "⟦8\uff06dagger;x\uff06#93; \uff06#91;8†x⟧"),
        ("[Source 7] [来源 7] [1 & 2] [doc3] [7, p. 1]", "⟦Source 7⟧ ⟦来源 7⟧ ⟦1 & 2⟧ ⟦doc3⟧ ⟦7, p. 1⟧"),
        ("[Source" + " " * 300 + "7] [7†" + "x" * 300 + "]", "⟦Source" + " " * 300 + "7⟧ ⟦7†" + "x" * 300 + "⟧"),
        ("[Table 3] [see 7] [x†] 1† [Source A]", "[Table 3] [see 7] [x†] 1† [Source A]"),
    ],
)
def test_passages_smuggle_none(text: str, escaped: str) -> None:
    assert escaping.escape_markers(text) == escaped


def test_earlier_answers_have_none() -> None:
    answer = "A 【1†L1】, b [Source 2][doc3]. See [Table 4] and `[Source 5]` [6 and 7]."
    assert escaping.strip_markers(answer) == "A, b. See [Table 4] and `[Source 5]`."


PARTS = r"""[ ] 【 】 [9] 【9†x】 7 12 3† † , ; : - & and und 和 see source Sources Sou rce doc 来源 p. page or word .
` ** <b> </b> \ &#91; &rsqb; &dagger; &amp; &#115; ( ( ) [Source [doc"""
forms = st.lists(
    st.sampled_from([*PARTS.split(), " ", " ", "\n", "\u200b", "\u110e\u116e\u11af\u110e\u1165"]), max_size=25
).map("".join)
NAMED = r"(?:(?:sources?|doc|来源)\s*:?\s*)?[1-9][0-9]{0,2}"
VISIBLE = re.compile(
    rf"[\[\u3010]\s*{NAMED}(?:\s*(?:,|;|&|and|und|和)\s*{NAMED})*\s*(?:[\]\u3011]|\u2020[^\[\]\u3010\u3011\x00]*[\]\u3011])",
    re.IGNORECASE,
)


@settings(max_examples=1500, deadline=None, derandomize=True)
@example(answer="[Source 9]", cuts=[3])
@example(answer="[[9]sou[9]rce 9]", cuts=[5, 9])
@example(answer="【9[9]†x】", cuts=[])
@example(answer="[\u110e\u116e\u11af\u110e\u1165 9]", cuts=[2, 3])
@given(answer=forms, cuts=st.lists(st.integers(0, 80), max_size=6))
def test_none_is_visible_that_nobody_checked_however_it_is_cut(answer: str, cuts: list[int]) -> None:
    edges = sorted({0, len(answer), *(cut for cut in cuts if cut < len(answer))})
    whole, _ = stream(answer, [])
    for pieces in ([answer[start:end] for start, end in pairwise(edges)], list(answer)):
        checked, _ = stream("", [], pieces=pieces)
        assert (checked.content, checked.unknown_markers) == (whole.content, whole.unknown_markers)
    assert VISIBLE.findall(shown(whole.content)) == [], repr(whole.content)
    assert not has_markers(whole.content)


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(forms)
def test_escaped_text_has_none(text: str) -> None:
    escaped = escaping.escape_markers(text)
    assert len(escaped) == len(text)
    assert escaping.escape_markers(escaped) == escaped
    assert not has_markers(escaped)
    assert VISIBLE.findall(shown(escaped)) == []


@pytest.mark.parametrize(
    "answer", ["[Source " * 12_000, "【1†x" * 20_000, "[9]source " * 10_000, "[[9]so" * 16_000, "[1 &" * 25_000]
)
def test_a_long_answer_of_them_is_fast(answer: str) -> None:
    began = time.process_time()
    stream("", pieces=list(answer))
    escaping.escape_markers(answer)
    assert time.process_time() - began < 60, "linear would be about one second"
