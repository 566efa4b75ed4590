"""Read lists of words and patterns from the data files next to the code that uses them.

A file is TOML. `words` holds lists of words with white space between them. `patterns` holds regular expressions, each
a list of its alternatives, in which @NAME@ stands for the entry NAME of `fragments`.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

_FRAGMENT = re.compile("@([A-Z_]+)@")


class Pattern:
    """A regular expression that is compiled on first use: compiling all of them takes a tenth of the start time."""

    def __init__(self, expression: str, flags: re.RegexFlag) -> None:
        self.expression = expression
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled expression."""
        return re.compile(self.expression, self._flags)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match anywhere in a text."""
        return self.compiled.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the beginning of a text."""
        return self.compiled.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match of a whole text."""
        return self.compiled.fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches in a text."""
        return self.compiled.finditer(text)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """A text with the first `count` matches replaced, or all."""
        return self.compiled.sub(replacement, text, count)

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:
        """The parts of a text between the first `maxsplit` matches, or between all."""
        return self.compiled.split(text, maxsplit)


@dataclass(frozen=True, slots=True)
class Phrases:
    """The words and patterns of one file."""

    tables: Mapping[str, Any]

    def words(self, name: str) -> frozenset[str]:
        """The list of words called `name`."""
        return frozenset(self.tables["words"][name].split())

    def pattern(self, name: str, flags: re.RegexFlag = re.NOFLAG) -> Pattern:
        """The pattern called `name`."""
        return self.any_of(self.tables["patterns"][name], flags)

    def any_of(self, alternatives: Iterable[str], flags: re.RegexFlag = re.NOFLAG) -> Pattern:
        """A pattern that matches any of the alternatives, with the fragments inserted."""
        return Pattern(self.join(alternatives), flags)

    def join(self, alternatives: Iterable[str]) -> str:
        """A regular expression that matches any of the alternatives, with the fragments inserted."""
        return "|".join(map(self._expand, alternatives))

    def _expand(self, pattern: str) -> str:
        return _FRAGMENT.sub(lambda match: self._expand(self.tables["fragments"][match[1]]), pattern)


def read_phrases(module: str, name: str) -> Phrases:
    """The phrases in the file `name` next to `module`, the caller's `__file__`."""
    return _read_file(Path(module).with_name(name))


@cache
def _read_file(file: Path) -> Phrases:
    """Cached, because several modules read the same file."""
    return Phrases(tomllib.loads(file.read_text(encoding="utf-8")))
