"""Generate valid operations for a schema, with random fields, arguments and variables no person would send."""

# graphql-core's wrapping types do not say what they wrap.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    get_named_type,
)
from hypothesis import strategies as st

from tests.graphql.client import Json

T = TypeVar("T")

DEPTH = 5
FIELDS = 4

TEXTS = st.one_of(
    st.sampled_from(
        ["", " ", "\x00", "a\x00b", "\u202e", "\ufeff", "'; DROP TABLE projects; --", '"', "\\", "%", "NEAR("]
    ),
    st.sampled_from(
        ["* - AND OR NOT", "NaN", "null", "[1]", "\U0001f600" * 20, "é" * 300, "x" * 5000, "..", "text/plain"]
    ),
    st.text(max_size=20),
)
NUMBERS = st.one_of(st.sampled_from([-(2**31), -1, 0, 1, 2, 50, 100, 101, 2**31 - 1]), st.integers(-(2**31), 2**31 - 1))
FLOATS = st.one_of(st.sampled_from([-1.0, 0.0, 0.2, 0.5, 1.0, 1e308, -1e308, 5e-324]), st.floats(-10, 10))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, FLOATS, TEXTS, st.sampled_from([2**63, -(2**70), 10**100])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=6,
)


@dataclass(slots=True)
class Operation:
    """A document and its variables."""

    text: str
    variables: dict[str, Json] = field(default_factory=dict[str, Json])


class Operations:
    """Draws random operations. `known` are existing ids by kind."""

    def __init__(self, schema: GraphQLSchema, known: Mapping[str, list[str]], draw: st.DrawFn) -> None:
        self._schema = schema
        self._draw = draw
        self._known = known
        self._field = ""
        self._variables: dict[str, tuple[str, Json]] = {}
        self._named: dict[str, str] = {}

    def operation(self, kind: str) -> Operation:
        """A query, mutation or subscription."""
        root = self._schema.type_map[kind.capitalize()]
        most = 1 if kind == "subscription" else 2
        assert isinstance(root, GraphQLObjectType)
        selection = self._selection(root, DEPTH, most)
        declared = ", ".join(f"${name}: {of}" for name, (of, _) in self._variables.items())
        head = f"{kind} Random{f'({declared})' if declared else ''}"
        return Operation(f"{head} {selection}", {name: value for name, (_, value) in self._variables.items()})

    def _selection(self, kind: GraphQLNamedType, depth: int, most: int = FIELDS) -> str:
        """Some fields of a type; conflicting fields get aliases."""
        parts = [] if kind.name == "Subscription" else ["__typename"]
        if isinstance(kind, GraphQLUnionType):
            parts += [self._on(member, depth) for member in kind.types]
        if isinstance(kind, GraphQLInterfaceType):
            possible = self._schema.get_possible_types(kind)
            parts += [self._on(member, depth) for member in self._some(sorted(possible, key=lambda each: each.name), 2)]
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            fields = [(name, each) for name, each in kind.fields.items() if depth > 0 or _is_leaf(each.type)]
            for name, each in self._some(fields, most):
                below = "" if _is_leaf(each.type) else " " + self._selection(get_named_type(each.type), depth - 1)
                self._field = name
                arguments = self._arguments(each.args)
                parts.append(f"{self._alias(name, f'{each.type}{arguments}')}{name}{arguments}{below}")
        return "{ " + " ".join(parts) + " }"

    def _alias(self, name: str, what: str) -> str:
        if self._named.setdefault(name, what) == what and "(" not in what:
            return ""
        self._named[f"a{len(self._named)}"] = what
        return f"a{len(self._named) - 1}: "

    def _on(self, member: GraphQLObjectType, depth: int) -> str:
        return f"... on {member.name} {self._selection(member, depth - 1)}" if depth > 0 else ""

    def _some(self, of: Sequence[T], most: int) -> list[T]:
        if not of:
            return []
        indexes = self._draw(st.sets(st.integers(0, len(of) - 1), min_size=1, max_size=most))
        return [of[index] for index in sorted(indexes)]

    def _arguments(self, arguments: Mapping[str, Json]) -> str:
        given: list[str] = []
        for name, argument in arguments.items():
            if not isinstance(argument.type, GraphQLNonNull) and not self._draw(st.booleans()):
                continue
            value = self._value(argument.type, name)
            variable = f"v{len(self._variables)}"
            if self._draw(st.booleans()) or not _is_simple(value):
                self._variables[variable] = (str(argument.type), value)
                given.append(f"{name}: ${variable}")
            else:
                given.append(f"{name}: {self._literal(argument.type, value)}")
        return f"({', '.join(given)})" if given else ""

    def _literal(self, kind: Json, value: Json) -> str:
        if isinstance(get_named_type(kind), GraphQLEnumType) and isinstance(value, str):
            return value
        return json.dumps(value)

    def _value(self, kind: Json, name: str) -> Json:
        if isinstance(kind, GraphQLNonNull):
            return self._present(kind.of_type, name)
        return None if self._draw(st.integers(0, 4)) == 0 else self._present(kind, name)

    def _present(self, kind: Json, name: str) -> Json:
        if isinstance(kind, GraphQLList):
            return [self._value(kind.of_type, name) for _ in range(self._draw(st.integers(0, 3)))]
        if isinstance(kind, GraphQLInputObjectType):
            return self._object(kind.fields)
        if isinstance(kind, GraphQLEnumType):
            return self._draw(st.sampled_from(sorted(kind.values)))
        named = get_named_type(kind).name
        if named == "ID":
            return self._draw(self._ids(name))
        strategies = {"Int": NUMBERS, "Float": FLOATS, "Boolean": st.booleans(), "JSON": JSON}
        return self._draw(strategies.get(named, TEXTS))

    def _ids(self, name: str) -> st.SearchStrategy[str]:
        """Mostly an id of the right kind; never one to delete that other operations need."""
        everything = [id for of_kind in self._known.values() for id in of_kind]
        broken = [everything[0] + "=", everything[0][:-1]]
        others = st.one_of(TEXTS, st.sampled_from([*everything, *broken]))
        if self._field.startswith("delete"):
            return TEXTS
        wanted = (self._field if name == "id" else name).lower()
        meant = [id for kind, of_kind in self._known.items() for id in of_kind if kind.lower().endswith(_kind(wanted))]
        return st.one_of(*[st.sampled_from(meant)] * 4, others) if meant else others

    def _object(self, fields: Mapping[str, Json]) -> Json:
        return {
            name: self._value(each.type, name)
            for name, each in fields.items()
            if isinstance(each.type, GraphQLNonNull) or self._draw(st.booleans())
        }


def _kind(wanted: str) -> str:
    """The kind of id implied by a name such as `sessionId`, `documentIds` or `updateProject`."""
    for kind in ("project", "document", "session", "message"):
        if kind in wanted:
            return kind
    return ""


def _is_leaf(kind: Json) -> bool:
    return not isinstance(get_named_type(kind), GraphQLObjectType | GraphQLInterfaceType | GraphQLUnionType)


def _is_simple(value: Json) -> bool:
    return isinstance(value, bool | int | str | None) and json.dumps(value).isascii() and "\\" not in json.dumps(value)
