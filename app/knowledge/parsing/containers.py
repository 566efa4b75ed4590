"""Detect the format of container files: ZIP archives, and files of old office programs (OLE)."""

import io
import zipfile
import zlib

from app.errors import DocumentError
from app.knowledge.parsing import ole, refusals
from app.knowledge.parsing.formats import Format

OLD_OFFICE_SUFFIXES = frozenset({".doc", ".dot", ".ppt", ".pps", ".pot", ".pub", ".vsd", ".mpp"})

_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument."
_OPEN_DOCUMENTS = {b"text": Format.ODT, b"spreadsheet": Format.ODS, b"presentation": Format.ODP}
_OFFICE = {"word": Format.DOCX, "ppt": Format.PPTX, "xl": Format.XLSX}
# Looked up by name, because listing the streams of a damaged file may never end.
_OLE_STREAMS = ("encryptedpackage", "workbook", "book", "__properties_version1.0")
_LONGEST_MIMETYPE = 200
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    ValueError,
    NotImplementedError,
    UnicodeDecodeError,
    OverflowError,
    KeyError,
    EOFError,
    RuntimeError,  # encrypted
    zlib.error,
)


def sniff_archive(data: bytes, suffix: str) -> Format:
    """The format of a ZIP archive, by its file names. Raises BROKEN and UNSUPPORTED."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = {name.replace("\\", "/") for name in archive.namelist()}  # from Windows programs
            kind = b""
            if "mimetype" in names:
                with archive.open("mimetype") as file:
                    kind = file.read(_LONGEST_MIMETYPE).strip()
    except _ZIP_ERRORS as error:
        raise refusals.damaged_file() from error
    folders = {name.partition("/")[0] for name in names if "/" in name}
    if "[Content_Types].xml" in names:
        for folder, found in _OFFICE.items():
            if folder in folders:
                return found
    if kind.startswith(_OPEN_DOCUMENT):
        return _sniff_open_document(kind.removeprefix(_OPEN_DOCUMENT))
    if kind == b"application/epub+zip" or "META-INF/container.xml" in names:
        return Format.EPUB
    if any(name.endswith(".iwa") for name in names):
        raise refusals.unsupported_format("Files of Pages, Numbers and Keynote", "; save them as .docx, .xlsx or PDF")
    claimed = next((each for each in Format if each.is_binary and suffix in each.suffixes), Format.ZIP)
    if claimed is not Format.ZIP:
        raise refusals.damaged_file(claimed.noun)
    return Format.ZIP


def _sniff_open_document(kind: bytes) -> Format:
    for name, found in _OPEN_DOCUMENTS.items():
        if kind in {name, name + b"-template"}:
            return found
    raise refusals.unsupported_format("OpenDocument drawings and databases", "; save them as PDF")


def sniff_ole(data: bytes, suffix: str) -> Format:
    """The format of a file of an old office program. Raises ENCRYPTED, BROKEN and UNSUPPORTED."""
    try:
        file = ole.open_ole(data)
        names = {name for name in _OLE_STREAMS if file.exists(name)}
    except ole.ERRORS as error:
        raise _refuse_damaged(data, suffix) from error
    if "encryptedpackage" in names:
        raise refusals.encrypted_file("Office file")
    if names & {"workbook", "book"}:
        return Format.XLS
    if "__properties_version1.0" in names:
        return Format.MSG
    raise _refuse_damaged(data, suffix)


def _refuse_damaged(data: bytes, suffix: str) -> DocumentError:
    if _ENCRYPTED_PACKAGE in data:
        return refusals.encrypted_file("Office file")
    if suffix in Format.XLS.suffixes | Format.MSG.suffixes:
        return refusals.damaged_file((Format.XLS if suffix in Format.XLS.suffixes else Format.MSG).noun)
    return unsupported_old_format()


def unsupported_old_format() -> DocumentError:
    """The error for Word and PowerPoint formats from before 2007."""
    return refusals.unsupported_format("Files of old Office formats (.doc, .ppt)", "; save them as .docx or PDF")
