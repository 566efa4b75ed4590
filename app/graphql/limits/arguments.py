"""The bounds of all arguments: their contents and maximum sizes, checked before their values are used.

Some work is quadratic in the length of a text (normalizing 36,000 combining marks takes a second), so no text is
normalized, matched or looked up before its length is checked. Building a schema fails if an argument has no bound here.
"""

# graphql-core does not type what its wrapping types wrap.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, cast

from graphql import (
    GraphQLArgument,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    get_named_type,
)

from app import answer_options, errors, safe_text
from app.accounts import email_addresses, passwords, tokens
from app.answer_options import document_filter
from app.chat import feedback, memories, sessions, turn_limits
from app.chat.message_search import search as message_search
from app.database import pages
from app.graphql.errors import validation_error
from app.knowledge import library, uploads
from app.knowledge.ingestion import space_requests
from app.knowledge.projects import projects
from app.knowledge.search import hybrid

ID = 200
# A cursor contains a title in base64, with its control characters escaped.
CURSOR = 6000

# Inputs with answer options.
_SESSION_INPUTS = (
    "CreateChatSessionInput",
    "PreviewAnswerInput",
    "RegenerateAnswerInput",
    "SendMessageInput",
    "UpdateChatSessionInput",
)
_ANSWER_INPUTS = ("AnswerDefaultsInput", *_SESSION_INPUTS)
_CHARACTERS = {
    **{f"{name}.model": answer_options.MAX_MODEL for name in _ANSWER_INPUTS},
    **{f"{name}.systemPrompt": answer_options.MAX_SYSTEM_PROMPT for name in _ANSWER_INPUTS},
    "AddTextDocumentInput.idempotencyKey": uploads.MAX_LENGTHS["idempotency_key"],
    "AddTextDocumentInput.mediaType": uploads.MAX_LENGTHS["media_type"],
    "AddTextDocumentInput.source": uploads.MAX_LENGTHS["source"],
    "AddTextDocumentInput.text": None,  # limited by MAX_UPLOAD_BYTES and MAX_BODY_BYTES; it is only hashed and stored
    "AddTextDocumentInput.title": uploads.MAX_LENGTHS["title"],
    "AddTextDocumentInput.url": uploads.MAX_LENGTHS["url"],
    "ChangePasswordInput.currentPassword": passwords.MAX_LENGTH,
    "ChangePasswordInput.newPassword": passwords.MAX_LENGTH,
    "CreateAccessTokenInput.label": safe_text.MAX_NAME,
    "ChatSessionFilter.titleContains": sessions.MAX_TITLE,
    "CreateChatSessionInput.title": sessions.MAX_TITLE,
    "CreateProjectInput.description": projects.MAX_TEXT_LENGTH,
    "CreateProjectInput.name": safe_text.MAX_NAME,
    "DocumentFilter.titleContains": document_filter.MAX_TITLE,
    "PreviewAnswerInput.content": turn_limits.MAX_QUESTION,
    "PreviewAnswerInput.searchQuery": hybrid.MAX_QUERY_LENGTH,
    "RateAnswerInput.comment": feedback.MAX_COMMENT,
    "RedeemSetupTokenInput.token": tokens.MAX_LENGTH,
    "RegenerateAnswerInput.idempotencyKey": turn_limits.MAX_KEY,
    "RegenerateAnswerInput.searchQuery": hybrid.MAX_QUERY_LENGTH,
    "RememberInput.content": memories.MAX_CONTENT,
    "SearchMessagesInput.query": message_search.MAX_QUERY,
    "SearchInput.query": hybrid.MAX_QUERY_LENGTH,
    "SendMessageInput.content": turn_limits.MAX_QUESTION,
    "SendMessageInput.idempotencyKey": turn_limits.MAX_KEY,
    "SendMessageInput.searchQuery": hybrid.MAX_QUERY_LENGTH,
    "SetProjectMemberInput.email": email_addresses.MAX_EMAIL,
    "SignInInput.email": email_addresses.MAX_EMAIL,
    "SignInInput.password": passwords.MAX_LENGTH,
    "SwitchEmbeddingModelInput.model": space_requests.MAX_NAME_LENGTH,
    "TextDocumentInput.idempotencyKey": uploads.MAX_LENGTHS["idempotency_key"],
    "TextDocumentInput.mediaType": uploads.MAX_LENGTHS["media_type"],
    "TextDocumentInput.source": uploads.MAX_LENGTHS["source"],
    "TextDocumentInput.text": None,  # like AddTextDocumentInput.text
    "TextDocumentInput.title": uploads.MAX_LENGTHS["title"],
    "TextDocumentInput.url": uploads.MAX_LENGTHS["url"],
    "UpdateChatSessionInput.title": sessions.MAX_TITLE,
    "UpdateDocumentInput.title": uploads.MAX_LENGTHS["title"],
    "UpdateDocumentInput.url": uploads.MAX_LENGTHS["url"],
    "UpdateProjectInput.description": projects.MAX_TEXT_LENGTH,
    "UpdateProjectInput.name": safe_text.MAX_NAME,
    "UpdateProjectInput.noSourcesText": projects.MAX_TEXT_LENGTH,
    "UpdateProjectInput.rejectedText": projects.MAX_TEXT_LENGTH,
    "UpdateViewerInput.name": safe_text.MAX_NAME,
    "UpdateViewerInput.preferredModel": answer_options.MAX_MODEL,
    "UploadDocumentInput.idempotencyKey": uploads.MAX_LENGTHS["idempotency_key"],
    "UploadDocumentInput.source": uploads.MAX_LENGTHS["source"],
    "UploadDocumentInput.title": uploads.MAX_LENGTHS["title"],
    "UploadDocumentInput.url": uploads.MAX_LENGTHS["url"],
}
_ENTRIES = {
    "AddTextDocumentsInput.documents": library.MAX_ADDED_AT_ONCE,
    **{f"{name}.documentIds": answer_options.MAX_DOCUMENTS for name in _SESSION_INPUTS},
    "DocumentFilter.status": document_filter.MAX_STATUSES,
    "Query.nodes.ids": pages.MAX_SIZE,
    "SearchInput.documentIds": answer_options.MAX_DOCUMENTS,
}
_CURSORS = ("after", "before")
# Lists whose entries have results of their own: resolvers check each with `check_entry`, so that one refuses no others.
_CHECKED_ONE_BY_ONE = ("AddTextDocumentsInput.documents",)

