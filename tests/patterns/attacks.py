"""Texts that make a pattern backtrack: repeated pieces of what it matches, with a mismatch at the end."""

import itertools
import random
import re
from collections.abc import Iterator
from typing import Any

from tests.patterns.counting import parsed, single

_ALPHABET = ("a", "A", "z", "_", "0", "7", " ", "\t", "\n", "-", ".", "\u00e9", "\u4e2d", "\x01", "\u00a0")
_MAX_PUMPS = 60
_MAX_PREFIXES = 8
SPOILERS = ("", "\x01", "\n!")


class Attacks:
    """Texts to repeat and prefixes for them, derived from a pattern's own parse tree, deterministically."""

    def __init__(self, pattern: "re.Pattern[Any]") -> None:
        self._random = random.Random(repr(pattern.pattern))  # noqa: S311
        self._tree = parsed(pattern)
        self._flags = self._tree.state.flags
        self._groups: dict[int, str] = {}
        self._pumps: dict[str, None] = {}
        self._prefixes: dict[str, None] = {"": None}
        self._collect(list(self._tree), "", repeated=False)
        for _ in range(6):
            self._pumps[self._sample(list(self._tree), full=True)] = None
        for character in _ALPHABET:
            self._pumps[character] = None

    def pumps(self) -> list[str]:
        """The texts to repeat."""
        found = [pump for pump in self._pumps if pump]
        singles = [pump for pump in found if len(pump) == 1]
        longer = [pump for pump in found if len(pump) > 1]
        self._random.shuffle(singles)
        self._random.shuffle(longer)
        pairs = ["".join(pair) for pair in itertools.islice(itertools.permutations(singles[:8], 2), 20)]
        return [*singles[:40], *longer[:40], *pairs][:_MAX_PUMPS]

    def prefixes(self) -> list[str]:
        """The prefixes: nothing, or a text that leads to a repeated part."""
        found = list(self._prefixes)
        return [found[0], *self._random.sample(found[1:], min(len(found) - 1, _MAX_PREFIXES - 1))]

    def _collect(self, nodes: list[Any], before: str, *, repeated: bool) -> str:
        """Collect the pumps and prefixes of `nodes`; returns a text that leads past them."""
        for op, argument in nodes:
            name = str(op)
            if "REPEAT" in name:
                _least, most, body = argument
                self._prefixes[before] = None
                if most == 1:
                    self._collect(list(body), before, repeated=repeated)
                else:
                    self._pump(list(body), before)
                    self._collect(list(body), before, repeated=True)
            elif name == "BRANCH":
                for branch in argument[1]:
                    self._collect(list(branch), before, repeated=repeated)
            elif name == "SUBPATTERN":
                self._collect(list(argument[3]), before, repeated=repeated)
            elif name == "ATOMIC_GROUP":
                self._collect(list(argument), before, repeated=repeated)
            elif name in ("ASSERT", "ASSERT_NOT"):
                self._collect(list(argument[1]), before, repeated=repeated)
            before += self._sample([(op, argument)], full=False)
        return before

    def _pump(self, body: list[Any], before: str) -> None:
        for character in self._characters(body):
            self._pumps[character] = None
        for full in (False, True, True, True):
            piece = self._sample(body, full=full)
            self._pumps[piece] = None
            self._pumps[before + piece] = None
            self._pumps[f"{before}{piece} "] = None

    def _characters(self, body: list[Any]) -> Iterator[str]:
        """Some of the characters that single nodes anywhere in `body` match."""
        for op, argument in body:
            test = single(op, argument, self._flags)
            if test is not None:
                yield from itertools.islice((c for c in (*self._own(op, argument), *_ALPHABET) if test(c)), 8)

    def _own(self, op: Any, argument: Any) -> list[str]:
        name = str(op)
        if name == "LITERAL":
            return [chr(argument)]
        if name != "IN":
            return []
        return [
            chr(value if str(kind) == "LITERAL" else value[0])
            for kind, value in argument
            if str(kind) in ("LITERAL", "RANGE")
        ]

    def _sample(self, nodes: list[Any], *, full: bool) -> str:
        """A text that the nodes match, if their assertions hold; `full` includes optional parts."""
        return "".join(self._piece(str(op), op, argument, full=full) for op, argument in nodes)

    def _piece(self, name: str, op: Any, argument: Any, *, full: bool) -> str:
        if "REPEAT" in name:
            least, most, body = argument
            count = min(int(most), max(least, self._random.choice((0, 1, 1, 2)))) if full else least
            return "".join(self._sample(list(body), full=full) for _ in range(min(count, 100)))
        if name == "BRANCH":
            return self._sample(list(self._random.choice(argument[1]) if full else argument[1][0]), full=full)
        if name == "SUBPATTERN":
            said = self._sample(list(argument[3]), full=full)
            if argument[0] is not None:
                self._groups[argument[0]] = said
            return said
        if name == "GROUPREF":
            return self._groups.get(argument, "")
        if name == "ATOMIC_GROUP":
            return self._sample(list(argument), full=full)
        found = list(self._characters([(op, argument)]))
        return (self._random.choice(found) if full else found[0]) if found else ""
