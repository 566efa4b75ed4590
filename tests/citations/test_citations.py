"""Citation checking: the final text, citations and notices of answers streamed in any pieces."""

import time

import pytest

from app import global_ids
from app.rag.citations.citation_stream import CitationStream
from app.rag.citations.citation_types import (
    CheckedText,
    CitableSource,
    CitationEvent,
    MarkerStyle,
    NewCitation,
    UnknownMarker,
)


def source(
    number: int,
    text: str = "The plan costs 10 euros. Storage is free of charge.",
    *,
    document: str | None = None,
    title: str | None = "Plans",
    page: int | None = None,
    heading: tuple[str, ...] = (),
) -> CitableSource:
    return CitableSource(
        number=number,
        chunk_id=100 + number,
        document_id=document or f"document-{number}",
        document_title=title,
        source_url=None,
        page=page,
        heading=heading,
        position=number + 3,
        text=text,
    )


_ID = global_ids.encode("Document", "0" * 32)
SOURCES = [source(1), source(2), source(3), source(12)]


def stream(
    answer: str,
    sources: list[CitableSource] = SOURCES,
    style: MarkerStyle = "NUMBERED",
    keep_markers: bool = True,
    pieces: list[str] | None = None,
) -> tuple[CitationStream, list[CitationEvent]]:
    checked = CitationStream(sources, style, keep_markers)
    events: list[CitationEvent] = []
    for piece in [answer] if pieces is None else pieces:
        events += checked.feed(piece)
    return checked, events + checked.finish()


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        ("A [1] b [2].", "A [1] b [2]."),
        ("A [12] b [1] c [12].", "A [1] b [2] c [1]."),
        ("A [2, 3].", "A [1][2]."),
        ("A [2;3], [ 1 ].", "A [1][2], [3]."),
        ("A [1,\n2].", "A [1][2]."),
        ("A [1，2、3].", "A [1][2][3]."),
        ("A [2][1].", "A [1][2]."),
        ("A [1-3].", "A [1][2][3]."),
        ("A [1–3].", "A [1][2][3]."),
        ("A [1‑3].", "A [1][2][3]."),
        ("A [3-1].", "A [1][2][3]."),
        ("A [01].", "A [1]."),
        ("A【2】.", "A[1]."),
        ("A 【2, 3】［1］.", "A [1][2][3]."),
        ("A [1][1] [1].", "A [1]."),
        ("A [1, 1].", "A [1]."),
        ("text[1]", "text[1]"),
        ("Hurrah![1]", "Hurrah![1]"),
        ("([2])", "([1])"),
        ("A [1] (see below)", "A [1] (see below)"),
        ("As [1]: it is so", "As [1]: it is so"),
        ("[[2]]", "[[1]]"),
        (r"\\[2]", r"\\[1]"),
        ("`a` [2]", "`a` [1]"),
        ("``a ` b`` [2]", "``a ` b`` [1]"),
        ("`open [2]\n\nnext [2]", "`open [1]\n\nnext [1]"),
        ("`open\nstill [2]\n \nnext [2]", "`open\nstill [1]\n \nnext [1]"),
        (r"\`open [2]", r"\`open [1]"),
        ("```\nx[2]\n\nx[2]\n```\nA [2]", "```\nx[2]\n\nx[2]\n```\nA [1]"),
        ("- ```py\n  x[2]\n\n  ```\n- A [2]", "- ```py\n  x[2]\n\n  ```\n- A [1]"),
        ("~~~\nx[2]\n```\n~~~~\nA [2]", "~~~\nx[2]\n```\n~~~~\nA [1]"),
        ("a ` b\n```\nx[2]\n\n```\nA [2]", "a ` b\n```\nx[2]\n\n```\nA [1]"),
        ("~~no~~ [2]", "~~no~~ [1]"),
        ("[a](http://b/[2]) [2]", "[a](http://b/[2]) [1]"),
    ],
)
def test_markers_get_final_numbers(answer: str, content: str) -> None:
    checked, _ = stream(answer)
    assert checked.content == content
    assert checked.unknown_markers == ()


