"""Read pattern files, in which @NAME@ stands for the fragment of that name."""

import re
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

_FRAGMENT = re.compile("@([A-Z_]+)@")

JoinPatterns = Callable[[Iterable[str]], str]


def read_phrase_file(name: str) -> tuple[dict[str, Any], JoinPatterns]:
    """The file `name` beside this one, and a function that joins patterns into one and puts in the fragments."""
    file: dict[str, Any] = tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    fragments: dict[str, str] = file["fragments"]

    def expand(pattern: str) -> str:
        return _FRAGMENT.sub(lambda match: expand(fragments[match[1]]), pattern)

    return file, lambda patterns: "|".join(map(expand, patterns))
