"""Field merging: fields from different members of a union or an interface can be selected side by side."""

from typing import Any, cast

from graphql import (
    GraphQLNamedType,
    GraphQLObjectType,
    OverlappingFieldsCanBeMergedRule,
    build_schema,
    get_named_type,
    is_abstract_type,
    is_composite_type,
    is_required_argument,
    parse,
    validate,
)
from graphql.type import GraphQLAbstractType, GraphQLSchema

from tests.graphql.schema.test_schema import ROOT

# Things of all kinds: what these are is of another type for each, and the description of `Node` says that they take
# aliases.
NODES = {"name", "status", "failure"}
DEPTH = 3


def selection(schema: GraphQLSchema, kind: Any, depth: int, aliased: bool = False) -> str:
    """All fields that take no arguments, and theirs."""
    named = cast("GraphQLNamedType", get_named_type(kind))
    if not is_composite_type(named):
        return ""
    if is_abstract_type(named):
        return f"{{ __typename {members(schema, named, depth, aliased)} }}" if depth else "{ __typename }"
    assert isinstance(named, GraphQLObjectType)
    parts = ["__typename"]
    for name, field in named.fields.items():
        if depth and not any(map(is_required_argument, field.args.values())):
            alias = f"{named.name}_{name}: " if aliased and name in NODES else ""
            parts.append(f"{alias}{name} {selection(schema, field.type, depth - 1)}")
    return f"{{ {' '.join(parts)} }}"


def members(schema: GraphQLSchema, kind: GraphQLAbstractType, depth: int, aliased: bool) -> str:
    aliased = aliased or kind.name == "Node"
    possible = schema.get_possible_types(kind)
    return " ".join(f"... on {member.name} {selection(schema, member, depth, aliased)}" for member in possible)


def conflicts(schema: GraphQLSchema) -> list[str]:
    found: list[str] = []
    for kind in schema.type_map.values():
        if is_abstract_type(kind):
            document = parse(f"fragment All on {kind.name} {{ __typename {members(schema, kind, DEPTH, False)} }}")
            errors = validate(schema, document, [OverlappingFieldsCanBeMergedRule], max_errors=1000)
            found += [f"{kind.name}: {error.message}" for error in errors]
    return found


def test_fields_of_all_members_can_be_selected_together() -> None:
    assert conflicts(build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))) == []


def test_a_field_conflict_is_detected() -> None:
    schema = build_schema(
        """type Query { a: Either } union Either = A | B
        type A { wait: Int! inner: C } type B { wait: Int inner: D } type C { x: Int } type D { x: String }"""
    )
    assert len(conflicts(schema)) == 2


def test_the_description_of_node_names_fields_that_need_an_alias() -> None:
    schema = build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))
    description = schema.type_map["Node"].description or ""
    assert all(f"`{name}`" in description for name in NODES)