@pytest.mark.parametrize(
    "answer",
    [
        "[2023]", "[0]", "[0, 1]", "【2023】", "【一】", "【" "1", "`【" "1】`",
        "[12a]", "[x]", "[-1]", "[1.5]", "[ ]", "[]", "[1, ]", "[1-2-3]", "[1", "[1, 2",
        "`a[1]`", "``a[1]``", "```\na[9]\n", "```py\na[9]\n\n[9]\n```", "> ```\n> a[9]\n> ```", "[a](b[9])",
        "````\n```\n[9]\n````", "[" + "1, " * 40 + "1]", "**a** | b\n- c", "\u0661 \u0665",
    ],
)  # fmt: skip
def test_other_brackets_are_left_alone(answer: str) -> None:
    checked, events = stream(answer)
    assert checked.content == answer
    assert all(isinstance(event, CheckedText) and not event.uses for event in events)


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        ("a [1](http://x) b [9](http://x)", "a [1] (http://x) b (http://x)"),
        ("![1](url)", "![1] (url)"),
        ("[1]: http://x", "[1] : http://x"),
        ("a\n  [9]: url", "a\n : url"),
        ("a [^1] b [^9]", "a [1] b"),
        (r"a \[1\] b \[9]", "a [1] b"),
        ("a [9\\]", "a"),
        ("a &#91;1&#93; b &#x5B;9&rsqb; c &lbrack;9]", "a [1] b c"),
        ("a ［１］ b ［９］ c 【９】", "a [1] b c"),
        ("a [\u200b1] b [9\u200d]", "a [1] b"),
        # Tags, fillers, controls and rare spaces show nothing; numbers in circles and broken lines read as markers.
        ("a [\U000e0031\x019\u3164] b [\u2800\u205f1\u206a] c [9\U000e0100\x7f]", "a b [1] c"),
        ("a [\u20289\x0b] b [\u16801\x85]", "a b [1]"),
        ("a [\u246c] b [\u24fd, \u2780] c [\u2776]", "a b [1] c [1]"),
        ("a [\n9] b [9\n] c [\n1 \n]", "a b c [1]"),
        # Only the server writes the markers of CHUNK style; a model has them from a document or makes them up.
        (f"a [{_ID}:0] b [1][{_ID}:7]. [\u2060{_ID}:3\\]", "a b [1]."),
        (f"a [{_ID}] b [{_ID}: 3] c `[{_ID}:3]` [R] [RG9", f"a [{_ID}] b [{_ID}: 3] c `[{_ID}:3]` [R] [RG9"),
        (f"a &#91;{_ID}:3&#93; b &lsqb;{_ID}:3] c [{_ID}&colon;&#51;&rsqb; d \\[{_ID}:3\\]", "a b c d"),
        (
            f"a [<b>{_ID}</b>:3] b [**{_ID}**:`3`] c [&#82;{_ID[1:]}:3] d [\uff32{_ID[1:]}:3]",
            f"a b c d [\uff32{_ID[1:]}:3]",
        ),
        (f"a [{_ID[:20]}<i title='&gt;'>{_ID[20:]}:3] b [&lt;b&gt;{_ID}:3]", f"a b [&lt;b&gt;{_ID}:3]"),
        # What is too long to be decided loses its bracket, and no removed marker makes one of the text around it.
        (f"a [{''.join(f'&#{ord(c)};' for c in _ID)}:3]", f"a{''.join(f'&#{ord(c)};' for c in _ID)}:3]"),
        (f"a [{_ID[:9]}[9]{_ID[9:]}:3] b [[9]{_ID}:3]", f"a [{_ID[:9]}…{_ID[9:]}:3] b […{_ID}:3]"),
        (f"a [{_ID}:[9]3] b [{_ID}:3[9]] c [{_ID}[9] d", f"a [{_ID}:…3] b [{_ID}:3…] c [{_ID} d"),
        (
            "a [[9]see] b [R[9]ead] c [_" + "_" * 40 + "] [See **this** `code`](x)",
            "a [see] b [Read] c [_" + "_" * 40 + "] [See **this** `code`](x)",
        ),
        ("a [&#8203;9] b [&#57;]", "a b"),
        ("a [**1**] b [*9*] c [`9`]", "a [1] b c"),
        ("a [<b>9</b>] b [¹] c [⁹]", "a b [1] c"),
        ("a [9" + " " * 90 + "]", "a 9" + " " * 90 + "]"),
        ("a `open [9]", "a `open"),
        ("a `open [9]\n\nb `[9]`", "a `open\n\nb `[9]`"),
        ("> ```\nx [9]", "> ```\nx"),
        ("- ```\nx [9]", "- ```\nx"),
        ("``` [9] ` x", "``` ` x"),
        ("a](b[9] c", "a](b c"),
    ],
)
def test_whatever_looks_like_a_marker_is_one(answer: str, content: str) -> None:
    for pieces in ([answer], list(answer)):
        checked, _ = stream("", pieces=pieces)
        assert checked.content == content


