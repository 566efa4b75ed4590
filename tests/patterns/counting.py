"""A backtracking matcher like that of `re` that counts its steps, so growth can be measured without a clock.

It tries what the engine tries, in its order, possessive and atomic groups included. It leaves out what makes the engine
faster by a constant only (literal prefixes, sets as bitmaps). Every match in a text is looked for, as `findall` does.
"""

import re
import sys
from collections.abc import Callable
from re import _constants as codes  # pyright: ignore[reportPrivateUsage, reportMissingImports, reportUnknownVariableType, reportAttributeAccessIssue]
from re import _parser as parser  # pyright: ignore[reportPrivateUsage, reportMissingImports, reportUnknownVariableType, reportAttributeAccessIssue]
from typing import Any, cast

Continuation = Callable[[int], int | None]
Matcher = Callable[[int, Continuation], int | None]
"""Goes on from a position with a continuation; where the whole match ends, or None."""
Test = Callable[[str], bool]
"""Whether one character matches."""
_MANY = 1 << 30


class OverBudgetError(Exception):
    """More steps than the budget."""


def parsed(pattern: "re.Pattern[Any]") -> Any:
    """The pattern's tree, as the engine's own parser reads it."""
    return cast("Any", parser).parse(pattern.pattern, pattern.flags & ~re.DEBUG)


class Counter:
    """Counts the `steps` of finding all matches of one pattern in a text."""

    def __init__(self, pattern: "re.Pattern[Any]") -> None:
        self._tree = parsed(pattern)
        self._flags = self._tree.state.flags
        self._text = ""
        self._steps = self._most = 0
        self._ends: list[int] = []
        self._groups: dict[int, tuple[int, int]] = {}
        self._matcher = self._sequence(list(self._tree))

    def ends(self, text: str) -> list[int]:
        """Where the matches in a text end, except empty ones."""
        self.steps(text, most=_MANY)
        return self._ends

    def steps(self, text: str, *, most: int, anchored: bool = False) -> int:
        """The total number of steps. `anchored`: match at the start only. Raises OverBudgetError."""
        self._text, self._steps, self._most = text, 0, most
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(1_000_000)
        try:
            start, self._ends = 0, []
            while start <= len(text):
                self._groups = {}
                end = self._matcher(start, lambda at: at)
                if anchored:
                    break
                if end is not None and end > start:
                    self._ends.append(end)
                start = start + 1 if end is None else max(end, start + 1)
        finally:
            sys.setrecursionlimit(limit)
        return self._steps

    def _step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > self._most:
            raise OverBudgetError

    def _sequence(self, nodes: list[Any]) -> Matcher:
        matchers = self._matchers(nodes)
        if not matchers:
            return lambda at, then: then(at)
        whole = matchers.pop()
        while matchers:
            whole = _joined(matchers.pop(), whole)
        return whole

    def _matchers(self, nodes: list[Any]) -> list[Matcher]:
        """A matcher for each node; one for each run of single characters."""
        matchers: list[Matcher] = []
        run: list[Test] = []
        for op, argument in nodes:
            test = single(op, argument, self._flags)
            if test is not None:
                run.append(test)
                continue
            if run:
                matchers.append(self._characters(run))
                run = []
            matchers.append(self._node(op, argument))
        return [*matchers, self._characters(run)] if run else matchers

    def _node(self, op: Any, argument: Any) -> Matcher:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return self._repeat(name, *argument)
        if name == "BRANCH":
            return self._branch([self._sequence(list(branch)) for branch in argument[1]])
        if name == "SUBPATTERN":
            return self._group(argument[0], self._sequence(list(argument[3])))
        if name == "ATOMIC_GROUP":
            return self._atomic(self._sequence(list(argument)))
        if name in ("ASSERT", "ASSERT_NOT"):
            return self._look(self._sequence(list(argument[1])), argument, wanted=name == "ASSERT")
        if name == "AT":
            return self._at(str(argument))
        if name == "GROUPREF":
            return self._again(argument)
        raise NotImplementedError(name)

    def _characters(self, tests: list[Test]) -> Matcher:
        def run(at: int, then: Continuation) -> int | None:
            text, length, tried = self._text, len(self._text), 0
            for test in tests:
                tried += 1
                if at >= length or not test(text[at]):
                    self._step(tried)
                    return None
                at += 1
            self._step(tried)
            return then(at)

        return run

    def _repeat(self, name: str, least: int, most: Any, body: Any) -> Matcher:
        most = _MANY if most == cast("Any", codes).MAXREPEAT else int(most)
        nodes = list(body)
        test = single(nodes[0][0], nodes[0][1], self._flags) if len(nodes) == 1 else None
        if test is not None and name != "MIN_REPEAT":
            return self._run(test, least, most, possessive=name == "POSSESSIVE_REPEAT")
        inner = self._sequence(nodes)
        if name == "POSSESSIVE_REPEAT":
            return self._atomic(self._greedy(inner, least, most))
        return self._greedy(inner, least, most) if name == "MAX_REPEAT" else self._lazy(inner, least, most)

    def _run(self, test: Callable[[str], bool], least: int, most: int, *, possessive: bool) -> Matcher:
        def run(at: int, then: Continuation) -> int | None:
            end, last = at, min(len(self._text), at + most)
            while end < last and test(self._text[end]):
                end += 1
            self._step(end - at + 1)
            if possessive:
                return then(end) if end - at >= least else None
            for stop in range(end, at + least - 1, -1):
                self._step()
                found = then(stop)
                if found is not None:
                    return found
            return None

        return run

    def _greedy(self, inner: Matcher, least: int, most: int) -> Matcher:
        def run(at: int, then: Continuation, count: int = 0, before: int = -1) -> int | None:
            self._step()
            if count < most and not (at == before and count >= least):
                found = inner(at, lambda after: run(after, then, count + 1, at))
                if found is not None:
                    return found
            return then(at) if count >= least else None

        return run

    def _lazy(self, inner: Matcher, least: int, most: int) -> Matcher:
        def run(at: int, then: Continuation, count: int = 0, before: int = -1) -> int | None:
            self._step()
            if count >= least:
                found = then(at)
                if found is not None or at == before:
                    return found
            return inner(at, lambda after: run(after, then, count + 1, at)) if count < most else None

        return run

    def _branch(self, branches: list[Matcher]) -> Matcher:
        def run(at: int, then: Continuation) -> int | None:
            for branch in branches:
                self._step()
                found = branch(at, then)
                if found is not None:
                    return found
            return None

        return run

    def _group(self, number: int | None, inner: Matcher) -> Matcher:
        if number is None:
            return inner

        def run(at: int, then: Continuation) -> int | None:
            def close(end: int) -> int | None:
                before = self._groups.get(number)
                self._groups[number] = at, end
                found = then(end)
                if found is None:
                    if before is None:
                        del self._groups[number]
                    else:
                        self._groups[number] = before
                return found

            return inner(at, close)

        return run

    def _atomic(self, inner: Matcher) -> Matcher:
        def run(at: int, then: Continuation) -> int | None:
            end = inner(at, lambda after: after)
            return None if end is None else then(end)

        return run

    def _look(self, inner: Matcher, argument: Any, *, wanted: bool) -> Matcher:
        width = argument[1].getwidth()[0] if argument[0] < 0 else 0

        def run(at: int, then: Continuation) -> int | None:
            self._step()
            found = inner(at - width, lambda after: after) if at >= width else None
            return then(at) if (found is not None) == wanted else None

        return run

    def _at(self, where: str) -> Matcher:
        by_line = self._flags & re.MULTILINE and where in ("AT_BEGINNING", "AT_END")
        holds = _PLACES[f"{where}_LINE" if by_line else where]

        def run(at: int, then: Continuation) -> int | None:
            self._step()
            return then(at) if holds(self._text, at) else None

        return run

    def _again(self, number: int) -> Matcher:
        def run(at: int, then: Continuation) -> int | None:
            start, end = self._groups.get(number, (0, -1))
            if end < start:
                return None
            said = self._text[start:end]
            self._step(len(said) + 1)
            return then(at + len(said)) if self._text.startswith(said, at) else None

        return run


