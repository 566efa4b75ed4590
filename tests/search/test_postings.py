"""The best chunks among postings: the same as with every term counted for every chunk."""

import numpy
from hypothesis import given
from hypothesis import strategies as st

from app.knowledge.index.postings import LENGTH_BITS, Postings, Weights, find_best
from app.knowledge.index.postings_cache import CachedPostings, PostingsCache

WEIGHTS = Weights(flat=0.3, steep=0.01)
COUNTS = st.sampled_from([1, 2, 3, 5, 16])
# Per term: a share, and for chunk → how often it has the term. Frequent terms come with small shares and with large.
TERMS = st.lists(
    st.tuples(
        st.sampled_from([0.01, 0.05, 0.1, 0.1, 0.3, 0.5]), st.dictionaries(st.integers(1, 60), COUNTS, max_size=60)
    ),
    min_size=1,
    max_size=6,
)


def to_postings(counts: dict[int, int]) -> Postings:
    """Each chunk's length follows from its number."""
    rows = numpy.array([chunk << LENGTH_BITS | (chunk % 7 * 30) for chunk in sorted(counts)], numpy.int64)
    return Postings.from_counts(rows, numpy.array([counts[chunk] for chunk in sorted(counts)], numpy.int64))


@given(TERMS, st.integers(1, 20), st.none() | st.sets(st.integers(1, 60)))
def test_leaving_out_what_cannot_win_changes_nothing(
    terms: list[tuple[float, dict[int, int]]], limit: int, chosen: set[int] | None
) -> None:
    found = [(share, to_postings(counts)) for share, counts in terms]
    among = None if chosen is None else numpy.array(sorted(chosen), numpy.int64)
    # With a limit above the number of chunks, nothing is left out.
    everything = find_best(found, WEIGHTS, 1000, among)
    assert set(everything) == {chunk for _, counts in terms for chunk in counts if chosen is None or chunk in chosen}
    assert list(find_best(found, WEIGHTS, limit, among).items()) == list(everything.items())[:limit]


@given(TERMS)
def test_scores_are_sums_of_parts_of_the_shares(terms: list[tuple[float, dict[int, int]]]) -> None:
    expected: dict[int, float] = {}
    for share, counts in terms:
        for chunk, count in counts.items():
            length = chunk % 7 * 30
            part = share * count / (count + WEIGHTS.flat + WEIGHTS.steep * length)
            expected[chunk] = expected.get(chunk, 0.0) + part
    found = find_best([(share, to_postings(counts)) for share, counts in terms], WEIGHTS, 1000)
    assert found.keys() == expected.keys()
    assert all(abs(found[chunk] - expected[chunk]) < 1e-9 for chunk in expected)


def test_the_memory_for_postings_is_bounded() -> None:
    cache = PostingsCache(10_000)
    for number in range(100):
        cache.keep(f"{number}", CachedPostings(1, to_postings(dict.fromkeys(range(number), 1))))
        assert cache.bytes <= 10_000
    assert cache.find("99") is not None
    assert cache.find("1") is None
    cache.keep("large", CachedPostings(1, to_postings(dict.fromkeys(range(10_000), 1))))
    assert cache.bytes <= 10_000


def test_postings_of_a_newer_version_stay() -> None:
    cache = PostingsCache(10_000)
    for version in (2, 1):
        cache.keep("fox", CachedPostings(version, to_postings({version: 1})))
    held = cache.find("fox")
    assert held is not None
    assert held.version == 2
