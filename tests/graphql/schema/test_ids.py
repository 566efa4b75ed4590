"""Global ids and highlights: pure functions, tested with arbitrary input."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import errors
from app.graphql import ids
from app.knowledge.search import highlights

HEX = st.text("0123456789abcdef", min_size=32, max_size=32)
KINDS = ("Project", "Document", "EmbeddingSpace", "ChatSession", "Message", "User", "AccessToken")


@given(st.sampled_from(KINDS), HEX)
def test_ids_round_trip(kind: str, id: str) -> None:
    assert ids.decode(ids.encode(kind, id)) == (kind, id)
    assert ids.find(kind, ids.encode(kind, id)) == id
    assert all(ids.find(other, ids.encode(kind, id)) is None for other in KINDS if other != kind)


@given(st.text())
def test_anything_else_is_not_an_id(text: str) -> None:
    found = ids.decode(text)
    assert found is None or ids.encode(*found) == text
    with pytest.raises(errors.NotFound):
        ids.read("Chunk", text + "!")


@pytest.mark.parametrize(("kind", "id"), [("Chunk", "9" * 19), ("Chunk", "-1"), ("Project", "x"), ("Query", "0" * 32)])
def test_impossible_row_ids_are_not_ids(kind: str, id: str) -> None:
    assert ids.decode(ids.encode(kind, id)) is None


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("the bees", "Bees, and a bee.", ["Bees"]),
        ("refund policies", "Refunds: our policy on refunding", ["Refunds", "refunding"]),
        ("water", "watering the waterfall", ["watering"]),
        ("what is it", "It is what it is", ["It", "is", "what", "it", "is"]),
        ("蜂蜜", "我喜欢蜂蜜。", ["蜂蜜"]),
        ("蜂蜜水", "蜂蜜水很甜", ["蜂蜜水"]),
        ("", "Nothing.", []),
        ("straße", "STRASSE, Straße", ["Straße"]),
    ],
)
def test_words_of_the_query_are_marked(query: str, text: str, marked: list[str]) -> None:
    assert [text[start:end] for start, end in highlights.Highlighter(query).find_spans(text)] == marked


@given(st.text(), st.text())
def test_highlights_are_spans_in_order(query: str, text: str) -> None:
    spans = highlights.Highlighter(query).find_spans(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(spans))
