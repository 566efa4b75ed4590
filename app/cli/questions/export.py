"""`footnote export`: print a conversation, or write those of a project to a folder."""

import asyncio
import os
import re
import tempfile
from pathlib import Path
from typing import Literal

from app import errors, services
from app.chat.session_lists import SessionCriteria
from app.cli.interrupts import CommandInterrupted
from app.cli.lookup import all_sessions, find_project, find_session
from app.cli.opening import open_footnote
from app.cli.printing import format_count, print_notice
from app.cli.progress import progress_bar
from app.cli.questions.answer_output import write_text
from app.cli.running import ExitCode, out
from app.database import models

Format = Literal["markdown", "json"]

_EXTENSIONS: dict[Format, str] = {"markdown": "md", "json": "json"}
_TITLE_LENGTH = 40  # a file name has at most 255 bytes


async def export_session(id: str, format: Format) -> ExitCode:
    """Print a conversation."""
    async with open_footnote() as footnote:
        session = await find_session(footnote, id)
        exported = await footnote.operator().exports.export_session(session, format.upper())
    write_text(exported.text)
    _tell_if_cut(session, is_whole=exported.is_whole)
    return ExitCode.OK


async def export_project(name: str, folder: Path, format: Format) -> ExitCode:
    """Write the conversations of a project to a folder, each to its own file."""
    async with open_footnote() as footnote:
        project = await find_project(footnote, name)
        try:
            done = await _write_sessions(footnote, project, folder, format)
        except OSError as error:
            where = error.filename or folder
            raise errors.Conflict(f"{where} cannot be written: {error.strerror}.") from error
    out.print(f"{folder}: {format_count(done, 'conversation')} of {project.name}")
    return ExitCode.OK


async def _write_sessions(footnote: services.Services, project: models.Project, folder: Path, format: Format) -> int:
    """Write one after another, and show the progress; returns how many. Raises OSError."""
    operator = footnote.operator()
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    [total] = await operator.chat_lists.count_by_project([project.id], SessionCriteria())
    done = 0
    with progress_bar(total, "exporting") as bar:
        try:
            async for session in all_sessions(footnote, project):
                exported = await operator.exports.export_session(session, format.upper())
                await asyncio.to_thread(_replace_file, folder / _file_name(session, format), exported.text)
                _tell_if_cut(session, is_whole=exported.is_whole)
                done += 1
                bar.show_progress(done, "exporting")
        except asyncio.CancelledError:
            raise CommandInterrupted(f"{format_count(done, 'conversation')} are in {folder}.") from None
    return done


def _file_name(session: models.ChatSession, format: Format) -> str:
    """The day it began, its title, and the end of its id, which keeps equal titles apart."""
    title = re.sub(r"\W+", "-", session.title)[:_TITLE_LENGTH].strip("-")
    return (
        "-".join(filter(None, [f"{session.created_at:%Y-%m-%d}", title, session.id[-12:]])) + f".{_EXTENSIONS[format]}"
    )


def _replace_file(path: Path, text: str) -> None:
    """Write a file that only its owner can read. A partial file never gets its name, whatever happens."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".footnote-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        Path(temporary).replace(path)
    except BaseException:  # also when stopped
        Path(temporary).unlink(missing_ok=True)
        raise


def _tell_if_cut(session: models.ChatSession, *, is_whole: bool) -> None:
    if not is_whole:
        print_notice("CUT", f"“{session.title}” is longer than an export can be: its last messages are left out.")
