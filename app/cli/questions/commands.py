"""The commands that take questions: `footnote ask`, `chat`, `preview` and `search`."""

from typing import Annotated, Literal

import typer

from app.cli.options import Json, Project
from app.cli.running import run

cli = typer.Typer()

Question = Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in your own words.")]
NewSessionProject = Annotated[
    str | None, typer.Option("--project", "-p", metavar="NAME", help="The project, for a new chat session.")
]
Session = Annotated[str | None, typer.Option("--session", metavar="ID", help="The chat session to continue.")]
Model = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="The model that answers, as provider/model [default: CHAT_MODEL]."),
]
Open = Annotated[
    bool | None,
    typer.Option(
        "--open/--grounded",
        help="Use the documents where they help, or answer from them only [default: the project's, or GROUNDING].",
    ),
]
Mode = Literal["hybrid", "lexical", "vector"]


@cli.command("ask")
def ask_command(
    question: Question, project: Project, model: Model = None, open_: Open = None, as_json: Json = False
) -> None:
    """Ask a question. The answer streams, followed by its sources, each with a quotation.

    Standard error shows how the model's context window was used. The exit code is 3 if the documents do not contain an
    answer.
    """
    from app.cli.questions import ask

    run(lambda: ask.ask(question, project, model, grounding=_grounding(open_), as_json=as_json))


@cli.command("chat")
def chat_command(
    project: NewSessionProject = None, session: Session = None, model: Model = None, open_: Open = None
) -> None:
    """Have a conversation: every line is a question, and the answers build on one another.

    Ctrl-C stops an answer; what has arrived is kept. Ctrl-D or /quit ends the chat, and prints how to continue it
    later. Questions can also be piped in, one per line.
    """
    from app.cli.questions import chat

    _check_one(project, session)
    run(lambda: chat.chat(project, session, model, grounding=_grounding(open_)))


@cli.command("preview")
def preview_command(
    question: Question,
    project: NewSessionProject = None,
    session: Session = None,
    model: Model = None,
    open_: Open = None,
    reformulate: Annotated[
        bool,
        typer.Option("--reformulate", help="Let the model rewrite the question first. Without this, none is called."),
    ] = False,
    messages: Annotated[bool, typer.Option("--messages", help="Also show what the model would be sent.")] = False,
    as_json: Json = False,
) -> None:
    """Show what an answer would be based on, without asking: the passages, and how the context window would be used.

    With --session, this is the next answer of that chat. The exit code is 3 if nothing relevant is found, so that no
    model would be called.
    """
    from app.cli.questions import preview

    _check_one(project, session)
    run(
        lambda: preview.preview(
            question,
            project,
            session,
            model,
            grounding=_grounding(open_),
            reformulate=reformulate,
            messages=messages,
            as_json=as_json,
        )
    )


@cli.command("search")
def search_command(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words or a question.")],
    project: Project,
    top: Annotated[
        int | None,
        typer.Option("--top", "-n", min=1, max=50, help="How many passages to show [default: RAG_TOP_K, or 5]."),
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(
            case_sensitive=False,
            help="Search by words (lexical), by meaning (vector) or both [default: SEARCH_MODE, or hybrid].",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the passages that a question would find, best first. No model answers.

    The exit code is 3 if no passage reaches the threshold.
    """
    from app.cli.questions import search

    run(lambda: search.search(query, project, top, mode, as_json=as_json))


def _check_one(project: str | None, session: str | None) -> None:
    if (project is None) == (session is None):
        raise typer.BadParameter("Give either --project, for a new chat session, or --session to continue one.")


def _grounding(open_: bool | None) -> Literal["GROUNDED", "OPEN"] | None:
    """None leaves it to the session, the project or the server."""
    return None if open_ is None else "OPEN" if open_ else "GROUNDED"
