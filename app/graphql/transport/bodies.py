"""Read GraphQL operations from HTTP requests: from the URL, a JSON body, or a form with files."""

import json
from collections import defaultdict
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any, cast
from urllib.parse import quote, unquote

from cross_web import HTTPException
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from app import safe_text
from app.http import strict_json
from app.knowledge import uploads

MAX_FILES = 20
JSON = "application/json"
FORM = "multipart/form-data"

# Pages of other sites can send these without a CORS preflight, unless a header is required that forms cannot set.
_SIMPLE = ("multipart/form-data", "text/plain", "application/x-www-form-urlencoded")
_PROOFS = ("graphql-require-preflight", "apollo-require-preflight", "x-requested-with")
_UTF_8 = {"utf-8", "utf8"}
_PARTS = ("query", "variables", "operationName", "extensions", "documentId")


class _FormParser(MultiPartParser):
    """Keeps the bytes of fields: Starlette reads those that are not UTF-8 as Latin-1 (no upstream issue)."""

    def __init__(self, *arguments: Any, **limits: int) -> None:
        super().__init__(*arguments, **limits)
        self.fields = defaultdict[str, list[bytes]](list)

    def on_part_end(self) -> None:
        part = self._current_part
        if part.file is None:
            self.fields[part.field_name].append(bytes(part.data))
        else:
            super().on_part_end()


async def read_operation(request: Request, *, max_part_bytes: int) -> dict[str, Any]:
    """The parts of the operation in a request. Raises HTTPException for an invalid request."""
    if request.method == "GET":
        return _read_url(request)
    media_type, charsets = _content_type(request)
    if not charsets <= _UTF_8:
        raise HTTPException(415, "The request must be encoded in UTF-8.")
    if media_type == JSON:
        return _require_object(_decode_json(await request.body()))
    if media_type == FORM:
        return await _read_form(request, max_part_bytes)
    raise HTTPException(415, f"Send the request as {JSON}, or as {FORM} if it contains files.")


def media_type(request: Request) -> str:
    """The media type of the body, without its parameters."""
    return _content_type(request)[0]


def _content_type(request: Request) -> tuple[str, set[str]]:
    """The media type, and every encoding that is named: parsers of forms use the last, and some are slow to decode."""
    found, *parameters = request.headers.get("content-type", "").lower().split(";")
    pairs = [parameter.partition("=") for parameter in parameters]
    return found.strip(), {value.strip(' \t"') for name, _, value in pairs if name.strip() == "charset"}


def _read_url(request: Request) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name not in _PARTS:
            continue
        if name in found:
            raise HTTPException(400, f"`{name}` is given twice.")
        found[name] = value
    for name in ("variables", "extensions"):
        if name in found:
            found[name] = _decode_json(found[name]) if found[name] else None
    return found


async def _read_form(request: Request, max_part_bytes: int) -> dict[str, Any]:
    try:
        async with aclosing(request.stream()) as stream:
            limits = {"max_files": MAX_FILES, "max_fields": 2, "max_part_size": max_part_bytes}
            parser = _FormParser(request.headers, stream, **limits)
            form = request._form = await parser.parse()  # pyright: ignore[reportPrivateUsage] # `close` closes the files
    except MultiPartException as error:
        raise HTTPException(400, _describe_form_error(error)) from error
    except OSError as error:  # large files are spooled to the temporary folder
        raise HTTPException(507, f"The server has no room for files right now: {error.strerror}.") from error
    except (AttributeError, TypeError, ValueError, LookupError) as error:
        raise HTTPException(400, "This is not valid multipart/form-data.") from error
    operations = _require_object(_read_form_field(parser.fields, "operations"))
    files = _require_object(_read_form_field(parser.fields, "map"))
    sent = [(name, value) for name, value in form.multi_items() if isinstance(value, UploadFile)]
    if sorted(name for name, _ in sent) != sorted(files):
        raise HTTPException(400, "`map` must list exactly the files in the form.")
    for _, file in sent:
        file.filename = _decode_file_name(file.filename)
    for name, places in files.items():
        for place in _read_places(places):
            _place_file(operations, place, form[name])
    return operations


def _describe_form_error(error: MultiPartException) -> str:
    """Describe what is wrong with a form; only the cause of Starlette's own error says more than that it is invalid."""
    cause = error.__cause__
    if cause is None:
        return error.message
    if "header size" in str(cause):
        most = uploads.MAX_LENGTHS["name"]
        return f"A header of a part of the form is too long; the name of a file may have at most {most} characters."
    return f"This is not valid multipart/form-data: {cause}."


def _decode_file_name(name: str | None) -> str | None:
    """A file's name, decoded if all of it is percent-encoded, as by aiohttp and so by `gql` for Python."""
    decoded = unquote(name or "")
    return decoded if quote(decoded, safe="") == name else name


def _read_form_field(fields: Mapping[str, list[bytes]], name: str) -> object:
    found = fields.get(name, [])
    if len(found) != 1:
        raise HTTPException(400, f"The form must have exactly one field `{name}`, in JSON.")
    return _decode_json(found[0])


def _read_places(value: object) -> list[str]:
    places = cast("list[object]", value) if isinstance(value, list) else []
    if not places or not all(isinstance(place, str) for place in places):
        raise HTTPException(400, '`map` must list the places of each file: {"0": ["variables.input.file"]}.')
    return cast("list[str]", places)


def _place_file(operations: dict[str, Any], place: str, file: object) -> None:
    """Put a file where `place` has a null. Raises HTTPException."""
    steps = place.split(".")
    within: Any = operations
    try:
        if steps[0] != "variables":
            raise LookupError(place)
        for step in steps[:-1]:
            within = within[_step_key(within, step)]
        key = _step_key(within, steps[-1])
        if within[key] is not None:
            raise LookupError(place)
    except (LookupError, TypeError, ValueError) as error:
        raise HTTPException(
            400, f"The operation must have null at {safe_text.quote(place)}, where `map` puts a file."
        ) from error
    within[key] = file


def _step_key(within: object, step: str) -> str | int:
    if isinstance(within, list):
        if not step.isdecimal():
            raise LookupError(step)
        return int(step[:9])
    return step


def _decode_json(data: str | bytes) -> object:
    try:
        return strict_json.decode(data)
    except json.JSONDecodeError as error:
        raise HTTPException(400, f"This is not JSON: {error.msg}.") from error


def _require_object(value: object) -> dict[str, Any]:
    if isinstance(value, list):
        raise HTTPException(400, "Send one operation at a time.")
    if not isinstance(value, dict):
        raise HTTPException(400, "The request must be a JSON object.")
    return value  # pyright: ignore[reportUnknownVariableType]


def check_part_types(operation: Mapping[str, Any]) -> None:
    """Raises HTTPException 400 if a part has the wrong type."""
    for name, kind, what in (
        ("query", str, "a string"),
        ("operationName", str, "a string"),
        ("documentId", str, "a string"),
        ("variables", dict, "an object"),
        ("extensions", dict, "an object"),
    ):
        if not isinstance(operation.get(name), kind | None):
            raise HTTPException(400, f"`{name}` must be {what} or null.")


def refuse_cross_site(request: Request) -> None:
    """Raises HTTPException for a request that a page of another site could have sent without a preflight."""
    simple = request.method == "POST" and media_type(request) in _SIMPLE
    if simple and not any(proof in request.headers for proof in _PROOFS):
        raise HTTPException(
            403,
            "Send JSON with the header `Content-Type: application/json`. Forms and plain text could be sent "
            "by another site: they need the header `GraphQL-Require-Preflight: 1`.",
        )
