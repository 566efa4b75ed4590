"""`footnote ask`: ask one question in a new chat session."""

import asyncio

from app import errors, global_ids
from app.answer_options import OptionLayer
from app.chat.turn_limits import check_question
from app.cli.interrupts import CommandInterrupted
from app.cli.lookup import find_project
from app.cli.opening import open_footnote
from app.cli.printing import print_json
from app.cli.questions import budget_bar
from app.cli.questions.answer_output import follow_answer
from app.cli.running import ExitCode, err, print_error


async def ask(question: str, name: str | None, options: OptionLayer, *, as_json: bool) -> ExitCode:
    """Ask in a new chat session of the project."""
    check_question(question)  # otherwise, an empty session would be left
    async with open_footnote() as footnote:
        operator = footnote.operator()
        chats = operator.chats
        project = await find_project(footnote, name)
        session = await chats.create_session(project.id, options)
        _, answer = await chats.send_message(session.id, question, key=None, overrides={})
        session_id = global_ids.encode("ChatSession", session.id)
        try:
            result = await follow_answer(operator, answer, show=not as_json)
        except asyncio.CancelledError:
            await chats.cancel_answer(answer.id)
            raise CommandInterrupted(
                f"the question and the text so far are kept. Continue with: footnote chat --session {session_id}"
            ) from None
        except errors.Unavailable as error:
            text = f"{error.message} The question is kept. Continue with: footnote chat --session {session_id}"
            raise errors.Unavailable(text, error.service, error.retry_after_ms) from error
        if as_json:
            print_json({"chatSession": {"id": session_id}, **result.as_json()})
            if result.failed is not None:
                print_error(operator.explain_failure(result.failed.message))
    if not as_json and result.completed is not None and result.ledger is not None and result.ledger.input_tokens:
        err.print()
        err.print(budget_bar.draw_bar(result.ledger, err.width))
    return result.exit_code
