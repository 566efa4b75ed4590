"""Find the row and the column of a table that a question asks for. Pure.

A cell without a value is left out of its row, so that the rest of the row must not be taken for an answer.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from app import language
from app.providers import base
from app.providers.embedded.extractive import identifiers, scoring
from app.providers.embedded.extractive.kinds import Asked
from app.providers.embedded.extractive.units import QuotableUnit

# The share of a header's words by which a question names its column; in Chinese of its pairs of characters.
_NAMED, _NAMED_CJK = 0.5, 0.3
_ENDING = 3  # letters by which forms of one word differ at most
_CJK = re.compile(f"[{language.CJK}]")


class Tables:
    """The rows among `found`; those of one document whose first column has one header are a table.

    `texts` are those of the passages with their titles and headings.
    """

    def __init__(
        self,
        question: str,
        asked: Asked,
        passages: Sequence[base.PromptPassage],
        texts: Sequence[str],
        found: Iterable[QuotableUnit],
    ) -> None:
        self._question, self._asked, self._passages, self._texts = question, asked, passages, texts
        self._terms = frozenset(map(scoring.stem_word, scoring.question_terms(question)))
        self._words = frozenset(map(scoring.stem_word, asked.words))
        self._rows: dict[tuple[str, str], list[QuotableUnit]] = {}
        for unit in found:
            if (table := self._table_of(unit)) is not None:
                self._rows.setdefault(table, []).append(unit)

    def choose_rows(self, chosen: Sequence[QuotableUnit]) -> list[QuotableUnit] | None:
        """The chosen units without rows of others than the one that the question names, or with that one instead.

        None if the best unit's table has no row for what the question names, or no value in the cell asked for.
        """
        kept: list[QuotableUnit] = []
        for unit in chosen:
            named = self._named_rows(unit)
            kept += [unit] if not named or unit in named else [row for row in named if row not in chosen]
        first = self._named_rows(chosen[0])
        if self._lacks_row(chosen[0]) if not first else all(self._lacks_cell(row) for row in first):
            return None
        return list({id(unit): unit for unit in kept}.values())

    def _table_of(self, unit: QuotableUnit) -> tuple[str, str] | None:
        return (self._passages[unit.passage].title, unit.cells[0][0]) if unit.cells and unit.cells[0][0] else None

    def _named_rows(self, unit: QuotableUnit) -> list[QuotableUnit]:
        """The rows of a unit's table that have what the question names in it, and no less than another; may be none.

        Words that all rows have name none of them, and neither does what stands in the column that is asked for.
        """
        rows = self._table_rows(unit)
        wanted = self._asked_columns(rows)
        shared = {id(row): self._shared_terms(row, wanted) for row in rows}
        common = frozenset[str].intersection(*shared.values()) if shared else frozenset[str]()
        own = shared.get(id(unit), common)
        above = {terms for terms in shared.values() if terms >= own and terms > common}
        most = [terms for terms in above if not any(other > terms for other in above)]
        if len(most) != 1:
            return []
        best = [row for row in rows if shared[id(row)] == most[0]]
        return [row for row in best if self._has_whole_name(row)] or best

    def _shared_terms(self, row: QuotableUnit, wanted: frozenset[str]) -> frozenset[str]:
        """The words and numbers of the question in a row, but not in a column that is asked for."""
        text = "\n".join(value for column, value in row.cells if column not in wanted)
        numbers = {number.pattern for number in self._asked.numbers if number.search(text)}
        return (self._terms & _stems([text])) | numbers

    def _has_whole_name(self, row: QuotableUnit) -> bool:
        """Whether the question has all words of the first cell: Kestrel 40, and not Kestrel 40 Pro."""
        return _stems([row.cells[0][1]]) <= self._words

    def _lacks_row(self, row: QuotableUnit) -> bool:
        """Whether the question asks for a column of a table about something that no passage names."""
        return (
            row.kind == "ROW"
            and not self._asked.list
            and bool(self._asked_columns(self._table_rows(row)))
            and identifiers.lacks_thing(self._question, self._texts)
        )

    def _lacks_cell(self, row: QuotableUnit) -> bool:
        """Whether other rows have a cell in a column that is asked for, and this one has none."""
        wanted = self._asked_columns(self._table_rows(row))
        return bool(wanted) and wanted.isdisjoint(column for column, _ in row.cells)

    def _table_rows(self, row: QuotableUnit) -> Sequence[QuotableUnit]:
        table = self._table_of(row)
        return self._rows[table] if table is not None else ()

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
        words = language.search_terms(column)
        share = sum(self._has_word(word) for word in words) / max(1, len(words))
        return share if share >= (_NAMED_CJK if _CJK.search(column) else _NAMED) else 0.0

    def _has_word(self, word: str) -> bool:
        """Whether the question has a word or a form of it; a compound of it is another word."""
        stem = scoring.stem_word(word)
        return any(
            scoring.stem_word(other) == stem and abs(len(other) - len(word)) <= _ENDING for other in self._asked.words
        )


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(scoring.stem_word(word) for text in texts for word in language.split_words(text))