@pytest.mark.parametrize(
    "answer",
    [
        "[1*2]",
        "AT&T &amp; co",
        "&",
        "a\\",
        "10<sup>9</sup>",
        "[x](http://a.b/c)",
        "[a](b[1])",
        "a && b",
        "[1 or 2]",
        "[ ]",
        "\\(x\\)",
    ],
)
def test_ordinary_text_is_intact_however_it_is_split(answer: str) -> None:
    for pieces in ([answer], list(answer)):
        checked, _ = stream("", pieces=pieces)
        assert checked.content == answer


@pytest.mark.parametrize(
    ("answer", "content", "invented"),
    [
        ("text [9].", "text.", ["[9]"]),
        ("text [9] more", "text more", ["[9]"]),
        ("text [9]", "text", ["[9]"]),
        ("text[9].", "text.", ["[9]"]),
        ("text [9]more", "text more", ["[9]"]),
        ("text [1, 9].", "text [1].", ["[9]"]),
        ("text [9, 3] [8].", "text [1].", ["[9]", "[8]"]),
        ("text [9] [3].", "text [1].", ["[9]"]),
        ("[9] Text", "Text", ["[9]"]),
        ("- [9] Text", "- Text", ["[9]"]),
        ("a [2-5] b", "a [1][2] b", ["[4]", "[5]"]),
        ("a [9, 9] b", "a b", ["[9]"]),
        ("[[9]7]", "[…7]", ["[9]"]),
        ("a【9】b", "ab", ["[9]"]),
        ("a [9] b [9, 8] c [9].", "a b c.", ["[9]", "[8]"]),
        (
            "".join(f"claim {n} [{n}]. " for n in range(1, 13) if n not in (4, 12)),
            "claim 1 [1]. claim 2 [2]. claim 3 [3]. " + "".join(f"claim {n}. " for n in range(5, 12)),
            [f"[{n}]" for n in range(5, 12)],
        ),
        ("[7 [9]]", "[7…]", ["[9]"]),
        ("a [1-999]", "a [1][2][3][4]", [f"[{n}]" for n in range(4, 25) if n != 12]),
    ],
)
def test_a_marker_without_a_passage_is_removed(answer: str, content: str, invented: list[str]) -> None:
    checked, events = stream(answer)
    assert checked.content == content
    assert list(checked.unknown_markers) == invented
    assert [event.label for event in events if isinstance(event, UnknownMarker)] == invented


def test_events_come_in_reading_order() -> None:
    checked, events = stream("The plan costs 10 euros [2] and [9] storage is free of charge [2].")
    assert isinstance(events[1], NewCitation)
    assert [event if isinstance(event, CheckedText | UnknownMarker) else event.citation.index for event in events] == [
        CheckedText("The plan costs 10 euros [1]"),
        1,
        CheckedText(" and"),
        UnknownMarker("[9]"),
        CheckedText(" storage is free of charge [1].", ((1, checked.citations[0].uses[1]),)),
    ]
    assert len(events[1].citation.uses) == 1


def test_sources_are_one_citation_by_document_title_and_page() -> None:
    sources = [
        source(1, document="d", page=3, heading=("A",)),
        source(2, document="d", page=3, heading=("B",)),
        source(3, document="d", page=4),
        source(4, document="d", heading=("A",)),
        source(5, document="d", heading=("A",)),
        source(6, document="d", heading=("B",)),
        source(7, document="e", page=3),
        source(8, document="d", title=None, page=3),
    ]
    checked, _ = stream("a [1] b [2] c [3] d [4] e [5] f [6] g [7] h [8] i [1, 2].", sources)
    assert checked.content == "a [1] b [1] c [2] d [3] e [3] f [4] g [5] h [6] i [1]."
    assert [use.chunk_id for use in checked.citations[0].uses] == [101, 102, 101, 102]


def test_chunk_style_names_each_chunk() -> None:
    sources = [source(1, document="d"), source(2, document="d")]
    checked, _ = stream("a [2] b [1, 2][2].", sources, "CHUNK")
    d = global_ids.encode("Document", "d")
    assert checked.content == f"a [{d}:5] b [{d}:4][{d}:5]."
    assert [(citation.index, citation.label) for citation in checked.citations] == [(1, f"[{d}:5]")]


