"""Chunks are exact slices of the text, bounded in size, under their headings, and nothing is lost between them."""

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.knowledge.chunking import split_document
from app.knowledge.parsed_documents import Heading, ParsedDocument, TextChunk
from app.knowledge.parsing.dispatch import parse_file

LARGEST = 400  # estimated tokens


def markdown(text: str) -> list[TextChunk]:
    return list(split_document(parse_file(text.encode(), name="a.md")))


def check(document: ParsedDocument) -> list[TextChunk]:
    chunks = list(split_document(document))
    covered = bytearray(len(document.text))
    for position, chunk in enumerate(chunks):
        assert chunk.position == position
        assert chunk.text == document.text[chunk.start : chunk.end] == chunk.text.strip() != ""
        assert 0 < chunk.token_count <= LARGEST
        assert any(character.isprintable() for character in chunk.text)
        covered[chunk.start : chunk.end] = b"\1" * len(chunk.text)
        for at in range(len(chunk.text)) if document.page_starts else ():
            on = max(1, sum(begin <= chunk.start + at for begin in document.page_starts))
            assert (chunk.page or 0) + sum(begin <= at for begin in chunk.page_breaks) == on
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(set(starts))
    for character, seen in zip(document.text, covered, strict=True):
        assert seen or character.isspace() or not character.isprintable()
    return chunks


pieces = st.one_of(
    st.sampled_from(
        ["word ", "Sentence ends. ", "\n\n", "\n", "# Head\n", "```\n", "e.g. ", "中文句子。", " " * 500, "...."]
    ),
    st.sampled_from(
        ["x" * 3000, "中" * 900, "line of code\n" * 60, "Words without an end " * 80, "\u200b", "\n" * 2000]
    ),
    st.text(max_size=40),
)


@st.composite
def documents(draw: st.DrawFn) -> ParsedDocument:
    text = "".join(draw(st.lists(pieces, max_size=25)))
    places = st.integers(0, len(text))
    levels = st.integers(1, 6)
    headings = draw(st.lists(st.builds(Heading, places, levels, st.sampled_from(["A", "B", "C"])), max_size=6))
    code = draw(st.lists(st.tuples(places, places).map(sorted).map(lambda span: (span[0], span[1])), max_size=3))
    pages = sorted(draw(st.lists(places, max_size=4)))
    return ParsedDocument(text, "text/plain", "A", tuple(headings), tuple(pages), tuple(code))


@given(documents())
def test_chunks_cover_the_text_exactly(document: ParsedDocument) -> None:
    check(document)


def test_sentences_are_whole_and_overlap() -> None:
    text = " ".join(f"This is sentence number {number} of a long section of text." for number in range(200))
    chunks = check(ParsedDocument(text, "text/plain"))
    assert all(chunk.text.startswith("This is") and chunk.text.endswith("text.") for chunk in chunks)
    assert len(chunks) > 5
    assert all(240 <= chunk.token_count <= 320 for chunk in chunks[:-1])
    shared = [before.end - after.start for before, after in pairwise(chunks)]
    assert all(0 < length <= 128 for length in shared)


def test_heading_paths_leave_out_the_title() -> None:
    long = "Some words that fill a section. " * 60
    chunks = markdown(f"# Guide\n\n## Install\n\n{long}\n\n### Linux\n\n{long}\n\n## Use\n\n{long}")
    paths = list(dict.fromkeys(chunk.heading for chunk in chunks))
    assert paths == [("Install",), ("Install", "Linux"), ("Use",)]
    assert chunks[-1].text.endswith("section.")


def test_small_neighbors_are_joined_under_their_parent() -> None:
    chunks = markdown("# Guide\n\n## Options\n\n### a\n\nShort.\n\n### b\n\nShort too.\n\n### c\n\nAnd this.")
    assert [chunk.text.count("###") for chunk in chunks] == [3]


def test_code_is_split_at_lines() -> None:
    lines = "\n".join(f"    value_{number} = compute({number})  # e.g. one. Two." for number in range(200))
    chunks = markdown(f"# Code\n\n```python\n{lines}\n```\n")
    assert len(chunks) > 5
    assert all(chunk.text.split("\n")[-1].endswith(("Two.", "```")) for chunk in chunks)


def test_pages_count_from_one() -> None:
    document = ParsedDocument("One.\n\n" + "Two words. " * 300, "application/pdf", page_starts=(0, 6, 1800))
    chunks = list(split_document(document))
    assert chunks[0].page == 1
    assert [chunk.page for chunk in chunks] == [1 + (chunk.start >= 6) + (chunk.start >= 1800) for chunk in chunks]


def test_tokens_are_characters_by_four_and_cjk_one_each() -> None:
    documents = [ParsedDocument(text, "text/plain") for text in ("a" * 8, "中" * 8)]
    assert [chunk.token_count for document in documents for chunk in split_document(document)] == [2, 8]


def test_time_is_linear() -> None:
    for text in (
        "." * 300_000 + "a",
        "a" * 300_000,
        ". " * 150_000,
        "\n" * 300_000 + "a",
        "中" * 300_000,
        "a)" * 150_000,
    ):
        started = time.process_time()
        check(ParsedDocument(text, "text/plain"))
        assert time.process_time() - started < 60
