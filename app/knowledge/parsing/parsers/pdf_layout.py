"""Join the lines of printed pages into running text, with the offsets of pages and headings. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from app.knowledge.parsed_documents import Heading

_RUNNING = 0.4  # a header or footer is on at least this share of the pages (left and right pages may differ)
_FEWEST_PAGES = 4
_WIDE_GAP = 1.35  # line spacing, as a factor of the usual one, that ends a paragraph
_SHORT = 0.85  # a line shorter than this share of the page's width ends early: the next word would have fit
_DIGITS = re.compile(r"\d+")
_BULLET = re.compile(r"(?:[•‣◦▪●○■□·\u2013\u2014*-]|\(?(?:\d{1,3}|[a-zA-Z])[.)]|\[\d{1,3}\])\s")
_SENTENCE_END = re.compile(r"""[.!?…:。\uff01\uff1f]["'”\u2019»)\]」』]*$""")
_HYPHEN = re.compile(r"(?<![^\W\d_])(?<![^\W\d_]-)([^\W\d_]++(?:-[^\W\d_]++)*+)[-\u2010\x02\ufffe\xad]$")
_LONGEST_WORD = 100
_SPREAD = 0.66  # a line with more width per character, relative to the type size, has gaps like a table row
_WIDE_LETTER = re.compile("[\u1100-\u11ff\u2e80-\uffff]")
_MAX_TITLES = 1_000  # lines of a page that a bookmark may point to
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line with its left and right end, baseline and type size; a `level` above 0 makes it a heading.

    `continues`: it continues the heading of the line above.
    `source` is its range in the page's text, and `added` are the spans of its text that are not from there.
    """

    text: str
    left: float = 0.0
    right: float = 0.0
    baseline: float = 0.0
    size: float = 0.0
    level: int = 0
    continues: bool = False
    source: tuple[int, int] = (0, 0)
    added: tuple[tuple[int, int], ...] = ()


class PlacedLine(NamedTuple):
    """A line of page `page` (from 0) that begins at `offset` of the running text."""

    offset: int
    page: int
    line: Line


@dataclass(frozen=True, slots=True)
class TextFlow:
    """Running text with the offsets of its pages, headings and lines, in order."""

    text: str
    page_starts: tuple[int, ...]
    headings: tuple[Heading, ...]
    lines: tuple[PlacedLine, ...]


def remove_running_lines(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Remove headers, footers and page numbers that repeat on many pages.

    Only lines at the edges are considered: the first and last lines, ignoring numbers in them, and the lines next to
    these if they are identical and separated from the text.
    """
    filled = [page for page in pages if page]
    if len(filled) < _FEWEST_PAGES:
        return [list(page) for page in pages]
    seen = Counter(key for page in filled for key in {key for edge in _edge_lines(page) for _, key in edge})
    running = {key for key, count in seen.items() if count >= max(_FEWEST_PAGES - 1, len(filled) * _RUNNING)}
    return [_remove_lines(page, running) for page in pages]


def _remove_lines(page: Sequence[Line], running: set[str]) -> list[Line]:
    dropped: set[int] = set()
    for edge in _edge_lines(page):
        for index, key in edge:
            if key not in running:
                break
            dropped.add(index)
    if any(index not in dropped and has_letter(line.text) for index, line in enumerate(page)):
        return [line for index, line in enumerate(page) if index not in dropped]
    return [line for line in page if has_letter(line.text)]  # the page has no other text, so keep it


def _edge_lines(page: Sequence[Line]) -> Iterator[list[tuple[int, str]]]:
    """Index and key of the lines that may be headers or footers, from each edge inwards."""
    pitch = _measure_page(page)[0]
    for indices in (range(len(page)), range(len(page) - 1, -1, -1)):
        edge = [(index, _DIGITS.sub("#", page[index].text.casefold())) for index in indices[:1]]
        for index, inner in pairwise(indices[1:3]):
            if abs(page[index].baseline - page[inner].baseline) > _WIDE_GAP * pitch:
                edge.append((index, f"={page[index].text}"))
        yield edge


def has_letter(text: str) -> bool:
    """Whether `text` contains a letter."""
    return any(character.isalpha() for character in text)


def join_lines(pages: Sequence[Sequence[Line]]) -> TextFlow:
    """Join lines into paragraphs, and pages into one text."""
    known = _collect_words(pages)
    parts: list[str] = []
    starts: list[int] = []
    headings: list[tuple[int, int, int]] = []  # begin, end and level of each
    lines: list[PlacedLine] = []
    length = 0
    before: Line | None = None
    for number, page in enumerate(pages):
        pitch, right, left = _measure_page(page)
        page_start = -1
        for index, line in enumerate(page):
            text = line.text.strip()
            if before is None:
                gap = ""
            elif index == 0:
                gap = "\n" if _runs_on(before, line) else "\n\n"
            else:
                gap = _choose_gap(before, line, pitch, left + (right - left) * _SHORT)
            if gap in {" ", "\n"} and before is not None:
                joined = _keeps_hyphen(before.text.rstrip(), text, known)
                if joined is not None:
                    gap = ""
                    if not joined:
                        parts[-1] = parts[-1][:-1]
                        length -= 1
            length += len(gap)
            parts += (gap, text)
            page_start = length if page_start < 0 else page_start
            lines.append(PlacedLine(length, number, line))
            if line.level:
                start = headings.pop()[0] if before and index and _goes_on(before, line) else length
                headings.append((start, length + len(text), line.level))
            length += len(text)
            before = replace(line, text=text)
        starts.append(page_start if page_start >= 0 else length)
    joined = "".join(parts)
    found = (Heading(start, level, joined[start:end]) for start, end, level in headings)
    return TextFlow(joined, tuple(starts), tuple(found), tuple(lines))


