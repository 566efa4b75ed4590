"""Recognize the text of pictures and scanned pages with Tesseract, if it is installed."""

import math
import os
import signal
import subprocess
from collections.abc import Callable
from types import ModuleType

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import processor_time, refusals
from app.knowledge.parsing.formats import Format, find_tesseract
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows
    resource = None

# Each language makes recognition slower.
_MAX_LANGUAGES = 4
_LIST_SECONDS = 10.0


def parse_picture(data: bytes, limits: ParsingLimits) -> ParsedDocument:
    """Parse a picture. Raises NO_TEXT_LAYER if Tesseract is not installed."""
    recognize = find_recognizer(limits)
    if recognize is None:
        raise refusals.picture_of_text()
    text = recognize(data)
    if not plain.has_text(text):
        raise refusals.no_text()
    return ParsedDocument(text, Format.PICTURE.media_type)


def find_recognizer(limits: ParsingLimits) -> Callable[[bytes], str] | None:
    """A function that returns the text of a picture, for the installed languages; None without Tesseract."""
    program = find_tesseract()
    if program is None:
        return None
    listed = _run([program, "--list-langs"], b"", _LIST_SECONDS).decode("utf-8", "replace").split("\n")[1:]
    named = [name.strip() for name in listed if name.strip() not in {"", "osd", "equ"}]
    languages = "+".join(sorted(named, key=lambda name: name != "eng")[:_MAX_LANGUAGES])

    def recognize(picture: bytes) -> str:
        command = [program, "stdin", "stdout", *(["-l", languages] if languages else [])]
        found = _run(command, picture, limits.page_seconds * 3)
        return plain.clean_text(found.decode("utf-8", "replace")).strip()

    return recognize


def _run(command: list[str], picture: bytes, seconds: float) -> bytes:
    """Run Tesseract and return its output. Raises BROKEN if it cannot read the picture, TIMEOUT if it takes too long.

    `seconds` are processor time, except on Windows.
    """
    most = math.ceil(seconds)

    def limit_time() -> None:
        # If the worker is killed, nothing else would end its children.
        if resource is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))

    try:
        with processor_time.count_programs():
            done = subprocess.run(  # noqa: S603
                command,
                input=picture,
                capture_output=True,
                check=True,
                timeout=processor_time.max_elapsed_seconds(seconds),
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
                preexec_fn=None if resource is None else limit_time,
            )
    except subprocess.TimeoutExpired as error:
        raise refusals.page_timed_out(seconds) from error
    except (subprocess.CalledProcessError, OSError) as error:
        if isinstance(error, subprocess.CalledProcessError) and error.returncode == -getattr(signal, "SIGXCPU", 0):
            raise refusals.page_timed_out(seconds) from error
        raise refusals.damaged_file(Format.PICTURE.noun) from error
    return done.stdout
