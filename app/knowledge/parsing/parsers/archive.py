"""Parse ZIP archives: the files in them, each under its name."""

import io
import zipfile

from app.errors import DocumentError
from app.knowledge import secret_files
from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers.mail.attached import ParsePart
from app.knowledge.parsing.parsers.office import archive_limits
from app.knowledge.parsing.parsers.office.package import PARSE_ERRORS
from app.knowledge.parsing.parsers.parts import PartJoiner

_LONGEST_LIST = 2_000


def parse_archive(data: bytes, limits: ParsingLimits, parse_part: ParsePart) -> ParsedDocument:
    """Parse an archive. Unreadable files are listed at the end; if all are unreadable, the first one's error is raised.

    Hidden files are skipped, and those that may hold secrets are not read, as in folders.
    """
    joiner = PartJoiner(limits)
    refused: list[tuple[str, DocumentError]] = []
    read = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            archive_limits.check_archive(archive, Format.ZIP.noun, max_elements=None)
            for member in sorted(archive.infolist(), key=lambda member: member.filename):
                name = member.filename.replace("\\", "/")
                hidden = any(part.startswith((".", "__MACOSX")) for part in name.split("/"))
                if member.is_dir() or hidden or not member.file_size:
                    continue
                try:
                    part = _parse_member(archive.read(member), name, joiner.limits, parse_part)
                except DocumentError as error:
                    if error.reason == "TOO_LARGE":
                        raise
                    refused.append((name, error))
                else:
                    joiner.add_part(part, name)
                    read += 1
    except PARSE_ERRORS as error:
        raise refusals.damaged_file(Format.ZIP.noun) from error
    if refused and not read:
        raise refused[0][1]
    if refused:
        listed = "; ".join(name for name, _ in refused)[:_LONGEST_LIST]
        joiner.add_part(ParsedDocument(f"Files that were not read: {listed}", Format.ZIP.media_type), "Other files")
    return joiner.to_document(Format.ZIP.media_type, None)


def _parse_member(data: bytes, name: str, limits: ParsingLimits, parse_part: ParsePart) -> ParsedDocument:
    if secret_files.is_secret_name(name) or secret_files.begins_as_key(data):
        raise refusals.secret_file()
    return parse_part(data, name, None, limits)
