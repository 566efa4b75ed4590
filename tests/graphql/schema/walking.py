"""Generate operations that select every field, and walk everything reachable in a schema.

The walk goes from node to node: each is asked for by its id with all its fields, down to the next node, of which the
plain fields are taken at once and the rest when its own turn comes.
"""

# graphql-core's wrapping types do not say what they wrap.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

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
    build_schema,
    get_named_type,
    is_leaf_type,
)

from app import graphql
from tests.graphql.client import Client, Json

# Made once: it takes half a second, and each process of the tests loads all files that need it.
SCHEMA: GraphQLSchema = build_schema(graphql.schema_text())
# What no two answers have in common, and tells nothing.
VOLATILE = frozenset(
    {"tookMs", "latencyMs", "retrievalMs", "firstTokenMs", "totalMs", "lastUsedAt", "href", "validUntil"}
)
_AT_ONCE = 8
_MAX_NODES = 300


class Selecting:
    """Selections of everything that a type has."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self.schema = schema
        node = schema.type_map["Node"]
        assert isinstance(node, GraphQLInterfaceType)
        self.nodes = {kind.name for kind in schema.get_possible_types(node)}
        # Thousands of operations select the same, and each selection looks through all types many times.
        self.everything = cache(self._everything)
        self._alias = cache(self._make_alias)

    def _everything(self, kind: GraphQLNamedType, *, whole: bool = False, depth: int = 6) -> str:
        """All fields; of a nested node only the scalar ones, unless `whole`."""
        if is_leaf_type(kind):
            return ""
        if isinstance(kind, GraphQLUnionType | GraphQLInterfaceType):
            parts = [
                f"... on {each.name} {self.everything(each, whole=whole, depth=depth - 1)}"
                for each in self.schema.get_possible_types(kind)
            ]
            return f"{{ __typename {' '.join(parts)} }}"
        assert isinstance(kind, GraphQLObjectType)
        nested = depth > 0 and (whole or kind.name not in self.nodes)
        parts = ["__typename"]
        for name, each in kind.fields.items():
            below = get_named_type(each.type)
            if is_leaf_type(below):
                parts.append(f"{self._alias(kind, name)}{name}")
            elif nested:
                parts.append(f"{self._alias(kind, name)}{name} {self.everything(below, depth=depth - 1)}")
        return f"{{ {' '.join(parts)} }}"

    def of_node(self, kind: str) -> str:
        """The query for one node of this kind."""
        return f"query($id: ID!) {{ node(id: $id) {{ ... on {kind} {self._whole(kind)} }} }}"

    def of_root(self, kind: str, name: str) -> str:
        """The selection of a root field."""
        root = self.schema.type_map[kind.capitalize()]
        assert isinstance(root, GraphQLObjectType)
        return self.everything(get_named_type(root.fields[name].type))

    def _whole(self, kind: str) -> str:
        return self.everything(self.schema.type_map[kind], whole=True)

    def _make_alias(self, kind: GraphQLObjectType, name: str) -> str:
        """Members of an interface may have fields of the same name with different types."""
        if name == "id":
            return ""
        alike = [
            each.fields[name].type
            for each in self.schema.type_map.values()
            if isinstance(each, GraphQLObjectType) and name in each.fields
        ]
        return f"{kind.name}_{name}: " if len({str(each) for each in alike}) > 1 else ""


@dataclass
class Walked:
    """What was reached: responses by node id or root field, and their types."""

    answers: dict[str, Json] = field(default_factory=dict[str, Json])
    texts: list[str] = field(default_factory=list[str])
    kinds: set[str] = field(default_factory=set[str])

    @property
    def ids(self) -> set[str]:
        """Ids of the nodes."""
        return {id for id in self.answers if not id.startswith("root ")}


async def walk(client: Client, selecting: Selecting, *starts: str) -> Walked:
    """Walk everything a person can reach from the root and from these ids."""
    walked, root = Walked(), selecting.schema.query_type
    assert root is not None
    waiting: dict[str, str] = dict.fromkeys(starts, "")
    for name, each in root.fields.items():
        if not any(isinstance(argument.type, GraphQLNonNull) for argument in each.args.values()):
            answer = await _asked(client, walked, f"{{ {name} {selecting.of_root('query', name)} }}")
            walked.answers[f"root {name}"] = answer
            waiting |= dict(_nodes(answer, walked))
    while waiting := {id: kind for id, kind in waiting.items() if id not in walked.answers}:
        some = list(waiting.items())[:_AT_ONCE]
        answers = await asyncio.gather(*(_node(client, selecting, walked, *each) for each in some))
        for (id, _), answer in zip(some, answers, strict=True):
            walked.answers[id] = answer
            waiting |= dict(_nodes(answer, walked))
        assert len(walked.answers) < _MAX_NODES, "the walk does not end"
    return walked


async def _node(client: Client, selecting: Selecting, walked: Walked, id: str, kind: str) -> Json:
    if not kind:
        found = await _asked(client, walked, "query($id: ID!) { node(id: $id) { __typename } }", id=id)
        if found["node"] is None:
            return None
        kind = found["node"]["__typename"]
    return await _asked(client, walked, selecting.of_node(kind), id=id)


async def _asked(client: Client, walked: Walked, query: str, **variables: Json) -> Json:
    response = await client.post(query, **variables)
    result = response.json()
    assert response.status_code == 200, (query, result)
    assert "errors" not in result, (query, result["errors"])
    walked.texts.append(response.text)
    return _steady(result["data"])


def _steady(value: Json) -> Json:
    """A response without varying values, with aliases resolved."""
    if isinstance(value, dict):
        named = {name if name.startswith("_") else name.rpartition("_")[2]: each for name, each in value.items()}
        return {name: _steady(each) for name, each in named.items() if name not in VOLATILE}
    return [_steady(each) for each in value] if isinstance(value, list) else value


def _nodes(value: Json, walked: Walked) -> Iterator[tuple[str, str]]:
    """Ids of all nodes in an answer, with their types."""
    if isinstance(value, list):
        for each in value:
            yield from _nodes(each, walked)
    elif isinstance(value, dict):
        walked.kinds.add(value.get("__typename", ""))
        if "id" in value:
            yield value["id"], value["__typename"]
        for each in value.values():
            yield from _nodes(each, walked)


# What is given where a value of such a name, or else such a type, has to be.
NAMED = {"email": "bob@example.org", "password": "correct horse battery", "newPassword": "correct horse battery"}
SAMPLES = {"Int": 1, "Float": 0.5, "Boolean": True, "JSON": {}, "String": "goods"}

# Where an id is required in one of two places: the one that gets it if nothing is said about the other.
EITHER = {"previewAnswer": ("input.sessionId", "input.projectId")}


class Calling:
    """Operations on one root field, with every required value filled in."""

    def __init__(self, selecting: Selecting, kind: str, name: str) -> None:
        root = selecting.schema.type_map[kind.capitalize()]
        assert isinstance(root, GraphQLObjectType)
        self._field = root.fields[name]
        arguments = self._field.args.items()
        self._needed = {place for each, of in arguments for place, must in _places(of.type, each) if must}
        declared = ", ".join(f"${each}: {argument.type}" for each, argument in self._field.args.items())
        given = ", ".join(f"{each}: ${each}" for each in self._field.args)
        self.kind, self.name = kind, name
        self.text = f"{kind}{f'({declared})' if declared else ''} {{ {name}{f'({given})' if given else ''} "
        self.text += f"{selecting.of_root(kind, name)} }}"

    def places(self) -> Iterator[str]:
        """Where ids belong: `id`, or `input.projectId`."""
        for name, argument in self._field.args.items():
            yield from (place for place, _ in _places(argument.type, name))

    def needs(self, place: str) -> bool:
        """Whether an id in this place is required."""
        return place in self._needed or place == EITHER.get(self.name, ("", ""))[0]

    def excludes(self, place: str, other: str) -> bool:
        """Whether only one of these places can have an id."""
        return {place, other} == set(EITHER.get(self.name, ()))

    def variables(self, places: dict[str, str]) -> Json:
        """With these ids in their places."""
        values = {name: _value(argument.type, name, places) for name, argument in self._field.args.items()}
        return {name: value for name, value in values.items() if value is not None}


def _places(kind: Json, path: str) -> Iterator[tuple[str, bool]]:
    """The places of ids, and whether each is required."""
    named = get_named_type(kind)
    if named.name == "ID":
        yield path, isinstance(kind, GraphQLNonNull)
    if isinstance(named, GraphQLInputObjectType):
        for name, each in named.fields.items():
            yield from _places(each.type, f"{path}.{name}")


def _value(kind: Json, path: str, places: dict[str, str]) -> Json:
    """Null where nothing has to be given."""
    required, inner = isinstance(kind, GraphQLNonNull), kind.of_type if isinstance(kind, GraphQLNonNull) else kind
    named = get_named_type(kind)
    if named.name == "ID":
        value: Json = places.get(path)
        assert value is not None or not required, f"{path} needs an id"
    elif isinstance(named, GraphQLInputObjectType):
        if not required and not any(place.startswith(f"{path}.") for place in places):
            return None
        found = {name: _value(each.type, f"{path}.{name}", places) for name, each in named.fields.items()}
        value = {name: each for name, each in found.items() if each is not None or name == "file"}
    elif not required:
        return None
    elif isinstance(named, GraphQLEnumType):
        value = next(iter(named.values))
    else:
        value = NAMED.get(path.rpartition(".")[2], SAMPLES.get(named.name))
    return [value] if isinstance(inner, GraphQLList) and value is not None else value