# What JSON consists of, besides objects and lists. The values of enums may be texts to Python, too.
_PLAIN_JSON = (str, int, float, bool, type(None))

Resolve = Callable[..., Any]


def max_characters(place: str, kind: str) -> int | None:
    """The maximum length of an argument (`Query.search.after`) or input field (`SignInInput.email`); None: no limit."""
    if kind == "ID":
        return ID
    if kind == "JSON":
        return uploads.MAX_METADATA_LENGTH
    if place.rpartition(".")[2] in _CURSORS:
        return CURSOR
    return _CHARACTERS[place]


def max_entries(place: str) -> int:
    """The maximum number of entries in an argument or input field."""
    return _ENTRIES[place]


def check_entry(kind: str, values: Mapping[str, object]) -> None:
    """Check the texts and JSON values of one entry of a list. Raises Invalid."""
    for name, value in values.items():
        is_json = f"{kind}.{name}" not in _CHARACTERS  # which may be a text, too
        max_length = max_characters(f"{kind}.{name}", "JSON" if is_json else "String")
        if value is not None and (issue := _find_issue((name,), value, max_length, is_json=is_json)) is not None:
            raise errors.Invalid(issue)


def enforce_bounds(schema: GraphQLSchema) -> None:
    """Make every field check its arguments before it resolves, and add the bounds to the descriptions."""
    for kind in schema.type_map.values():
        if isinstance(kind, GraphQLInputObjectType):
            for name, of_input in kind.fields.items():
                _describe_bound(f"{kind.name}.{name}", of_input)
        elif isinstance(kind, GraphQLObjectType) and not kind.name.startswith("__"):
            for name, field in kind.fields.items():
                for argument, of_field in field.args.items():
                    _describe_bound(f"{kind.name}.{name}.{argument}", of_field)
                if field.args and field.subscribe is not None:
                    field.subscribe = _with_check(f"{kind.name}.{name}", field.args, field.subscribe, typed=False)
                elif field.args and field.resolve is not None:
                    typed = _returns_validation_error(field.type)
                    field.resolve = _with_check(f"{kind.name}.{name}", field.args, field.resolve, typed=typed)


