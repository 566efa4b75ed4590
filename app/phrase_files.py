"""Read lists of words and patterns from the data files beside the code that uses them.

A file is TOML. `words` holds lists of words with white space between them. `patterns` holds regular expressions, each
a list of its alternatives, in which @NAME@ stands for the entry NAME of `fragments`.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FRAGMENT = re.compile("@([A-Z_]+)@")


@dataclass(frozen=True, slots=True)
class Phrases:
    """The words and patterns of one file."""

    tables: Mapping[str, Any]

    def words(self, name: str) -> frozenset[str]:
        """The list of words called `name`."""
        return frozenset(self.tables["words"][name].split())

    def pattern(self, name: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
        """The pattern called `name`."""
        return re.compile(self.join(self.tables["patterns"][name]), flags)

    def join(self, alternatives: Iterable[str]) -> str:
        """One regular expression of several alternatives, with the fragments put in."""
        return "|".join(map(self._expand, alternatives))

    def _expand(self, pattern: str) -> str:
        return _FRAGMENT.sub(lambda match: self._expand(self.tables["fragments"][match[1]]), pattern)


def read_phrases(module: str, name: str) -> Phrases:
    """The file `name` that stands beside `module`, the caller's `__file__`."""
    return Phrases(tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8")))
