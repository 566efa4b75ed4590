"""The schema itself: every element described, exported up to date, and true to its contract."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    build_schema,
    get_introspection_query,
    is_specified_scalar_type,
    print_type,
)

from app import graphql
from app.graphql.limits import operation_cost
from tests.graphql.client import Client

ROOT = Path(__file__).parents[3]

# What the contract promises and this version does not have yet.
NOT_YET_TYPES: set[str] = set()
NOT_YET_FIELDS: set[str] = set()
# Mutations that the contract does not have: each has an input, a payload and a result.
ADDED = (
    "WithdrawRating",
    "RecordCitationOpened",
    "RedeemSetupToken",
    "ChangePassword",
    "UpdateViewer",
    "CancelEmbeddingSwitch",
    "SelectBranch",
)
ADDED_TYPES = {f"{name}{part}" for name in ADDED for part in ("Input", "Payload", "Result")} | {
    *("AnswerDefaults", "AnswerDefaultsInput"),
    *("AddTextDocumentsInput", "AddTextDocumentsPayload", "AddTextDocumentsResult"),
    *("TextDocumentInput", "TextDocumentResult"),
    *("RereadDocumentsInput", "RereadDocumentsPayload", "RereadDocumentsResult"),
    "ExportFormat",
    *("SearchMessagesInput", "FoundMessageConnection", "FoundMessageEdge"),
    *("ChatSessionFilter", "ChatSessionOrder", "ChatSessionOrderField"),
    *("AppliedDocumentFilter", "DocumentFormat", "FeedbackReason", "MarkerPlacer", "PromptProfile"),
    *("AppliedDocumentFilter", "FeedbackReason", "MarkerPlacer", "PromptProfile"),
    *("Box", "PageRectangles", "SignedUrl"),
}
# Two members of one result must agree in a field's type, or no operation can select both.
KINDER = {"UnavailableError.retryAfterMs": "Int!", "PreviewAnswerInput.sessionId": "ID = Undefined"}
# What the contract describes in a comment: the members of each mutation's result, beside its payload.
RESULTS = {
    "CreateProject": {"ValidationError", "ConflictError"},
    "UpdateProject": {"ValidationError", "NotFoundError", "ForbiddenError", "ConflictError"},
    "SwitchEmbeddingModel": {
        *("ValidationError", "NotFoundError", "ForbiddenError"),
        *("ConflictError", "UnavailableError"),
    },
    "CancelEmbeddingSwitch": {"NotFoundError", "ForbiddenError", "ConflictError"},
    "DeleteProject": {"ValidationError", "NotFoundError", "ForbiddenError"},
    "UploadDocument": {
        *("ValidationError", "NotFoundError", "ForbiddenError", "ConflictError"),
        *("RateLimitedError", "UnavailableError"),
    },
    "AddTextDocument": {
        *("ValidationError", "NotFoundError", "ForbiddenError", "ConflictError"),
        *("RateLimitedError", "UnavailableError"),
    },
    "AddTextDocuments": {"ValidationError", "NotFoundError", "ForbiddenError", "UnavailableError"},
    "UpdateDocument": {"ValidationError", "NotFoundError", "ForbiddenError", "UnavailableError"},
    "DeleteDocument": {"ValidationError", "NotFoundError", "ForbiddenError"},
    "RetryDocument": {"ValidationError", "NotFoundError", "ForbiddenError", "ConflictError", "UnavailableError"},
    "CreateChatSession": {"ValidationError", "NotFoundError"},
    "UpdateChatSession": {"ValidationError", "NotFoundError", "ForbiddenError"},
    "DeleteChatSession": {"ValidationError", "NotFoundError", "ForbiddenError"},
    "SendMessage": {
        *("ValidationError", "NotFoundError", "ForbiddenError"),
        *("ConflictError", "UnavailableError", "RateLimitedError"),
    },
    "CancelAnswer": {"ValidationError", "NotFoundError", "ForbiddenError"},
    "RegenerateAnswer": {
        *("ValidationError", "NotFoundError", "ForbiddenError"),
        *("ConflictError", "UnavailableError", "RateLimitedError"),
    },
    "SelectBranch": {"ValidationError", "NotFoundError", "ForbiddenError"},
    "RateAnswer": {"ValidationError", "NotFoundError"},
    "WithdrawRating": {"ValidationError", "NotFoundError"},
    "RecordCitationOpened": {"ValidationError", "NotFoundError"},
    "Remember": {"ValidationError", "NotFoundError"},
    "Forget": {"ValidationError", "NotFoundError"},
    "SignIn": {"ValidationError", "RateLimitedError"},
    "CreateAccessToken": {"ValidationError"},
    "RevokeAccessToken": {"ValidationError", "NotFoundError"},
    "SetProjectMember": {"ValidationError", "NotFoundError", "ForbiddenError", "ConflictError"},
    "RemoveProjectMember": {"ValidationError", "NotFoundError", "ForbiddenError", "ConflictError"},
    "RedeemSetupToken": {"ValidationError"},
    "ChangePassword": {"ValidationError", "RateLimitedError"},
    "UpdateViewer": {"ValidationError"},
}


@pytest.fixture(scope="module")
def ours() -> GraphQLSchema:
    return build_schema(graphql.schema_text())


@pytest.fixture(scope="module")
def contract() -> GraphQLSchema:
    """The full contract, with the mutation results and one input that it only describes in a comment."""
    text = (ROOT / "tests/files/contract.graphql").read_text(encoding="utf-8")
    names = sorted(set(re.findall(r"(\w+)Result!", text)))
    unions = [f"union {name}Result = {name}Payload | ValidationError" for name in names]
    settings = text[text.index("input CreateChatSessionInput") : text.index("type CreateChatSessionPayload")]
    update = settings.replace("CreateChatSessionInput", "UpdateChatSessionInput").replace("projectId: ID!", "id: ID!")
    return build_schema("\n".join([text, *unions, update]))


def named(schema: GraphQLSchema) -> Iterator[GraphQLNamedType]:
    for kind in schema.type_map.values():
        if not kind.name.startswith("__") and not is_specified_scalar_type(kind):
            yield kind


def test_everything_is_described(ours: GraphQLSchema) -> None:
    missing: list[str] = []
    for kind in named(ours):
        places: dict[str, str | None] = {kind.name: kind.description}
        if isinstance(kind, GraphQLEnumType):
            places |= {f"{kind.name}.{name}": value.description for name, value in kind.values.items()}
        if isinstance(kind, GraphQLInputObjectType):
            places |= {f"{kind.name}.{name}": field.description for name, field in kind.fields.items()}
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            for name, field in kind.fields.items():
                places[f"{kind.name}.{name}"] = field.description
                for argument, value in field.args.items():
                    places[f"{kind.name}.{name}({argument})"] = value.description
        missing += [place for place, description in places.items() if not (description or "").strip()]
    assert not missing


def test_the_exported_schema_is_the_schema(ours: GraphQLSchema) -> None:
    exported = (ROOT / "schema.graphql").read_text(encoding="utf-8")
    assert exported == graphql.schema_text(), "write it anew: footnote export-schema > schema.graphql"
    assert ours.subscription_type is not None


def test_every_type_of_the_contract_is_there(ours: GraphQLSchema, contract: GraphQLSchema) -> None:
    wanted = {kind.name for kind in named(contract)}
    there = {kind.name for kind in named(ours)}
    results = {name for name in wanted if name.endswith("Result")}
    assert wanted - there - results == NOT_YET_TYPES
    assert there - wanted == ADDED_TYPES


def test_every_field_of_the_contract_is_there_with_its_type(ours: GraphQLSchema, contract: GraphQLSchema) -> None:
    missing: set[str] = set()
    wrong: list[str] = []
    for kind in named(contract):
        mine = ours.type_map.get(kind.name)
        if mine is None or isinstance(kind, GraphQLUnionType):
            continue
        wanted, found = signatures(kind), signatures(mine)
        missing |= wanted.keys() - found.keys()
        wrong += [
            f"{name}: {found[name]}, not {wanted[name]}"
            for name in wanted.keys() & found.keys()
            if found[name] != KINDER.get(name, wanted[name])
        ]
    assert missing == NOT_YET_FIELDS
    assert not wrong


def signatures(kind: GraphQLNamedType) -> dict[str, str]:
    """Every field, argument, input field, value and interface of a type, with its type and default."""
    found: dict[str, str] = {}
    if isinstance(kind, GraphQLEnumType):
        return {f"{kind.name}.{value}": "" for value in kind.values}
    if isinstance(kind, GraphQLInputObjectType):
        return {f"{kind.name}.{name}": f"{field.type} = {field.default_value}" for name, field in kind.fields.items()}
    if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
        found |= {f"{kind.name} implements {interface.name}": "" for interface in kind.interfaces}
        for name, field in kind.fields.items():
            found[f"{kind.name}.{name}"] = str(field.type)
            for argument, value in field.args.items():
                found[f"{kind.name}.{name}({argument})"] = f"{value.type} = {value.default_value}"
    return {
        name: text for name, text in found.items() if not any(name.startswith(f"{left}(") for left in NOT_YET_FIELDS)
    }


@pytest.mark.parametrize("mutation", RESULTS)
def test_every_result_has_its_members(ours: GraphQLSchema, mutation: str) -> None:
    union = cast("GraphQLUnionType", ours.type_map[f"{mutation}Result"])
    assert {member.name for member in union.types} == {f"{mutation}Payload"} | RESULTS[mutation]


def test_every_list_counts_in_the_cost(ours: GraphQLSchema) -> None:
    """The cost limits treat every field with a page size or ids as a list."""
    kinds = [kind for kind in named(ours) if isinstance(kind, GraphQLObjectType)]
    lists = {name for kind in kinds for name, field in kind.fields.items() if {"first", "ids"} & field.args.keys()}
    assert lists == operation_cost.LISTS
    of_no_page = [kind for kind in kinds if not kind.name.endswith("Connection")]
    whole = {name for kind in of_no_page for name, field in kind.fields.items() if str(field.type).startswith("[")}
    assert whole - operation_cost.LISTS == set(operation_cost.OTHER_LISTS)


async def test_introspection_passes_the_limits(client: Client, ours: GraphQLSchema) -> None:
    read = await client.run(get_introspection_query(descriptions=True, input_value_deprecation=True))
    assert {kind["name"] for kind in read["__schema"]["types"]} >= {kind.name for kind in named(ours)}
    assert print_type(ours.type_map["Project"])
