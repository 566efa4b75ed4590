"""Every part of the schema has a rule of access, and an addition needs one."""

from typing import cast

from graphql import GraphQLObjectType, GraphQLSchema, build_schema

from tests.graphql.access.people import World
from tests.graphql.access.rules import KINDS, NAMES, RULES, SELECTING, kind_of
from tests.graphql.schema.walking import SCHEMA, Calling, Selecting


def unruled(schema: GraphQLSchema) -> list[str]:
    """Root fields, id arguments and node types without a rule."""
    found: list[str] = []
    selecting = Selecting(schema)
    for kind in KINDS:
        root = schema.type_map.get(kind.capitalize())
        for name in root.fields if isinstance(root, GraphQLObjectType) else ():
            rule = RULES[kind].get(name)
            if rule is None:
                found.append(f"{kind} {name}")
                continue
            for place in Calling(selecting, kind, name).places():
                if place not in rule.ids and place.rpartition(".")[2] not in NAMES:
                    found.append(f"{kind} {name} {place}")
    for type_name, each in schema.type_map.items():
        if isinstance(each, GraphQLObjectType) and type_name.capitalize() not in ("Query", "Mutation", "Subscription"):
            for name, nested in each.fields.items():
                named = [given for given, argument in nested.args.items() if "ID" in str(argument.type)]
                found += [f"{type_name}.{name} {given}" for given in named]
    return found


def test_every_part_of_the_schema_has_a_rule() -> None:
    assert unruled(SCHEMA) == []
    fields = {kind: set(cast("GraphQLObjectType", SCHEMA.type_map[kind.capitalize()]).fields) for kind in KINDS}
    assert {kind: set(rules) for kind, rules in RULES.items()} == fields


def test_there_is_an_id_of_every_kind_to_try(world: World) -> None:
    assert {kind_of(id) for id in (*world.seen.values(), *world.private.values())} == SELECTING.nodes


def test_additions_to_the_schema_need_a_rule() -> None:
    schema = build_schema(
        """interface Node { id: ID! } type Thing implements Node { id: ID! part(of: ID!): Int }
        input PublishInput { thingId: ID! } input ForgetInput { id: ID! thingId: ID! }
        type Query { node(id: ID!): Node thing(id: ID!): Thing } type Mutation { forget(input: ForgetInput!): Int
        publish(input: PublishInput!): Int } type Subscription { thingEvents(id: ID!): Int }"""
    )
    new = ["query thing", "mutation forget input.thingId", "mutation publish", "subscription thingEvents"]
    assert unruled(schema) == [*new, "Thing.part of"]
