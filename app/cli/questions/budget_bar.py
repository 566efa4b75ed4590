"""Draw the context window of an answer as a bar of segments, with a legend."""

from rich.cells import cell_len
from rich.text import Text

from app.rag.context import budget

_LONGEST = 80
_SHORTEST = 16  # a cell for every kind, and a few for the free rest
# Letters tell the segments apart without colours, too.
_LOOKS: dict[str, tuple[str, str, str]] = {
    "SYSTEM": ("S", "system", "black on bright_blue"),
    "TOOLS": ("T", "tools", "black on bright_cyan"),
    "MEMORIES": ("M", "memories", "black on bright_magenta"),
    "CONTEXT": ("C", "context", "black on bright_green"),
    "HISTORY": ("H", "history", "black on bright_yellow"),
    "QUESTION": ("Q", "question", "black on bright_red"),
    "MARGIN": ("-", "margin", "black on white"),
    "COMPLETION": ("A", "answer", "black on cyan"),
}
# Of these it is of interest how many there are; the others are one each.
_COUNTED = frozenset({"CONTEXT", "HISTORY", "MEMORIES", "TOOLS"})


def drawn(ledger: budget.BudgetLedger, width: int) -> Text:
    """The window in a line of at most `width` cells, and under it the tokens of each segment.

    A free rest that would take more than a quarter of the line is broken off with an arrow.
    """
    width = max(_SHORTEST, min(width, _LONGEST))
    segments = [segment for segment in ledger.segments if segment.tokens]
    looks = [_LOOKS[segment.kind] for segment in segments]
    free = ledger.context_window - sum(segment.tokens for segment in segments)
    most = width // 4
    open_ended = free * width > most * ledger.context_window
    rest = "·" * (most - 1) + "→" if open_ended else "·" * (free * width // max(1, ledger.context_window))
    bar = Text()
    cells = _cells([segment.tokens for segment in segments], width - len(rest))
    for (letter, _, style), count in zip(looks, cells, strict=True):
        bar.append(letter * count, style)
    bar.append(rest, "dim")
    legend = [
        Text.assemble((letter, style), f" {name} {segment.tokens:,}{_count(segment)}")
        for (letter, name, style), segment in zip(looks, segments, strict=True)
    ]
    legend.append(Text(f"· free {free:,}", "dim"))
    title = Text(f"window of {ledger.context_window:,} tokens, {ledger.counting.lower()}", "dim")
    return Text("\n").join([title, bar, *_lines(legend, width)])


def _count(segment: budget.BudgetSegment) -> str:
    if segment.kind not in _COUNTED:
        return ""
    everything = segment.items_kept + segment.items_dropped
    return f" ({segment.items_kept} of {everything})" if segment.items_dropped else f" ({everything})"


def _cells(tokens: list[int], width: int) -> list[int]:
    """`width` cells: one for everything that is there, the others shared out by tokens, what is left to the largest."""
    total = sum(tokens)
    cells = [1 + count * (width - len(tokens)) // total for count in tokens]
    if cells:
        cells[tokens.index(max(tokens))] += width - sum(cells)
    return cells


def _lines(items: list[Text], width: int) -> list[Text]:
    """The items with two spaces between them, as many to a line as it holds."""
    lines: list[Text] = []
    for item in items:
        if lines and cell_len(lines[-1].plain) + 2 + cell_len(item.plain) <= width:
            lines[-1].append("  ").append_text(item)
        else:
            lines.append(item.copy())
    return lines
