"""The most that each argument may hold, checked before anything else looks at its value.

Some work grows with the square of a text (normalising combining marks takes a second for 36,000 of them), so no text is
normalised, matched or looked up before its length is known. A schema with an argument that has no bound here is not
built.
"""

# graphql-core's wrapping types do not say what they wrap.
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

from app import answer_options, errors, language
from app.accounts import email_addresses, passwords, tokens
from app.chat import memories, sessions, turn_store
from app.database import pages
from app.graphql.errors import validation_error
from app.knowledge import projects, uploads
from app.knowledge.search import hybrid

ID = 200
# A cursor holds a title in base64, with an escape for each control character in it.
CURSOR = 6000

# Inputs that say how answers are given.
_OF_SESSIONS = ("CreateChatSessionInput", "PreviewAnswerInput", "SendMessageInput", "UpdateChatSessionInput")
_OF_ANSWERS = ("AnswerDefaultsInput", *_OF_SESSIONS)
_CHARACTERS = {
    **{f"{name}.model": answer_options.MAX_MODEL for name in _OF_ANSWERS},
    **{f"{name}.systemPrompt": answer_options.MAX_SYSTEM_PROMPT for name in _OF_ANSWERS},
    "AddTextDocumentInput.idempotencyKey": uploads.MAX_LENGTHS["idempotency_key"],
    "AddTextDocumentInput.mediaType": uploads.MAX_LENGTHS["media_type"],
    "AddTextDocumentInput.source": uploads.MAX_LENGTHS["source"],
    "AddTextDocumentInput.text": None,  # MAX_UPLOAD_BYTES and MAX_BODY_BYTES bound it; nothing but a digest reads it
    "AddTextDocumentInput.title": uploads.MAX_LENGTHS["title"],
    "AddTextDocumentInput.url": uploads.MAX_LENGTHS["url"],
    "ChangePasswordInput.currentPassword": passwords.MOST,
    "ChangePasswordInput.newPassword": passwords.MOST,
    "CreateAccessTokenInput.label": language.MAX_NAME,
    "CreateChatSessionInput.title": sessions.MAX_TITLE,
    "CreateProjectInput.description": projects.MAX_TEXT_LENGTH,
    "CreateProjectInput.name": language.MAX_NAME,
    "DocumentFilter.titleContains": uploads.MAX_LENGTHS["title"],
    "PreviewAnswerInput.content": turn_store.MAX_QUESTION,
    "PreviewAnswerInput.searchQuery": hybrid.MAX_QUERY_LENGTH,
    "RedeemSetupTokenInput.token": tokens.MAX_LENGTH,
    "RegenerateAnswerInput.idempotencyKey": turn_store.MAX_KEY,
    "RememberInput.content": memories.MAX_CONTENT,
    "SearchInput.query": hybrid.MAX_QUERY_LENGTH,
    "SendMessageInput.content": turn_store.MAX_QUESTION,
    "SendMessageInput.idempotencyKey": turn_store.MAX_KEY,
    "SendMessageInput.searchQuery": hybrid.MAX_QUERY_LENGTH,
    "SetProjectMemberInput.email": email_addresses.MAX_EMAIL,
    "SignInInput.email": email_addresses.MAX_EMAIL,
    "SignInInput.password": passwords.MOST,
    "UpdateChatSessionInput.title": sessions.MAX_TITLE,
    "UpdateDocumentInput.title": uploads.MAX_LENGTHS["title"],
    "UpdateDocumentInput.url": uploads.MAX_LENGTHS["url"],
    "UpdateProjectInput.description": projects.MAX_TEXT_LENGTH,
    "UpdateProjectInput.name": language.MAX_NAME,
    "UpdateProjectInput.noSourcesText": projects.MAX_TEXT_LENGTH,
    "UpdateProjectInput.rejectedText": projects.MAX_TEXT_LENGTH,
    "UpdateViewerInput.name": language.MAX_NAME,
    "UpdateViewerInput.preferredModel": answer_options.MAX_MODEL,
    "UploadDocumentInput.idempotencyKey": uploads.MAX_LENGTHS["idempotency_key"],
    "UploadDocumentInput.source": uploads.MAX_LENGTHS["source"],
    "UploadDocumentInput.title": uploads.MAX_LENGTHS["title"],
    "UploadDocumentInput.url": uploads.MAX_LENGTHS["url"],
}
_ENTRIES = {
    **{f"{name}.documentIds": answer_options.MAX_DOCUMENTS for name in _OF_SESSIONS},
    "DocumentFilter.status": 100,
    "Query.nodes.ids": pages.MAX_SIZE,
    "SearchInput.documentIds": answer_options.MAX_DOCUMENTS,
}
_CURSORS = ("after", "before")

