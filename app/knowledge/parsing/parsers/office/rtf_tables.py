"""Collect the rows of a table in RTF, with cells that extend over others."""

from dataclasses import dataclass, field, replace

from app.knowledge.parsing.parsers.text_writer import TextWriter

# Words for cells that continue the one to their left, or above.
_MERGES = {"clmrg": "left", "clvmrg": "above"}


@dataclass(frozen=True, slots=True)
class _RtfCell:
    """A cell at a place in its row, which extends over `columns`."""

    text: str
    column: int
    columns: int = 1


@dataclass(slots=True)
class RtfTable:
    """A table. Before or after the cells of each row come words that define them."""

    rows: list[list[_RtfCell]] = field(default_factory=list[list[_RtfCell]])
    below: list[str] = field(default_factory=list[str])
    """The notes and text boxes of its cells."""
    _texts: list[str] = field(default_factory=list[str])
    _defined: list[frozenset[str]] = field(default_factory=list[frozenset[str]])
    _merges: set[str] = field(default_factory=set[str])  # of the cell that is being defined

    @property
    def is_open(self) -> bool:
        """Whether it has any cells."""
        return bool(self.rows or self._texts)

    @property
    def has_open_row(self) -> bool:
        """Whether its last row has not ended."""
        return bool(self._texts)

    def read_word(self, word: str) -> None:
        """Read a word that may define a cell of the row."""
        if word == "trowd":
            self._defined = []
            self._merges = set()
        elif word in _MERGES:
            self._merges.add(_MERGES[word])
        elif word == "cellx":
            self._defined.append(frozenset(self._merges))
            self._merges = set()

    def end_cell(self, text: str, below: list[str]) -> None:
        """Add a cell to the row, with its notes and text boxes."""
        self._texts.append(text)
        self.below += below

    def end_row(self) -> None:
        """End the row."""
        above = {cell.column: index for index, cell in enumerate(self.rows[-1])} if self.rows else {}
        cells: list[_RtfCell] = []
        for column, text in enumerate(self._texts):
            merges = self._defined[column] if column < len(self._defined) else frozenset[str]()
            if "left" in merges and cells and not text.strip():
                cells[-1] = replace(cells[-1], columns=cells[-1].columns + 1)
                continue
            if "above" in merges and not text.strip() and column in above:
                text = self.rows[-1][above[column]].text
            cells.append(_RtfCell(text, column))
        self._texts = []
        if cells:
            self.rows.append(cells)

    def write(self, writer: TextWriter) -> None:
        """Write the table; text in an unfinished row is kept."""
        self.end_row()
        writer.begin_table()
        for row in self.rows:
            writer.begin_row()
            for cell in row:
                writer.begin_cell(columns=cell.columns)
                writer.write_text(cell.text)
                writer.end_cell()
            writer.end_row()
        writer.end_table(has_header=True)