def test_markers_can_be_stripped_after_the_check() -> None:
    checked, events = stream("A plan [1]. Or [9] two [1, 2] `[1]` [3]", keep_markers=False)
    assert checked.content == "A plan. Or two `[1]`"
    assert [use.marker for citation in checked.citations for use in citation.uses] == [
        (6, 6),
        (14, 14),
        (14, 14),
        (20, 20),
    ]
    assert sum(isinstance(event, NewCitation) for event in events) == 3


@pytest.mark.parametrize(
    ("answer", "quote"),
    [
        ("Lions roar at night [1].", "Lions roar at night."),
        ("Lions roar at night. [1] Zebras graze.", "Lions roar at night."),
        ("Lions roar at night.[1]\n\nZebras graze.", "Lions roar at night."),
        ("Zebras graze all day on the plain [2], and lions roar at night [1].", "Lions roar at night."),
        ("Zebras graze on grass [9], not lions [1].", "Zebras graze on grass."),
        ("[1] Zebras graze on grass.", "Zebras graze on grass."),
        ("Lions roar at night.\n\n- [1] Zebras graze on grass.\n- More", "Zebras graze on grass."),
        ("Lions roar at night.\n\n[1]", "Lions roar at night."),
        ("Zebras graze on grass [9][1].", "Zebras graze on grass."),
        ("[1]", "Elephants never forget."),
        ("[1]\nZebras graze on grass.", "Elephants never forget."),
    ],
)
def test_the_quote_supports_the_citing_sentence(answer: str, quote: str) -> None:
    text = "Elephants never forget. Lions roar at night. Zebras graze on grass."
    checked, _ = stream(answer, [source(1, text), source(2, text, document="other")])
    (use,) = next(citation for citation in checked.citations if citation.chunk_id == 101).uses
    assert use.quote == quote


def test_support_measures() -> None:
    text = "The plan costs 10 euros per month. It is not refundable after May. Storage is included."

    def support(answer: str) -> float:
        return stream(f"{answer} [1].", [source(1, text)])[0].citations[0].uses[0].support

    assert support("the plan costs 10 euros per month") == 1.0
    assert support("storage IS included") == 1.0
    assert support("The plan costs 12 euros per month") < 0.75
    assert support("The plan costs 12 euros per month") < support("A plan costs 10 euros per month")
    assert support("It is refundable after May") < 0.75 < support("The plan is not refundable after May")
    assert support("Zebras graze") == 0.0


def test_a_marker_first_in_its_line_waits_for_the_line() -> None:
    checked = CitationStream([source(1)], "NUMBERED")
    assert checked.feed("[1] Storage is") == [CheckedText("[1] Storage is")]
    events = checked.feed(" free.\nNext")
    assert [type(event) for event in events] == [CheckedText, NewCitation]
    assert checked.citations[0].uses[0].quote == "Storage is free of charge."


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        ("some text", "some text"),
        ("some text ", "some text"),
        ("an [open", "an [open"),
        ("an [2023", "an [2023"),
        ("code `a[1", "code `a"),
        ("a `tick", "a `tick"),
        ("text [1, 2", "text"),
        ("text [1]", "text"),
        ("text [1].", "text [1]."),
        ("a [RG9jd", "a"),
        ("a [RG9x", "a [RG9x"),
        ("a [<b>See", "a [<b>See"),
    ],
)
def test_text_is_held_back_only_while_it_could_become_a_marker(piece: str, shown: str) -> None:
    checked = CitationStream(SOURCES, "NUMBERED")
    assert "".join(event.text for event in checked.feed(piece) if isinstance(event, CheckedText)) == shown


@pytest.mark.parametrize(
    "answer",
    [
        "The plan costs 10 euros [1], and storage is free [2, 9]. " * 1_800,
        "[1-12]" * 16_000,
        "[1," * 33_000,
        "`[1]" * 25_000,
        "`" * 100_000,
        "[1] [9]" * 14_000,
        "](" * 50_000,
        " " * 100_000,
        f"[{_ID}" * 2_000,
        "[RG9<b>" * 14_000,
        "&#91;&#82;" * 10_000,
    ],
    ids=[
        *("prose", "ranges", "open groups", "code", "backticks", "spaces", "targets", "blank"),
        *("open labels", "tags", "entities"),
    ],
)
def test_a_long_answer_in_single_characters_is_fast(answer: str) -> None:
    began = time.process_time()
    stream("", pieces=list(answer))
    assert time.process_time() - began < 60, "linear would be about one second"
