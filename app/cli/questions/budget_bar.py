"""Draw the context window of an answer as a bar of segments, with a legend."""

from rich.cells import cell_len
from rich.text import Text

from app.rag.context.ledger import BudgetLedger, BudgetSegment
from app.statuses import BudgetSegmentKind

_LONGEST = 80
_SHORTEST = 16  # one cell for every kind, and a few for the free space
# Letters distinguish the segments without colors.
_LOOKS: dict[BudgetSegmentKind, tuple[str, str, str]] = {
    BudgetSegmentKind.SYSTEM: ("S", "system", "black on bright_blue"),
    BudgetSegmentKind.TOOLS: ("T", "tools", "black on bright_cyan"),
    BudgetSegmentKind.MEMORIES: ("M", "memories", "black on bright_magenta"),
    BudgetSegmentKind.CONTEXT: ("C", "context", "black on bright_green"),
    BudgetSegmentKind.HISTORY: ("H", "history", "black on bright_yellow"),
    BudgetSegmentKind.QUESTION: ("Q", "question", "black on bright_red"),
    BudgetSegmentKind.MARGIN: ("-", "margin", "black on white"),
    BudgetSegmentKind.COMPLETION: ("A", "answer", "black on cyan"),
}
# Kinds that can have several items, so that the legend shows their number.
_COUNTED = frozenset(
    {BudgetSegmentKind.CONTEXT, BudgetSegmentKind.HISTORY, BudgetSegmentKind.MEMORIES, BudgetSegmentKind.TOOLS}
)


def draw_bar(ledger: BudgetLedger, width: int) -> Text:
    """Draw the window as a line of at most `width` cells, with the tokens of each segment below.

    If the free space would take more than a quarter of the line, it is cut off with an arrow.
    """
    width = max(_SHORTEST, min(width, _LONGEST))
    segments = [segment for segment in ledger.segments if segment.tokens]
    looks = [_LOOKS[segment.kind] for segment in segments]
    free = ledger.context_window - sum(segment.tokens for segment in segments)
    most = width // 4
    open_ended = free * width > most * ledger.context_window
    rest = "·" * (most - 1) + "→" if open_ended else "·" * (free * width // max(1, ledger.context_window))
    bar = Text()
    cells = _share_cells([segment.tokens for segment in segments], width - len(rest))
    for (letter, _, style), count in zip(looks, cells, strict=True):
        bar.append(letter * count, style)
    bar.append(rest, "dim")
    legend = [
        Text.assemble((letter, style), f" {name} {segment.tokens:,}{_item_count(segment)}")
        for (letter, name, style), segment in zip(looks, segments, strict=True)
    ]
    legend.append(Text(f"· free {free:,}", "dim"))
    title = Text(f"window of {ledger.context_window:,} tokens, {ledger.counting.lower()}", "dim")
    return Text("\n").join([title, bar, *_wrap_items(legend, width)])


def _item_count(segment: BudgetSegment) -> str:
    if segment.kind not in _COUNTED:
        return ""
    everything = segment.items_kept + segment.items_dropped
    return f" ({segment.items_kept} of {everything})" if segment.items_dropped else f" ({everything})"


def _share_cells(tokens: list[int], width: int) -> list[int]:
    """Share out `width` cells: one for each segment, the others in proportion to tokens, the rest to the largest."""
    total = sum(tokens)
    cells = [1 + count * (width - len(tokens)) // total for count in tokens]
    if cells:
        cells[tokens.index(max(tokens))] += width - sum(cells)
    return cells


def _wrap_items(items: list[Text], width: int) -> list[Text]:
    """Join the items with two spaces, and wrap them at `width`."""
    lines: list[Text] = []
    for item in items:
        if lines and cell_len(lines[-1].plain) + 2 + cell_len(item.plain) <= width:
            lines[-1].append("  ").append_text(item)
        else:
            lines.append(item.copy())
    return lines
