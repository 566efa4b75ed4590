"""Say what is wrong with files and folders that cannot be ingested."""

from collections.abc import Sequence
from pathlib import Path

from app import errors
from app.cli.documents.files import SkippedFile, SkipReason, to_unicode
from app.knowledge import uploads
from app.knowledge.parsing import formats, refusals


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


def advise_on_skipped(skipped: Sequence[SkippedFile]) -> list[str]:
    """A sentence for each reason that the user can do something about."""
    reasons = {file.reason for file in skipped}
    advice = [refusals.picture_of_text().message] if SkipReason.PICTURE in reasons else []
    if SkipReason.SECRETS in reasons:
        advice.append("In folders, files that may hold passwords or private keys are skipped; to add one, name it.")
    return advice


def nothing_found(
    paths: Sequence[Path], unread: Sequence[OSError], skipped: Sequence[SkippedFile]
) -> errors.FootnoteError:
    """The error if there is no file to ingest in these places; some folders may be `unread`, and files `skipped`."""
    if unread:
        return errors.Conflict(f"{to_unicode(str(unread[0].filename))}: {describe_folder(unread[0])}")
    places = ", ".join(to_unicode(str(path)) for path in paths)
    if not skipped and not any(inside for path in paths for inside in path.iterdir()):
        return errors.Invalid.at("paths", "INVALID", f"{places} {'is' if len(paths) == 1 else 'are'} empty.")
    problem = f"Footnote found no document in {places} that it can read; it reads {formats.SUPPORTED_FORMATS}."
    return errors.Invalid.at("paths", "INVALID", " ".join([problem, *advise_on_skipped(skipped)]))
