"""Limits on archives, including office files made of XML parts: files, size, compression, elements."""

import zipfile
import zlib

from app.knowledge.parsing import refusals

_MAX_FILES = 20_000
_MAX_UNPACKED = 512 << 20
_MAX_XML = 128 << 20
_SUSPICIOUS = 16 << 20  # the size from which the compression ratio is checked
_RATIO = 150  # the highest ratio allowed from that size on


def check_archive(archive: zipfile.ZipFile, noun: str, *, max_elements: int | None) -> None:
    """Raise TOO_LARGE, ENCRYPTED or BROKEN for an archive that must not be read; `noun` says what kind of file it is.

    Unpacks each part once, piece by piece, before any is kept in memory, because declared sizes may be wrong. A parsed
    tree takes a hundred times the memory of its tags, so tags are counted before parsing, unless the parts are files
    with their own limits (`max_elements` is None).
    """
    parts = archive.infolist()
    if len(parts) > _MAX_FILES or sum(part.file_size for part in parts) > _MAX_UNPACKED:
        raise refusals.unpacks_too_large(noun)
    unpacked = elements = 0
    for part in parts:
        if part.flag_bits & 1:
            raise refusals.encrypted_file(noun)
        size, tags = _unpacked_size(archive, part, noun)
        unpacked += size
        is_xml = part.filename.lower().endswith((".xml", ".rels"))
        is_tight = size > _SUSPICIOUS and size > _RATIO * max(1, part.compress_size)
        elements += tags if is_xml else 0
        if max_elements is not None and elements > max_elements:
            raise refusals.too_many("elements", max_elements)
        if unpacked > _MAX_UNPACKED or (is_xml and max_elements is not None and size > _MAX_XML) or is_tight:
            raise refusals.unpacks_too_large(noun)


def _unpacked_size(archive: zipfile.ZipFile, part: zipfile.ZipInfo, noun: str) -> tuple[int, int]:
    """The unpacked size of a part, and its number of opening tags."""
    size = tags = 0
    try:
        with archive.open(part) as stream:
            while piece := stream.read(1 << 18):
                size += len(piece)
                tags += piece.count(b"<") - piece.count(b"</")
                if size > _MAX_UNPACKED:
                    break
    except (zlib.error, EOFError, NotImplementedError, OSError) as error:
        raise refusals.damaged_file(noun) from error
    return size, tags