Resolve = Callable[..., Any]


def characters(place: str, kind: str) -> int | None:
    """The longest text of an argument (`Query.search.after`) or input field (`SignInInput.email`); None: unbounded."""
    if kind == "ID":
        return ID
    if kind == "JSON":
        return uploads.MAX_METADATA_BYTES
    if place.rpartition(".")[2] in _CURSORS:
        return CURSOR
    return _CHARACTERS[place]


def entries(place: str) -> int:
    """The longest list of an argument or input field."""
    return _ENTRIES[place]


def enforce(schema: GraphQLSchema) -> None:
    """Check all arguments first, wherever a field has any, and say the bounds in their descriptions."""
    for kind in schema.type_map.values():
        if isinstance(kind, GraphQLInputObjectType):
            for name, of_input in kind.fields.items():
                _describe(f"{kind.name}.{name}", of_input)
        elif isinstance(kind, GraphQLObjectType) and not kind.name.startswith("__"):
            for name, field in kind.fields.items():
                for argument, of_field in field.args.items():
                    _describe(f"{kind.name}.{name}.{argument}", of_field)
                if field.args and field.subscribe is not None:
                    field.subscribe = _checked(f"{kind.name}.{name}", field.args, field.subscribe, typed=False)
                elif field.args and field.resolve is not None:
                    typed = _tells_issues(field.type)
                    field.resolve = _checked(f"{kind.name}.{name}", field.args, field.resolve, typed=typed)


def _checked(place: str, arguments: Mapping[str, GraphQLArgument], resolve: Resolve, *, typed: bool) -> Resolve:
    """`resolve`, after a check. `typed`: what is too long is a member of the result, else an error beside it."""

    @wraps(resolve)
    def checked(source: Any, info: Any, **given: Any) -> Any:
        for name, argument in arguments.items():
            path = () if name == "input" else (name,)
            issue = next(_issues(f"{place}.{name}", argument.type, given.get(name), path), None)
            if issue is None:
                continue
            if typed:
                return validation_error(errors.Invalid(issue))
            raise errors.BadUserInput(".".join(issue.path), issue.message)
        return resolve(source, info, **given)

    return checked


def _tells_issues(kind: Any) -> bool:
    result = get_named_type(kind)
    return isinstance(result, GraphQLUnionType) and any(member.name == "ValidationError" for member in result.types)


def _issues(place: str, kind: Any, value: Any, path: tuple[str, ...]) -> Iterator[errors.Issue]:
    kind = _nullable(kind)
    if value is None:
        return
    if isinstance(kind, GraphQLList):
        if len(value) > entries(place):
            message = f"`{path[-1]}` has at most {entries(place):,} entries."
            yield errors.Issue(path, "TOO_LARGE", message)
        of_item: Any = kind.of_type
        for item in value:
            yield from _issues(place, of_item, item, path)
    elif isinstance(kind, GraphQLInputObjectType):
        for name, field in kind.fields.items():
            yield from _issues(f"{kind.name}.{name}", field.type, value.get(name), (*path, name))
    elif kind.name in ("String", "ID", "JSON"):
        most = characters(place, kind.name)
        if most is not None and _exceeds(value, most):
            code = "TOO_LARGE" if kind.name == "JSON" else "TOO_LONG"
            yield errors.Issue(path, code, f"`{path[-1]}` has at most {most:,} characters.")


def _exceeds(value: object, most: int) -> bool:
    """Whether a value has more characters, all texts in it and one for each value taken together."""
    count = 0
    waiting = [value]
    while waiting and count <= most:
        inner = waiting.pop()
        if isinstance(inner, str):
            count += len(inner)
            continue
        count += 1
        if isinstance(inner, dict):
            waiting += [*cast("dict[str, object]", inner), *cast("dict[str, object]", inner).values()]
        elif isinstance(inner, list):
            waiting += cast("list[object]", inner)
    return count > most


def _nullable(kind: Any) -> Any:
    return kind.of_type if isinstance(kind, GraphQLNonNull) else kind


def _describe(place: str, argument: GraphQLArgument | GraphQLInputField) -> None:
    """Add the bound to the description. Raises KeyError for an argument without one."""
    kind = _nullable(argument.type)
    if isinstance(kind, GraphQLList):
        said = f"At most {entries(place):,} entries."
    else:
        name = kind.name
        most = characters(place, name) if name in ("String", "ID", "JSON") else None
        # Ids and cursors are the server's own: nobody has to know how long they may be.
        said = f"At most {most:,} characters." if most is not None and name != "ID" and most != CURSOR else ""
    if said:
        argument.description = f"{argument.description or ''} {said}".strip()
