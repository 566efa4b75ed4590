"""Split plain text into sentences, questions, words and search terms. Pure.

Search, chunking, citations and the embedded answerer share it, because they must agree on what sentences and words are.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import Stemmer

from app.language import scripts
from app.phrase_files import Pattern, read_phrases

Span = tuple[int, int]
"""Start and end in Unicode code points, end excluded."""

_WORD = re.compile(r"\w+")

_PHRASES = read_phrases(__file__, "language.toml")
STOP_WORDS = _PHRASES.words("stop_words")
"""Words that say nothing about what is searched for."""
GERMAN_STOP_WORDS = _PHRASES.words("german_stop_words")
"""The German ones, which are used for German texts only: "war" and "die" are also English words."""
_STOP_WORDS_IN_GERMAN = STOP_WORDS | GERMAN_STOP_WORDS
_ABBREVIATIONS = _PHRASES.words("abbreviations")
_AFTER_ORDINALS, _BEFORE_ORDINALS = _PHRASES.words("after_ordinals"), _PHRASES.words("before_ordinals")
_ATTRIBUTES = [
    (Pattern(rf"(?<![a-zäöü])(?:{asks})(?![a-zäöü])", re.IGNORECASE), noun)
    for asks, noun in _PHRASES.tables["attributes"]
]
_BETWEEN_QUESTIONS = _PHRASES.pattern("between_questions", re.IGNORECASE)
_POINTING_BACK = _PHRASES.pattern("pointing_back", re.IGNORECASE)

FULL_STOPS = "。\uff01\uff1f\u061f\u06d4\u0964\u0965\u104b\u17d4"
"""Signs that end a sentence without a space behind them: Chinese, Arabic, Urdu, Indian, Burmese and Khmer ones."""
# Begins with a single character set, which the regex engine finds fast; never begins in the middle of a run, and its
# quantifiers are possessive: otherwise a long row of dots would take quadratic time.
_END = re.compile(
    rf"""[\n.!?…{FULL_STOPS}](?<![.!?…][.!?…])
        (?: (?<=\n)
          | (?<=[{FULL_STOPS}])[{FULL_STOPS}]*+[」』”\u2019\uff09]*+
          | (?<=[.!?…])[.!?…]*+["'”\u2019»)\]]*+(?=\s|$) )""",
    re.VERBOSE,
)
_LONGEST_ORDINAL, _LONGEST_ARTICLE = 2, 8
_LAST_WORD = re.compile(r"(?<![\w.])[\w.]++$")
_INITIAL = re.compile(r"[A-ZÄÖÜ]\.")  # what follows the first letter of an abbreviation: z. B., e. V.
_BEFORE_NUMBER = " \t\n*"  # before the number of a list item or a section: **3. Fee.** The client pays …
# A line that begins like this is a unit of its own: bullets, numbers, headings, quotes, tables, fences, rules.
_BLOCK = re.compile(
    r"[ \t]*(?:[-*+•\u2013]\s|\d{1,3}[.)]\s|[a-z][.)]\s|#{1,6}\s|={2,6}\s|>|\||```|~~~|={3,}|-{3,}|$"
    r"|[(\uff08][一二三四五六七八九十百]{1,4}[)\uff09]|[一二三四五六七八九十百]{1,4}、|[\u2460-\u2473])",
    re.MULTILINE,
)

# A line that begins like this, such as a heading or a table row, does not continue in the next line.
_ONE_LINE = re.compile(r"#|\||={2,6} ")
# The beginning of a field such as "Date: 14 March".
_FIELD = re.compile(r"[ \t]*[^\W\d_][\w .-]{0,29}:\s")
_FIRST_WORD = re.compile(r"[ \t]*(\S{1,200})")
_LAST_SIGNS = frozenset(".!?…:)]\"'”\u2019»")  # what a complete line may end with, besides letters and digits
_LONGEST_LINE = 500  # characters of a line that are counted
# A line shorter than this fraction of its neighbor was not wrapped: most words would still have fitted.
_WRAPPED_FRACTION = 0.7

ROW_MARK = "| "
"""Starts each line that is a row of a table, so that the row is read as one sentence wherever its text is used."""

_stem = cast("Callable[[str], str]", Stemmer.Stemmer("english", 0).stemWord)  # pyright: ignore[reportUnknownMemberType]
_MAX_CACHED_STEMS = 50_000

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CJK_LETTER = re.compile(f"[{CJK}]")
_CJK_RUN = re.compile(f"[{CJK}]+")
_OF_OTHER_SCRIPTS = re.compile(f"[{CJK}{scripts.CHARACTERS}]")


@dataclass(frozen=True, slots=True)
class WordFinder:
    """Finds words as search compares them, in any script."""

    word: re.Pattern[str]
    word_with_marks: re.Pattern[str]

    @classmethod
    def compile(cls, character: str) -> "WordFinder":
        """`character`: a pattern for the letters and digits of words. Some scripts have marks in them, too."""
        with_marks = f"{character}++(?:[{scripts.MARKS}]++{character}*+)*+"
        return cls(re.compile(f"{character}+"), re.compile(with_marks))

    def find(self, text: str, *, single: bool = False) -> list[str]:
        """All words in order, repetitions kept; runs in scripts without spaces as pairs, see `scripts.with_pairs`."""
        if text.isascii() or _OF_OTHER_SCRIPTS.search(text) is None:
            return self.word.findall(text)
        text = with_bigrams(text)
        if not scripts.has_any(text):
            return self.word.findall(text)
        return self.word_with_marks.findall(scripts.with_pairs(scripts.fold(text), single=single))


_ANY_WORD = WordFinder.compile(r"\w")


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Spans of the sentences of `text[start:end]`, without white space at their ends.

    A line break ends a sentence only where a new block begins (blank line, list item, heading, table row), or where the
    line was plainly not wrapped (`_is_unwrapped`): texts are often wrapped at a column. Abbreviations, initials and
    numbers do not end one. A line that begins with a bar is a row of a table: one sentence, without that bar.
    """
    end = len(text) if end is None else end
    begin = start
    for match in _END.finditer(text, start, end):
        if not _ends_sentence(text, match, begin, end):
            continue
        span = _trim_sentence(text, begin, match.end())
        if span[0] < span[1]:
            yield span
        begin = match.end()
    span = _trim_sentence(text, begin, end)
    if span[0] < span[1]:
        yield span


def _trim_sentence(text: str, start: int, end: int) -> Span:
    start, end = trim_span(text, start, end)
    return trim_span(text, start + 1, end) if text.startswith(ROW_MARK, start, end) else (start, end)


def trim_span(text: str, start: int, end: int) -> Span:
    """The span `start` to `end` of `text` without the white space at its ends; empty if there is nothing else."""
    part = text[start:end]
    begin = end - len(part.lstrip())
    return begin, begin + len(part.strip())


def _ends_sentence(text: str, match: re.Match[str], begin: int, end: int) -> bool:
    position, found = match.start(), match[0]
    if found == "\n":
        line = text.rfind("\n", 0, position) + 1
        begins_block = _BLOCK.match(text, position + 1) is not None or _ONE_LINE.match(text, line) is not None
        return begins_block or _is_unwrapped(text, line, position, end)
    if text.startswith(ROW_MARK, begin):
        return False
    if found[0] in FULL_STOPS:
        return True
    rest = text[match.end() : min(match.end() + 40, end)].lstrip()
    if rest[:1].islower():
        return False
    word = _LAST_WORD.search(text, max(begin, position - 20), position)
    if found != "." or word is None:
        return True
    last = word[0].lower()
    letter = len(last) == 1 and last.isalpha()
    initial = letter and (text[word.start()].isupper() or _INITIAL.match(rest) is not None)
    list_number = last.isdigit() and not text[begin : word.start()].strip(_BEFORE_NUMBER)
    return not (last in _ABBREVIATIONS or initial or list_number or _is_ordinal(text, word, rest))


def _is_unwrapped(text: str, line: int, position: int, end: int) -> bool:
    """Whether the line that ends at `position` is complete: a heading, a field, or a paragraph of one line.

    It is if both lines are fields, or if the next line begins with a capitalized word that would have fitted into this
    one, because the next line or the one before is much longer. If its last word is one such as "the", it continues.
    Chinese and Japanese lines may break after any character, so the next character would have fitted.
    """
    first = _FIRST_WORD.match(text, position + 1, end)
    is_cjk = first is not None and _CJK_LETTER.match(first[1]) is not None
    if first is None or not (is_cjk or first[1][0].isupper()):
        return False
    sign = text[max(line, position - 20) : position].rstrip()[-1:]
    if not (sign.isalnum() or sign in _LAST_SIGNS):
        return False
    if _FIELD.match(text, position + 1, end) and _FIELD.match(text, line, position):
        return True
    last = _LAST_WORD.search(text, max(line, position - 20), position)
    if last is not None and last[0].lower() in STOP_WORDS:
        return False
    before = text.rfind("\n", max(0, line - _LONGEST_LINE), max(0, line - 1)) + 1 if line else 0
    following = text.find("\n", first.start(), first.start() + _LONGEST_LINE)
    stop = min(end, first.start() + _LONGEST_LINE) if following < 0 else following
    widest = max(stop - first.start(), line - 1 - before if before else 0)
    return position - line + 1 + (1 if is_cjk else len(first[1])) <= _WRAPPED_FRACTION * widest


def _is_ordinal(text: str, number: re.Match[str], rest: str) -> bool:
    """Whether a number before a full stop is a German ordinal, judged by the words before and after it."""
    if not (number[0].isdigit() and len(number[0]) <= _LONGEST_ORDINAL):
        return False
    following = _WORD.match(rest)
    if following is not None and following[0].lower() in _AFTER_ORDINALS:
        return True
    before = text[max(0, number.start() - _LONGEST_ARTICLE) : number.start()].split()
    return bool(before) and before[-1].lower() in _BEFORE_ORDINALS


def split_words(text: str) -> list[str]:
    """All words of `text` in lower case, in order, repetitions kept; runs in scripts without spaces as bigrams."""
    return _ANY_WORD.find(text.lower())


def search_terms(text: str) -> list[str]:
    """Distinct search terms in order: words without stop words, or all words if nothing else is left."""
    return distinct_terms(split_words(text))


def distinct_terms(words: Sequence[str]) -> list[str]:
    """The distinct words in order, without stop words, or all of them if nothing else is left."""
    return list(dict.fromkeys([word for word in words if word not in STOP_WORDS] or words))


def is_german(text: str) -> bool:
    """Whether more of the words are German stop words than English ones."""
    words = split_words(text)
    german = sum(word in GERMAN_STOP_WORDS and word not in STOP_WORDS for word in words)
    return german > sum(word in STOP_WORDS and word not in GERMAN_STOP_WORDS for word in words)


def question_stop_words(question: str) -> frozenset[str]:
    """Words that say nothing about what a question is about, in its language."""
    return _STOP_WORDS_IN_GERMAN if is_german(question) else STOP_WORDS


def name_attributes(question: str) -> list[str]:
    """The question reworded with the noun for what it asks about: "weight is it" for "how heavy is it"."""
    named = [pattern.sub(noun, question, count=1) for pattern, noun in _ATTRIBUTES]
    return list(dict.fromkeys(wording for wording in named if wording != question))


@lru_cache(_MAX_CACHED_STEMS)
def stem_word(word: str) -> str:
    """A word in lower case without its ending, by Snowball's English rules; they serve German too."""
    return _stem(word)


def with_bigrams(text: str) -> str:
    """`text` with every run of CJK characters as overlapping pairs: 「中文字」 becomes 「中文 文字」.

    Full-text search splits at spaces, which CJK text does not have. With pairs in both the index and the query it is
    found (recall on Chinese 0.96 to 0.98, against 0.12 to 0.17 without).
    """
    if text.isascii():
        return text

    def pairs(match: re.Match[str]) -> str:
        run = match[0]
        return f" {' '.join(run[i : i + 2] for i in range(max(1, len(run) - 1)))} "

    return _CJK_RUN.sub(pairs, text)


def split_questions(text: str) -> list[str]:
    """Split a text that joins several questions: "How long is it open, and what does it cost?"

    They stay together if one of them means nothing by itself, or if a later one refers back to an earlier one.
    """
    parts = [part.strip() for part in _BETWEEN_QUESTIONS.split(text)]
    stand_alone = all(any(word not in STOP_WORDS for word in split_words(part)) for part in parts)
    points_back = any(_POINTING_BACK.search(part) for part in parts[1:])
    return parts if stand_alone and not points_back else [text]
