"""Say what is wrong with files and folders that cannot be ingested."""

from collections.abc import Sequence
from pathlib import Path

from app import errors
from app.cli.documents.files import to_unicode
from app.knowledge import uploads
from app.knowledge.parsing import formats


def describe_refusal(error: errors.Invalid) -> str:
    """Why a file was refused, with a code, as documents have one that fail when they are read."""
    code = error.issues[0].code
    return f"{error.message} ({'EMPTY' if code == 'REQUIRED' else code})"


def describe_unreadable(error: OSError | uploads.ContentChanged) -> str:
    """Why a file cannot be read."""
    return f"The file cannot be read: {error.strerror}." if isinstance(error, OSError) else error.message


def describe_folder(error: OSError) -> str:
    """Why a folder cannot be read."""
    return f"The folder cannot be read: {error.strerror}."


def nothing_found(paths: Sequence[Path], unread: Sequence[OSError]) -> errors.FootnoteError:
    """The error if there is no file to ingest in these folders, some of which may be `unread`."""
    if unread:
        return errors.Conflict(f"{to_unicode(str(unread[0].filename))}: {describe_folder(unread[0])}")
    places = ", ".join(to_unicode(str(path)) for path in paths)
    if not any(inside for path in paths for inside in path.iterdir()):
        return errors.Invalid.at("paths", "INVALID", f"{places} {'is' if len(paths) == 1 else 'are'} empty.")
    return errors.Invalid.at(
        "paths",
        "INVALID",
        f"Footnote found no document in {places} that it can read; it reads {formats.SUPPORTED_FORMATS}.",
    )