def _joined(first: Matcher, rest: Matcher) -> Matcher:
    return lambda at, then: first(at, lambda after: rest(after, then))


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _is_edge(text: str, at: int) -> bool:
    return (at > 0 and _is_word(text[at - 1])) != (at < len(text) and _is_word(text[at]))


_PLACES: dict[str, Callable[[str, int], bool]] = {
    "AT_BEGINNING": lambda _, at: at == 0,
    "AT_BEGINNING_STRING": lambda _, at: at == 0,
    "AT_BEGINNING_LINE": lambda text, at: at == 0 or text[at - 1] == "\n",
    "AT_END": lambda text, at: at == len(text) or (at == len(text) - 1 and text[at] == "\n"),
    "AT_END_STRING": lambda text, at: at == len(text),
    "AT_END_LINE": lambda text, at: at == len(text) or text[at] == "\n",
    "AT_BOUNDARY": _is_edge,
    "AT_NON_BOUNDARY": lambda text, at: not _is_edge(text, at),
}


_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "CATEGORY_DIGIT": str.isdecimal,
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_WORD": _is_word,
}


def single(op: Any, argument: Any, flags: int) -> Callable[[str], bool] | None:
    """A test for one character, if the node matches exactly one; None for other nodes."""
    name = str(op)
    fold: Callable[[str], str] = str.lower if flags & re.IGNORECASE else str
    if name in ("LITERAL", "NOT_LITERAL"):
        letter = fold(chr(argument))
        if fold is str:
            return letter.__eq__ if name == "LITERAL" else letter.__ne__
        return (lambda c: fold(c) == letter) if name == "LITERAL" else (lambda c: fold(c) != letter)
    if name == "ANY":
        return (lambda _: True) if flags & re.DOTALL else (lambda c: c != "\n")
    if name != "IN":
        return None
    items = [_item(str(kind), value, fold) for kind, value in argument if str(kind) != "NEGATE"]
    negated = str(argument[0][0]) == "NEGATE"
    known: dict[str, bool] = {}

    def test(character: str) -> bool:
        if character not in known:
            known[character] = any(item(character) for item in items) != negated
        return known[character]

    return test


def _item(kind: str, value: Any, fold: Callable[[str], str]) -> Callable[[str], bool]:
    if kind == "LITERAL":
        return lambda c: fold(c) == fold(chr(value))
    if kind == "RANGE":
        return lambda c: (
            any(value[0] <= ord(form) <= value[1] for form in {c, fold(c), c.upper()} if len(form) == 1)
            if fold is str.lower
            else value[0] <= ord(c) <= value[1]
        )
    name = str(value)
    if name.startswith("CATEGORY_NOT_"):
        positive = _CATEGORIES[name.replace("_NOT", "")]
        return lambda c: not positive(c)
    return _CATEGORIES[name]
