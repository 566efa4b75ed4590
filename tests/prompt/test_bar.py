"""The ledger as a bar: never too wide, every segment visible and in order, its tokens below it."""

import re
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from app.cli.questions import budget_bar
from app.rag.context.ledger import BudgetLedger, BudgetSegment
from app.statuses import BudgetSegmentKind, TokenCounting

KINDS = list(BudgetSegmentKind)


def ledger(tokens: list[int], free: int = 0) -> BudgetLedger:
    segments = tuple(BudgetSegment(kind, count, 1, 0) for kind, count in zip(KINDS, tokens, strict=False))
    return BudgetLedger(sum(tokens) + free, 0, None, 0, segments, (), TokenCounting.ESTIMATED)


@given(st.lists(st.integers(0, 1_000_000), min_size=8, max_size=8), st.integers(0, 10_000_000), st.integers(1, 200))
def test_every_segment_is_visible_and_the_line_is_full(tokens: list[int], free: int, width: int) -> None:
    title, line, *legend = budget_bar.draw_bar(ledger(tokens, free), width).plain.split("\n")
    letters = [letter for letter, count in zip("STMCHQ-A", tokens, strict=True) if count]
    drawn = [letter for letter, _ in groupby(line.replace("→", "·")) if letter != "·"]
    assert drawn == letters
    if letters:
        # The free rest is rounded down to whole cells, and takes a quarter of the line at most.
        assert len(line) == max(16, min(width, 80))
        assert line.count("·") + line.count("→") <= len(line) // 4
    assert f"{sum(tokens) + free:,} tokens" in title
    told = [int(number.replace(",", "")) for number in re.findall(r"[a-z] ([\d,]+)", "  ".join(legend))]
    assert told == [*(count for count in tokens if count), free]


def test_cells_are_shared_out_by_tokens() -> None:
    line = budget_bar.draw_bar(ledger([10, 0, 0, 50, 0, 0, 0, 20], 20), 80).plain.split("\n")[1]
    assert line == "S" * 8 + "C" * 40 + "A" * 16 + "·" * 16


def test_omissions_are_shown() -> None:
    segments = (BudgetSegment(BudgetSegmentKind.CONTEXT, 100, 2, 3), BudgetSegment(BudgetSegmentKind.HISTORY, 50, 4, 0))
    shown = budget_bar.draw_bar(BudgetLedger(150, 150, None, 0, segments, (), TokenCounting.EXACT), 80).plain
    assert "C context 100 (2 of 5)  H history 50 (4)  · free 0" in shown


def test_a_legend_is_as_wide_as_the_bar() -> None:
    lines = budget_bar.draw_bar(ledger([10, 10, 10, 10, 10, 10, 10, 10], 20), 40).plain.split("\n")
    assert len(lines) > 4
    assert all(len(line) <= 40 for line in lines)


def test_colors_are_in_the_styles_alone() -> None:
    text = budget_bar.draw_bar(ledger([10, 0, 0, 50]), 40)
    assert "\x1b" not in text.plain
    assert {str(span.style) for span in text.spans} >= {"black on bright_blue", "black on bright_green"}
