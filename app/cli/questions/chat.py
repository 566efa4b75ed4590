"""`footnote chat`: a conversation in the terminal, over one chat session."""

import asyncio
import re
import sys
from contextlib import suppress
from dataclasses import dataclass

from app import errors, global_ids, services
from app.answer_options import OptionLayer
from app.cli import interrupts
from app.cli.lookup import find_project, find_session
from app.cli.opening import open_footnote
from app.cli.prompts import allow_any_bytes, read_line
from app.cli.questions.answer_output import follow_answer
from app.cli.running import ExitCode, err, out, print_error
from app.database import models

with suppress(ImportError):
    import readline  # noqa: F401  # pyright: ignore[reportUnusedImport] - gives `input` arrow keys and a history

_HELP = "Ctrl-C stops an answer. /quit or Ctrl-D ends the chat."
_STOPPED = "Stopped. The question and the text so far are kept, but later answers do not build on them."
_COMMAND = re.compile(r"/[a-z]+")


@dataclass
class _Chat:
    """A chat in a project. Its session is created with the first question."""

    operator: services.OperatorAccess
    project: models.Project
    session: models.ChatSession | None
    options: OptionLayer
    failed: bool = False

    async def ask(self, question: str) -> None:
        """Ask, show the answer, and stop it on Ctrl-C. Errors are printed, and the chat continues."""
        if self.session is None:
            self.session = await self.operator.chats.create_session(self.project.id, self.options)
        try:
            _, answer = await self.operator.chats.send_message(
                self.session.id, question, key=None, overrides=self.options
            )
            await self._show_answer(answer)
        except errors.FootnoteError as error:
            print_error(self.operator.explain_failure(error.message))
            self.failed = True

    async def _show_answer(self, answer: models.Message) -> None:
        loop = asyncio.get_running_loop()
        stopping: list[asyncio.Task[models.Message]] = []

        def stop() -> None:
            stopping.append(loop.create_task(self.operator.chats.cancel_answer(answer.id)))

        with interrupts.redirect_interrupts(lambda: loop.call_soon_threadsafe(stop)):
            result = await follow_answer(self.operator, answer, show=True)
            await asyncio.gather(*stopping)
        if result.failed is not None:
            self.failed = True
        elif result.completed is None:
            err.print(_STOPPED, style="yellow")


async def chat(name: str | None, session_id: str | None, options: OptionLayer) -> ExitCode:
    """Read questions until the end of standard input, and answer all of them in one chat session."""
    async with open_footnote() as footnote:
        conversation = await _start(footnote, name, session_id, options)
        allow_any_bytes()
        terminal = sys.stdin.isatty()
        if terminal:
            _greet(conversation)
        await _converse(conversation, terminal=terminal)
        if conversation.session is not None:
            id = global_ids.encode("ChatSession", conversation.session.id)
            err.print(f"Continue with: footnote chat --session {id}", style="dim")
    return ExitCode.FAILED if conversation.failed and not terminal else ExitCode.OK


async def _start(
    footnote: services.Services,
    name: str | None,
    session_id: str | None,
    options: OptionLayer,
) -> _Chat:
    operator = footnote.operator()
    if session_id is None:
        project, session = await find_project(footnote, name), None
    else:
        session = await find_session(footnote, session_id)
        [project] = await operator.projects.by_ids([session.project_id])
    if project is None:
        raise errors.NotFound("project", "")
    return _Chat(operator, project, session, options)


def _greet(conversation: _Chat) -> None:
    session, project = conversation.session, conversation.project
    where = f"“{session.title}” in {project.name}" if session else project.name
    err.print(f"Chat: {where}. {_HELP}", style="dim")


async def _converse(conversation: _Chat, *, terminal: bool) -> None:
    between = ""
    while (
        not interrupts.must_end()
        and (question := _read_question(terminal=terminal)) is not None
        and question != "/quit"
    ):
        if _COMMAND.fullmatch(question):
            err.print(f"There is no command {question}. {_HELP}", style="yellow")
        elif question:
            out.print(between, end="")
            await conversation.ask(question)
            between = "" if terminal else "\n"


def _read_question(*, terminal: bool) -> str | None:
    """The next line; None at the end. Ctrl-C at the prompt prints help on a terminal, and ends a piped chat."""
    try:
        line = read_line("\n> ")
    except KeyboardInterrupt:
        if not terminal or interrupts.must_end():
            raise
        err.print(f"\n{_HELP}", style="dim")
        return ""
    if line is None and terminal:
        err.print()
    return line.strip() if line is not None else None
