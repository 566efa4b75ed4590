"""Build Word documents, and archives from raw parts."""

import io
import zipfile
from collections.abc import Callable

import docx
import docx.document


def word(build: Callable[[docx.document.Document], object]) -> bytes:
    """A Word file by python-docx."""
    document = docx.Document()
    build(document)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def archive(parts: dict[str, bytes]) -> bytes:
    """A zip file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in parts.items():
            target.writestr(name, data)
    return file.getvalue()


def changed(file: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The same file with one part changed; a missing part counts as empty."""
    with zipfile.ZipFile(io.BytesIO(file)) as source:
        parts = {name: source.read(name) for name in source.namelist()}
    return archive({**parts, part: change(parts.get(part, b""))})
