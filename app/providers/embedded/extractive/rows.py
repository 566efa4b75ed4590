"""Find the row and the column of a table that a question asks for. Pure.

A cell without a value is left out of its row, so that the rest of the row must not be taken for an answer.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from app import language
from app.providers import base
from app.providers.embedded.extractive import scoring
from app.providers.embedded.extractive.kinds import Asked
from app.providers.embedded.extractive.units import QuotableUnit

# The share of a header's words by which a question names its column; in Chinese of its pairs of characters.
_NAMED, _NAMED_CJK = 0.5, 0.3
_CJK = re.compile(f"[{language.CJK}]")


class Tables:
    """The rows among `found`; those of one document whose first column has one header are a table."""

    def __init__(
        self, question: str, asked: Asked, passages: Sequence[base.PromptPassage], found: Iterable[QuotableUnit]
    ) -> None:
        self._asked, self._passages = asked, passages
        self._terms = frozenset(map(scoring.stem_word, scoring.question_terms(question)))
        self._words = frozenset(map(scoring.stem_word, asked.words))
        self._rows: dict[tuple[str, str], list[QuotableUnit]] = {}
        for unit in found:
            if (table := self._table_of(unit)) is not None:
                self._rows.setdefault(table, []).append(unit)

    def choose_rows(self, chosen: Sequence[QuotableUnit]) -> list[QuotableUnit] | None:
        """The chosen units without rows of others than the one that the question names, or with that one instead.

        None if the cell that is asked for is empty in the rows of the best unit's table that are named.
        """
        kept: list[QuotableUnit] = []
        for unit in chosen:
            named = self._named_rows(unit)
            kept += [unit] if not named or unit in named else [row for row in named if row not in chosen]
        first = self._named_rows(chosen[0])
        if first and all(self._lacks_cell(row) for row in first):
            return None
        return list({id(unit): unit for unit in kept}.values())

    def _table_of(self, unit: QuotableUnit) -> tuple[str, str] | None:
        return (self._passages[unit.passage].title, unit.cells[0][0]) if unit.cells and unit.cells[0][0] else None

    def _named_rows(self, unit: QuotableUnit) -> list[QuotableUnit]:
        """The rows of a unit's table that have all that the question names in it; none if there is no such row.

        Words that all rows have name none of them, and neither does what stands in the column that is asked for.
        """
        table = self._table_of(unit)
        rows = self._rows[table] if table is not None else []
        wanted = self._asked_columns(rows)
        read = [(row, self._shared_terms(row, wanted)) for row in rows]
        named = frozenset[str]().union(*(shared for _, shared in read))
        common = frozenset(term for term in named if all(term in shared for _, shared in read))
        best = [row for row, shared in read if shared >= named] if named - common else []
        whole = [row for row in best if self._has_whole_name(row)]
        return whole or best

    def _shared_terms(self, row: QuotableUnit, wanted: frozenset[str]) -> frozenset[str]:
        return self._terms & _stems(value for column, value in row.cells if column not in wanted)

    def _has_whole_name(self, row: QuotableUnit) -> bool:
        """Whether the question has all words of the first cell: Kestrel 40, and not Kestrel 40 Pro."""
        return _stems([row.cells[0][1]]) <= self._words

    def _lacks_cell(self, row: QuotableUnit) -> bool:
        """Whether other rows have a cell in a column that is asked for, and this one has none."""
        table = self._table_of(row)
        rows = self._rows[table] if table is not None else []
        wanted = self._asked_columns(rows)
        return bool(wanted) and wanted.isdisjoint(column for column, _ in row.cells)

    def _asked_columns(self, rows: Sequence[QuotableUnit]) -> frozenset[str]:
        """The columns that the question names best; else those with amounts in a unit that it asks for."""
        cells = [cell for row in rows for cell in row.cells[1:]]
        shares: Mapping[str, float] = {column: self._named_share(column) for column, _ in cells if column}
        best = max(shares.values(), default=0.0)
        if best:
            return frozenset(column for column, share in shares.items() if share == best)
        wanted = self._asked.form or self._asked.measure
        return frozenset(column for column, value in cells if column and wanted and wanted.search(value))

    def _named_share(self, column: str) -> float:
        """The share of a header's words that the question has; 0 if it is too small."""
        words = _stems([" ".join(language.search_terms(column))])
        share = len(words & self._words) / len(words) if words else 0.0
        return share if share >= (_NAMED_CJK if _CJK.search(column) else _NAMED) else 0.0


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(scoring.stem_word(word) for text in texts for word in language.split_words(text))