def _with_check(place: str, arguments: Mapping[str, GraphQLArgument], resolve: Resolve, *, typed: bool) -> Resolve:
    """`resolve` after a check. `typed` means that a violation is a member of the result, not a top-level error."""

    @wraps(resolve)
    def check_and_resolve(source: Any, info: Any, **values: Any) -> Any:
        for name, argument in arguments.items():
            path = () if name == "input" else (name,)
            issue = next(_find_issues(f"{place}.{name}", argument.type, values.get(name), path), None)
            if issue is None:
                continue
            if typed:
                return validation_error(errors.Invalid(issue))
            raise errors.BadUserInput(".".join(issue.path), issue.message)
        return resolve(source, info, **values)

    return check_and_resolve


def _returns_validation_error(kind: Any) -> bool:
    result = get_named_type(kind)
    return isinstance(result, GraphQLUnionType) and any(member.name == "ValidationError" for member in result.types)


def _find_issues(place: str, kind: Any, value: Any, path: tuple[str, ...]) -> Iterator[errors.Issue]:
    kind = _without_non_null(kind)
    if value is None:
        return
    if isinstance(kind, GraphQLList):
        if len(value) > max_entries(place):
            message = f"`{path[-1]}` must have at most {max_entries(place):,} entries."
            yield errors.Issue(path, "TOO_LARGE", message)
        of_item: Any = kind.of_type
        for item in () if place in _CHECKED_ONE_BY_ONE else value:
            yield from _find_issues(place, of_item, item, path)
    elif isinstance(kind, GraphQLInputObjectType):
        for name, field in kind.fields.items():
            yield from _find_issues(f"{kind.name}.{name}", field.type, value.get(name), (*path, name))
    elif kind.name in ("String", "ID", "JSON"):
        issue = _find_issue(path, value, max_characters(place, kind.name), is_json=kind.name == "JSON")
        if issue is not None:
            yield issue


def _find_issue(path: tuple[str, ...], value: object, max_length: int | None, *, is_json: bool) -> errors.Issue | None:
    """What is wrong with a text or JSON value: more characters in all its texts and values than `max_length`, or NUL.

    In variables, U+0000 was replaced when their JSON was decoded; an operation's own text may have it as an escape.
    JSON that is written in the operation may also have variables of other types in it, whose values are not JSON.
    """
    count = 0
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        count += len(inner) if isinstance(inner, str) else 1
        if max_length is not None and count > max_length:
            code = "TOO_LARGE" if is_json else "TOO_LONG"
            return errors.Issue(path, code, f"`{path[-1]}` must have at most {max_length:,} characters.")
        if isinstance(inner, str) and "\0" in inner:
            return errors.Issue(path, "INVALID", f"`{path[-1]}` must not contain the character U+0000.")
        if isinstance(inner, dict):
            waiting += [*cast("dict[str, object]", inner), *cast("dict[str, object]", inner).values()]
        elif isinstance(inner, list):
            waiting += cast("list[object]", inner)
        elif is_json and type(inner) not in _PLAIN_JSON:
            message = f"`{path[-1]}` must be plain JSON: variables in it must not be dates, enum values or files."
            return errors.Issue(path, "INVALID", message)
    return None


def _without_non_null(kind: Any) -> Any:
    return kind.of_type if isinstance(kind, GraphQLNonNull) else kind


def _describe_bound(place: str, argument: GraphQLArgument | GraphQLInputField) -> None:
    """Add the bound to the description. Raises KeyError for an argument without a bound."""
    kind = _without_non_null(argument.type)
    if isinstance(kind, GraphQLList):
        bound = f"At most {max_entries(place):,} entries."
    else:
        name = kind.name
        max_length = max_characters(place, name) if name in ("String", "ID", "JSON") else None
        # Ids and cursors come from the server, so clients do not need to know their maximum length.
        is_described = max_length is not None and name != "ID" and max_length != CURSOR
        bound = f"At most {max_length:,} characters." if is_described else ""
    if bound:
        argument.description = f"{argument.description or ''} {bound}".strip()