def _goes_on(before: Line, line: Line) -> bool:
    return line.continues and before.level > 0


def _measure_page(page: Sequence[Line]) -> tuple[float, float, float]:
    """The usual line spacing, and the right and left edges of the page's text."""
    drops = [upper.baseline - lower.baseline for upper, lower in pairwise(page)]
    usual = [drop for drop, line in zip(drops, page, strict=False) if 0 < drop < 3 * line.size]
    right = max((line.right for line in page), default=0.0)
    return (median(usual) if usual else 0.0), right, min((line.left for line in page), default=0.0)


def _choose_gap(before: Line, line: Line, pitch: float, short: float) -> str:
    """The separator between two lines of a page: a blank line, a line end or a space."""
    drop = before.baseline - line.baseline
    if before.size <= 0 or line.size <= 0:
        return "\n"
    if _goes_on(before, line):
        return " "
    if before.level or line.level or _differs_in_size(before, line):
        return "\n\n"
    if abs(drop) < line.size / 2:
        return " "
    if drop < 0:  # the next column
        return " " if _runs_on(before, line) else "\n\n"
    if pitch and drop > _WIDE_GAP * pitch:
        return "\n\n"
    if _BULLET.match(line.text) or (_is_spread(before) and _is_spread(line)):
        return "\n"
    ended = _SENTENCE_END.search(before.text) is not None
    if ended and (line.left - before.left > line.size * 0.8 or before.right < short):
        return "\n\n"
    return "\n" if before.right < short else " "


def _differs_in_size(before: Line, line: Line) -> bool:
    return max(before.size, line.size) > 1.15 * min(before.size, line.size)


def _is_spread(line: Line) -> bool:
    """Whether a line has wide gaps for its number of characters, like most table rows."""
    is_wide = line.right - line.left > _SPREAD * line.size * len(line.text)
    return is_wide and not line.text.isupper() and not _WIDE_LETTER.search(line.text)


def _runs_on(before: Line, line: Line) -> bool:
    return line.text.lstrip()[:1].islower() and not _SENTENCE_END.search(before.text)


def _keeps_hyphen(before: str, text: str, known: frozenset[str]) -> bool | None:
    """Whether the hyphen of a divided word stays (well-known) or goes (infor-mation); None if no word is divided."""
    divided, rest = _match_divided_word(before), _FIRST_WORD.match(text)
    if not divided or not rest:
        return None
    if rest[0][0].isupper() and not (len(rest[0]) > 1 and rest[0].isupper() and divided[1].isupper()):
        return True  # Saxe-Coburg
    head, tail = divided[1].casefold(), rest[0].casefold()
    return before[-1] == "-" and f"{head}-{tail}" in known and head + tail not in known


def _match_divided_word(text: str) -> re.Match[str] | None:
    """The hyphenated part of a word at the end of `text`. Only the end is searched: the search takes quadratic time."""
    return _HYPHEN.search(text[-_LONGEST_WORD:])


def _collect_words(pages: Sequence[Sequence[Line]]) -> frozenset[str]:
    if not any(_match_divided_word(line.text) for page in pages for line in page):
        return frozenset()
    return frozenset(word for page in pages for line in page for word in _WORDS.findall(line.text.casefold()))


def mark_headings(pages: Sequence[Sequence[Line]], bookmarks: Sequence[tuple[int, int, str]]) -> list[list[Line]]:
    """Mark the lines that `bookmarks` (page from 0, level, title; in order) point to as headings."""
    marked = [list(page) for page in pages]
    for page_index, level, title in bookmarks:
        wanted = _letters_only(title)
        if not wanted or not 0 <= page_index < len(marked):
            continue
        page = marked[page_index]
        for index, line in enumerate(page[:_MAX_TITLES]):
            if not line.level and _is_title(line.text, wanted):
                page[index] = replace(line, level=level)
                break
    return marked


def _is_title(text: str, wanted: str) -> bool:
    """Whether a line is the wanted title, perhaps after a number or "Chapter"."""
    if len(text) > 300:
        return False
    found = _letters_only(text)
    return found == wanted or (found.endswith(wanted) and len(found) - len(wanted) <= 12 and len(wanted) > 3)


def _letters_only(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
