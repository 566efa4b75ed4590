"""Errors for documents that cannot be read, each with the message that users see.

UNSUPPORTED    not in a supported format
EMPTY          no text in it
BROKEN         damaged, or not what it claims to be
CRASHED        the worker that read it crashed
ENCRYPTED      a password or a certificate is needed
NO_TEXT_LAYER  a picture or a PDF of pictures, and no text recognition is installed
TOO_LARGE      more pages, text, elements, headings, cells or unpacked data than the limits allow
TIMEOUT        reading took too long
OUT_OF_MEMORY  reading took too much memory
"""

from typing import Final

from app.errors import DocumentError
from app.knowledge.parsing.formats import SUPPORTED_FORMATS

PERMANENT_REASONS: Final = frozenset({"UNSUPPORTED", "EMPTY", "BROKEN", "ENCRYPTED"})
"""Reading the same file again fails again, even with other limits, more memory or other programs on the server."""


def unsupported_format(what: str, advice: str = "") -> DocumentError:
    """`what` names the files, in the plural; `advice` says what to do instead, behind a semicolon."""
    return DocumentError("UNSUPPORTED", f"{what} cannot be read{advice}. Footnote reads {SUPPORTED_FORMATS}.")


def nested_archive() -> DocumentError:
    """An archive inside another file, or a message inside too many others."""
    return DocumentError(
        "UNSUPPORTED", "An archive inside another file is not read; unpack it and upload the files in it."
    )


def secret_file() -> DocumentError:
    """A file in an archive that may hold passwords or keys."""
    return DocumentError(
        "UNSUPPORTED", "Files that may hold passwords or private keys are not read from archives; upload them alone."
    )


def no_text() -> DocumentError:
    """The file contains no text."""
    return DocumentError("EMPTY", "This document contains no text; check that it is the right file.")


def damaged_file(noun: str = "file") -> DocumentError:
    """`noun` says what kind of file it is."""
    return DocumentError(
        "BROKEN",
        f"This {noun} is damaged or incomplete; open it in the program that made it, save it again and upload the new "
        "file.",
    )


def encrypted_file(noun: str) -> DocumentError:
    """`noun` says what kind of file it is."""
    return DocumentError(
        "ENCRYPTED",
        f"This {noun} is protected by a password or a certificate; remove the protection and upload it again.",
    )


def no_text_layer() -> DocumentError:
    """The pages are only images of text."""
    return DocumentError(
        "NO_TEXT_LAYER",
        "This PDF contains no readable text, only pictures of pages; run text recognition (OCR) on it first, or "
        "install Tesseract on the server and retry.",
    )


def picture_of_text() -> DocumentError:
    """A picture, and no text recognition is installed."""
    return DocumentError(
        "NO_TEXT_LAYER", "The text of pictures can be read only where Tesseract is installed on the server."
    )


def too_many_pages(pages: int, limit: int) -> DocumentError:
    """More pages than `limit`."""
    return DocumentError(
        "TOO_LARGE", f"This document has {pages:,} pages but at most {limit:,} are allowed; upload it in parts."
    )


def too_much_text(limit: int) -> DocumentError:
    """More characters than `limit`."""
    return DocumentError(
        "TOO_LARGE", f"This document contains more than {limit:,} characters of text; upload it in parts."
    )


def too_many(what: str, limit: int) -> DocumentError:
    """More of something than `limit`; `what` names it in the plural."""
    return DocumentError("TOO_LARGE", f"This document contains more than {limit:,} {what}; upload it in parts.")


def nested_too_deep(limit: int) -> DocumentError:
    """A page has elements nested deeper than `limit`, or too many deeply nested ones."""
    return DocumentError(
        "TOO_LARGE",
        f"The elements of this page are nested too deeply (at most {limit:,}, fewer where there are many); upload its "
        "text instead.",
    )


def unpacks_too_large(noun: str) -> DocumentError:
    """A small archive that expands to a huge size; `noun` says what kind of file it is."""
    return DocumentError(
        "TOO_LARGE", f"This {noun} unpacks to far more data than is allowed; save it again without large contents."
    )


def reading_timed_out(seconds: float) -> DocumentError:
    """The worker was killed when its time was up."""
    return DocumentError(
        "TIMEOUT", f"Reading this document takes more than {seconds:g} seconds; upload it in parts or as plain text."
    )


def page_timed_out(seconds: float) -> DocumentError:
    """The worker was killed because of one page, such as one with a very large or recursive drawing."""
    return DocumentError(
        "TIMEOUT",
        f"A page of this document takes more than {seconds:g} seconds to read; save it again without large drawings, "
        "or upload its text.",
    )


def out_of_memory() -> DocumentError:
    """The worker reached its memory limit."""
    return DocumentError(
        "OUT_OF_MEMORY", "Reading this document takes too much memory; upload it in parts or as plain text."
    )


def worker_crashed() -> DocumentError:
    """The worker crashed in native code, by a fault or for lack of memory."""
    return DocumentError(
        "CRASHED",
        "Reading this document crashed; retry, and if it fails again, save it again in the program that made it or "
        "upload it as text.",
    )
