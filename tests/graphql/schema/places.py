"""Every argument in the schema where a client can put a value, each with an operation that does so."""

# graphql-core's wrapping types do not say what they wrap.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

import httpx
from graphql import (
    GraphQLArgument,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    get_named_type,
    print_ast,
)

from tests.graphql.client import Client, Json
from tests.graphql.schema.walking import Calling, Selecting

ROOTS = ("Query", "Mutation", "Subscription")
# An id that is well formed, and nobody's: what deletes by it deletes nothing.
NOBODY = "0" * 32
_PAGE = "{ edges { cursor node { id } } }"


@dataclass(frozen=True)
class Place:
    """An argument or an input field: its name, its type, and an operation that is otherwise valid."""

    name: str
    coordinate: str
    """`Query.search.after`, or `SignInInput.email`."""
    kind: Json
    operation: str
    text: str
    variables: Json
    keys: tuple[str, ...]

    @property
    def type_name(self) -> str:
        """The value's type name, unwrapped."""
        return get_named_type(self.kind).name

    @property
    def is_list(self) -> bool:
        """Whether it takes a list."""
        return isinstance(_nullable(self.kind), GraphQLList)

    def variables_with(self, value: Json) -> Json:
        """All variables, with this value in this place."""
        variables = within = copy.deepcopy(self.variables)
        for key in self.keys[:-1]:
            within = within.setdefault(key, {})
            if isinstance(within, list):  # of inputs: its first entry
                within = cast("list[Json]", within)[0]
        within[self.keys[-1]] = value
        return variables

    async def send(self, client: Client, variables: Json) -> httpx.Response:
        """Send its operation, with a small file where one is needed."""
        if '"file"' not in json.dumps(variables):
            return await client.post(self.text, **variables)
        form = {
            "operations": json.dumps({"query": self.text, "variables": variables}),
            "map": json.dumps({"0": ["variables.input.file"]}),
        }
        files = {"0": ("larks.md", b"# Larks\n\nLarks sing.\n", "text/markdown")}
        return await client.http.post(client.url, data=form, files=files, headers={"graphql-require-preflight": "1"})


def places(schema: GraphQLSchema, known: Mapping[str, str]) -> Iterator[Place]:
    """Every place in the schema. `known` has an id for each type of node."""
    selecting = Selecting(schema)
    for kind in schema.type_map.values():
        if not isinstance(kind, GraphQLObjectType) or kind.name.startswith("__"):
            continue
        for name, field in kind.fields.items():
            if not field.args:
                continue
            if kind.name in ROOTS:
                calling = Calling(selecting, kind.name.lower(), name)
                ids = {place: _known(place, name, known) for place in calling.places() if calling.needs(place)}
                operation, text, variables = calling.kind, calling.text, calling.variables(ids)
            else:
                operation, variables = "query", {"id": known[kind.name]} if kind.name in known else {}
                below = get_named_type(field.type)
                selected = _PAGE if below.name.endswith("Connection") else selecting.everything(below, depth=1)
                text = (_of_node if variables else _of_viewer)(kind, name, field.args, selected)
            for argument, of in field.args.items():
                at = f"{kind.name}.{name}.{argument}"
                for coordinate, inner, keys in _inside(at, of.type, (argument,)):
                    called = f"{kind.name}.{name}({'.'.join(keys)})"
                    yield Place(called, coordinate, inner, operation, text, variables, keys)


def _of_node(kind: GraphQLObjectType, name: str, arguments: Mapping[str, Json], selected: str) -> str:
    declared, given = _passed_on(arguments)
    return f"query($id: ID!, {declared}) {{ node(id: $id) {{ ... on {kind.name} {{ {name}({given}) {selected} }} }} }}"


def _of_viewer(kind: GraphQLObjectType, name: str, arguments: Mapping[str, Json], selected: str) -> str:
    assert kind.name == "Viewer", kind
    declared, given = _passed_on(arguments)
    return f"query({declared}) {{ viewer {{ {name}({given}) {selected} }} }}"


def _passed_on(arguments: Mapping[str, Json]) -> tuple[str, str]:
    """Arguments as variables: their declarations, and how they are passed."""
    declared = ", ".join(f"${each}: {of.type}{_default(of)}" for each, of in arguments.items())
    return declared, ", ".join(f"{each}: ${each}" for each in arguments)


def _default(argument: GraphQLArgument) -> str:
    """A variable for an argument that is never null has the same default."""
    node = argument.ast_node.default_value if argument.ast_node else None
    return f" = {print_ast(node)}" if node is not None else ""


def _inside(coordinate: str, kind: Json, keys: tuple[str, ...]) -> Iterator[tuple[str, Json, tuple[str, ...]]]:
    named = get_named_type(kind)
    yield coordinate, kind, keys
    if isinstance(named, GraphQLInputObjectType):
        for name, each in named.fields.items():
            yield from _inside(f"{named.name}.{name}", each.type, (*keys, name))


def _known(place: str, field: str, known: Mapping[str, str]) -> str:
    """An id of the kind the place's name implies: `input.sessionId`, or `id` of `updateProject`."""
    if field.startswith(("delete", "remove", "revoke", "forget", "cancel")):
        return NOBODY
    name = place.rpartition(".")[2].lower()
    wanted = field.lower() if name == "id" else name
    kinds = {"session": "ChatSession", "document": "Document", "message": "Message", "user": "User"}
    return next((known[kind] for word, kind in kinds.items() if word in wanted), known["Project"])


def _nullable(kind: Json) -> Json:
    return kind.of_type if isinstance(kind, GraphQLNonNull) else kind
