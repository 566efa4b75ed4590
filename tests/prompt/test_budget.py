"""The token budget: worked examples from the design, and invariants for every window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import errors
from app.rag.context.budget import BudgetDemand, BudgetGrant, CandidateSize, negotiate_budget


def demand(**values: object) -> BudgetDemand:
    base: dict[str, object] = {
        "window": 8192,
        "system": 150,
        "question": 50,
        "turns": (),
        "candidates": (),
        "max_tokens": 1200,
        "ratio": 0.5,
        "max_context_tokens": 4000,
    }
    return BudgetDemand(**{**base, **values})  # pyright: ignore[reportArgumentType]


def sizes(*tokens: int) -> list[CandidateSize]:
    return [CandidateSize(count, count * 4) for count in tokens]


@pytest.mark.parametrize(
    ("window", "used", "requested", "granted"),
    [
        (128_000, 1_750, 3_000, 3_000),  # seed 001, example 1
        (16_385, 13_000, 5_000, 3_285),  # seed 001, example 2
        (16_000, 15_400, 3_000, 500),  # the shortest answer
        (8_192, 7_892, 200, 200),  # a small request is its own shortest
    ],
)
def test_an_answer_gets_what_its_input_leaves(window: int, used: int, requested: int, granted: int) -> None:
    grant = negotiate_budget(demand(window=window, system=used, question=0, max_tokens=requested))
    assert grant.completion == granted


def test_a_small_request_leaves_room_for_passages() -> None:
    """Seed 000's last example in our arithmetic: A = 7,442; passages get up to 6,442, the answer 1,000."""
    grant = negotiate_budget(
        demand(system=450, candidates=sizes(*[442] * 20), max_tokens=1000, ratio=0.6, max_context_tokens=100_000)
    )
    assert grant.context_limit == 6442
    assert grant.completion == 1000
    assert len(grant.candidates) == 6442 // 442


def test_passages_never_take_the_answers_tokens() -> None:
    grant = negotiate_budget(demand(candidates=sizes(*[400] * 50), max_tokens=8000, max_context_tokens=100_000))
    available = 8192 - 200 - 250
    assert grant.context_limit == available // 2
    assert grant.completion == available - 400 * len(grant.candidates)


def test_a_passage_that_is_too_long_is_skipped() -> None:
    grant = negotiate_budget(demand(candidates=sizes(300, 9000, 200), max_context_tokens=600))
    assert grant.candidates == (0, 2)
    assert grant.shortened is None


def test_the_best_passage_is_shortened_only_if_none_fits() -> None:
    grant = negotiate_budget(demand(candidates=sizes(9000, 8000), max_context_tokens=600))
    assert (grant.candidates, grant.shortened, grant.context_limit) == ((), 0, 600)


def test_characters_cap_the_context_too() -> None:
    grant = negotiate_budget(demand(candidates=sizes(100, 100, 100), max_context_chars=800))
    assert grant.candidates == (0, 1)


def test_oldest_turns_go_first_and_the_newest_last() -> None:
    grant = negotiate_budget(demand(window=3000, turns=[400, 300, 5000, 10], max_tokens=1000))
    assert grant.turns == 2
    assert negotiate_budget(demand(window=1500, turns=[700, 300], max_tokens=1000)).turns == 1
    assert negotiate_budget(demand(window=900, turns=[700, 300], max_tokens=1000)).turns == 0


def test_what_never_shrinks_must_fit() -> None:
    with pytest.raises(errors.ContextTooLong, match="window of 700"):
        negotiate_budget(demand(window=700))
    assert negotiate_budget(demand(window=700, max_tokens=300)).completion == 300


demands = st.builds(
    BudgetDemand,
    window=st.integers(300, 200_000),
    system=st.integers(0, 3000),
    question=st.integers(1, 3000),
    turns=st.lists(st.integers(1, 5000), max_size=20),
    candidates=st.lists(st.builds(CandidateSize, st.integers(1, 6000), st.integers(1, 30_000)), max_size=30),
    max_tokens=st.integers(1, 100_000),
    ratio=st.floats(0.2, 0.8),
    max_context_tokens=st.integers(1, 20_000),
    max_context_chars=st.none() | st.integers(400, 50_000),
)


def used(asked: BudgetDemand, grant: BudgetGrant) -> int:
    context = sum(asked.candidates[i].tokens for i in grant.candidates)
    context += grant.context_limit if grant.shortened is not None else 0
    return asked.system + asked.question + sum(asked.turns[: grant.turns]) + context + grant.completion + grant.margin


@given(demands)
def test_never_more_than_the_window(asked: BudgetDemand) -> None:
    try:
        grant = negotiate_budget(asked)
    except errors.ContextTooLong:
        least = min(500, asked.max_tokens)
        assert asked.system + asked.question + 250 + least > asked.window
        return
    assert used(asked, grant) <= asked.window
    assert min(500, asked.max_tokens) <= grant.completion <= asked.max_tokens
    assert sum(asked.candidates[i].tokens for i in grant.candidates) <= asked.max_context_tokens
    assert list(grant.candidates) == sorted(grant.candidates)


@given(demands)
def test_a_better_passage_that_fits_is_never_left_out(asked: BudgetDemand) -> None:
    try:
        grant = negotiate_budget(asked)
    except errors.ContextTooLong:
        return
    room, characters = grant.context_limit, asked.max_context_chars
    for number, candidate in enumerate(asked.candidates):
        fits = candidate.tokens <= room and (characters is None or candidate.characters <= characters)
        assert (number in grant.candidates) == fits
        if fits:
            room -= candidate.tokens
            characters = None if characters is None else characters - candidate.characters
