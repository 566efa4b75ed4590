"""Persisted and trusted documents: requests refer to their document by id instead of sending it.

Automatic persisted queries follow Apollo's protocol: a client sends only the SHA-256 of its document, and sends the
text too if the server answers PersistedQueryNotFound. Trusted documents are known from the start, under any id.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from graphql import GraphQLError, GraphQLSyntaxError, parse

from app import errors, safe_text

_NONE: Mapping[str, str] = MappingProxyType({})
_SHAPES = "Expected a JSON object of ids and documents, or a manifest as written by Apollo's or Relay's tools."


class PersistedDocuments:
    """Documents by id: the trusted ones, and the most recent valid ones that clients have sent."""

    def __init__(
        self,
        *,
        automatic: bool = True,
        trusted: Mapping[str, str] = _NONE,
        trusted_only: bool = False,
        count: int = 1000,
        max_bytes: int = 5_000_000,
    ) -> None:
        self._automatic = automatic
        self._trusted = trusted
        self._trusted_texts = frozenset(trusted.values())
        self._trusted_only = trusted_only
        self._count = count
        self._max_bytes = max_bytes
        self._stored: OrderedDict[str, str] = OrderedDict()
        self._bytes = 0

    def find_document(self, query: str | None, extensions: Mapping[str, Any] | None) -> str | None:
        """The document of a request, or None if it has none. Raises GraphQLError."""
        id = _read_document_id(extensions)
        trusted = self._trusted.get(id) if id else None
        if trusted is not None:
            if query and query != trusted:
                raise _request_error("The document does not match this id.", "BAD_USER_INPUT")
            return trusted
        if self._trusted_only and query not in self._trusted_texts and (query or id):
            raise _request_error("This server runs only trusted documents (TRUSTED_DOCUMENTS_ONLY).", "FORBIDDEN")
        if id is None or (query and not self._automatic):
            return query
        if not self._automatic:
            raise _request_error("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED")
        return self._find_automatic(query, id)

    def _find_automatic(self, query: str | None, id: str) -> str:
        if query:
            if _sha256(query) != id:
                raise _request_error("`sha256Hash` is not the SHA-256 of the document.", "BAD_USER_INPUT")
            return query
        text = self._stored.get(id)
        if text is None:
            raise _request_error("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
        self._stored.move_to_end(id)
        return text

    def remember_document(self, query: str, extensions: Mapping[str, Any] | None) -> None:
        """Store a valid document if the request names its hash. Drops the oldest ones if there are too many."""
        id = _read_document_id(extensions)
        if id is None or not self._automatic or id in self._stored or id in self._trusted:
            return
        self._stored[id] = query
        self._bytes += len(query.encode())
        while len(self._stored) > self._count or self._bytes > self._max_bytes:
            _, oldest = self._stored.popitem(last=False)
            self._bytes -= len(oldest.encode())


def read_extensions(request: Mapping[str, Any]) -> Any:
    """The `extensions` of a request. A `documentId` (a draft of the specification) is treated like Apollo's hash."""
    extensions, id = request.get("extensions"), request.get("documentId")
    if id is None or not isinstance(extensions, dict | None):
        return extensions
    return {**(extensions or {}), "persistedQuery": {"version": 1, "sha256Hash": id}}  # pyright: ignore[reportUnknownVariableType]


def read_manifest(path: str) -> dict[str, str]:
    """Read the trusted documents of a file: id → text. Raises StartError."""
    try:
        manifest = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise _manifest_error(path, error.strerror or "it cannot be read") from error
    except (ValueError, RecursionError) as error:
        raise _manifest_error(path, f"it is not JSON. {_SHAPES}") from error
    if not isinstance(manifest, dict):
        raise _manifest_error(path, f"it is not an object. {_SHAPES}")
    entries = cast("dict[str, Any]", manifest)
    if isinstance(entries.get("operations"), list):
        pairs = [_read_apollo_entry(path, operation) for operation in entries["operations"]]
    else:
        pairs = [(id, _read_source(entry)) for id, entry in entries.items()]
    found: dict[str, str] = {}
    for id, text in pairs:
        if not isinstance(id, str) or not isinstance(text, str):
            raise _manifest_error(path, f"{safe_text.quote(str(id), 80)} is not an id with a document. {_SHAPES}")
        found[_without_prefix(id)] = _check_syntax(path, id, text)
    return found


def _read_apollo_entry(path: str, operation: object) -> tuple[Any, Any]:
    if not isinstance(operation, dict):
        raise _manifest_error(path, f"`operations` contains something that is not an operation. {_SHAPES}")
    described = cast("dict[str, Any]", operation)
    return described.get("id"), described.get("body")


def _read_source(entry: object) -> Any:
    """The document of an entry. Older Apollo tools write an object with the document as `source`."""
    return cast("dict[str, Any]", entry).get("source") if isinstance(entry, dict) else entry


def _check_syntax(path: str, id: str, text: str) -> str:
    try:
        parse(text, no_location=True)
    except GraphQLSyntaxError as error:
        raise _manifest_error(path, f"the document {safe_text.quote(id, 80)} has an error: {error.message}") from error
    return text


def _manifest_error(path: str, problem: str) -> errors.StartError:
    return errors.StartError(f"{safe_text.show_setting('TRUSTED_DOCUMENTS', path)} cannot be used: {problem}")


def _read_document_id(extensions: Mapping[str, Any] | None) -> str | None:
    """The document id in the extensions of a request. Raises GraphQLError if it is malformed."""
    named = (extensions or {}).get("persistedQuery")
    if named is None:
        return None
    id: Any = named.get("sha256Hash") if isinstance(named, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if not isinstance(id, str) or not id or named.get("version", 1) != 1:  # pyright: ignore[reportUnknownMemberType]
        raise _request_error('`persistedQuery` must be {"version": 1, "sha256Hash": "…"}.', "BAD_USER_INPUT")
    return _without_prefix(id)


def _without_prefix(id: str) -> str:
    return id.removeprefix("sha256:")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _request_error(message: str, code: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": code})
