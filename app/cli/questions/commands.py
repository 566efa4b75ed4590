"""The commands for questions and conversations: `footnote ask`, `chat`, `preview`, `search` and `export`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.cli.groups import make_commands
from app.cli.options import Filter, Json, Model, Open, SearchedProject, Set
from app.cli.running import run_command

cli = make_commands()

Question = Annotated[
    str,
    typer.Argument(metavar="QUESTION", help="The question, in your own words; - reads standard input."),
]
NewSessionProject = Annotated[
    str | None,
    typer.Option(
        "--project",
        "-p",
        metavar="NAME",
        help="The project, by name or id, for a new chat session [default: the only project].",
    ),
]
Session = Annotated[str | None, typer.Option("--session", metavar="ID", help="The chat session to continue.")]
Mode = Literal["hybrid", "lexical", "vector"]
ExportFormat = Literal["markdown", "json"]


@cli.command("ask")
def ask_command(
    question: Question,
    project: SearchedProject = None,
    model: Model = None,
    open_: Open = None,
    set_: Set = None,
    filter_: Filter = None,
    as_json: Json = False,
) -> None:
    """Ask a question. The answer streams, followed by its sources, each with the words that support it.

    Standard error shows how the model's context window was used. The exit code is 3 if the documents do not contain an
    answer.
    """
    from app.cli.prompts import read_question
    from app.cli.questions import ask
    from app.cli.questions.option_layer import read_option_layer

    options = read_option_layer(model, open_, set_ or (), filter_ or ())
    asked = read_question(question)
    run_command(lambda: ask.ask(asked, project, options, as_json=as_json))


@cli.command("chat")
def chat_command(
    project: NewSessionProject = None,
    session: Session = None,
    model: Model = None,
    open_: Open = None,
    set_: Set = None,
    filter_: Filter = None,
) -> None:
    """Have a conversation: each line is a question, and can follow up on the ones before.

    Ctrl-C stops an answer; the text so far is kept. Ctrl-D or /quit ends the chat and prints how to continue it later.
    Questions can also be piped in, one per line.
    """
    from app.cli.questions import chat
    from app.cli.questions.option_layer import read_option_layer

    _check_one(project, session)
    options = read_option_layer(model, open_, set_ or (), filter_ or ())
    run_command(lambda: chat.chat(project, session, options))


@cli.command("preview")
def preview_command(
    question: Question,
    project: NewSessionProject = None,
    session: Session = None,
    model: Model = None,
    open_: Open = None,
    set_: Set = None,
    filter_: Filter = None,
    reformulate: Annotated[
        bool,
        typer.Option("--reformulate", help="Let the model rewrite the question first. Otherwise, no model is called."),
    ] = False,
    messages: Annotated[bool, typer.Option("--messages", help="Also show the messages of the prompt.")] = False,
    as_json: Json = False,
) -> None:
    """Show what an answer would be based on, without asking: the passages, and how the context window would be used.

    With --session, this shows the next answer in that chat session. The exit code is 3 if nothing relevant is found,
    so that no model would be called.
    """
    from app.cli.prompts import read_question
    from app.cli.questions import preview
    from app.cli.questions.option_layer import read_option_layer

    _check_one(project, session)
    options = read_option_layer(model, open_, set_ or (), filter_ or ())
    asked = read_question(question)
    run_command(
        lambda: preview.preview(
            asked,
            project,
            session,
            options,
            reformulate=reformulate,
            messages=messages,
            as_json=as_json,
        )
    )


@cli.command("search")
def search_command(
    query: Annotated[
        str,
        typer.Argument(metavar="QUERY", help="Words or a question; - reads standard input."),
    ],
    project: SearchedProject = None,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            "-n",
            metavar="N",
            min=1,
            max=50,
            help="How many passages to show [default: the project's, or RAG_TOP_K].",
        ),
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(
            case_sensitive=False,
            help="Search by words (lexical), by meaning (vector) or both [default: the project's, or SEARCH_MODE].",
        ),
    ] = None,
    filter_: Filter = None,
    as_json: Json = False,
) -> None:
    """Show the passages that a question would find, best first. No model is asked.

    The exit code is 3 if no passage reaches the threshold.
    """
    from app.cli.prompts import read_question
    from app.cli.questions import search
    from app.cli.questions.document_filter import read_filter_layer

    layer = {"rag_top_k": top, "search_mode": mode and mode.upper(), **read_filter_layer(filter_ or ())}
    searched = read_question(query)
    run_command(lambda: search.search(searched, project, layer, as_json=as_json))


@cli.command("export")
def export_command(
    session: Annotated[
        str | None, typer.Argument(metavar="SESSION", help="The id of the chat session to print.")
    ] = None,
    project: Annotated[
        str | None,
        typer.Option("--project", "-p", metavar="NAME", help="All conversations of this project, by name or id."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help="The folder to write a project's conversations to; created if it does not exist.",
        ),
    ] = None,
    format: Annotated[
        ExportFormat,
        typer.Option("--format", "-f", case_sensitive=False, help="Markdown for people, or JSON for programs."),
    ] = "markdown",
) -> None:
    """Export conversations with their sources, quotes, notices and your ratings, as Markdown or JSON.

    `footnote export SESSION` prints one conversation. `footnote export --project NAME --to FOLDER` writes the
    conversations of all users in a project, each to a file named by day, title and id. Run it again to update the
    files; none are deleted.

    Only the branch that a chat session shows is exported, and at most its first 1,000 messages; a notice says which
    conversations are longer.
    """
    from app.cli.questions import export

    if (session is None) == (project is None):
        raise typer.BadParameter("Give either the id of a chat session, or --project.")
    if (project is None) != (folder is None):
        raise typer.BadParameter("Give --project and --to together, to write a project's conversations to a folder.")
    if project is not None and folder is not None:
        run_command(lambda: export.export_project(project, folder, format))
    run_command(lambda: export.export_session(session or "", format))


def _check_one(project: str | None, session: str | None) -> None:
    if project is not None and session is not None:
        raise typer.BadParameter("Give either --project, for a new chat session, or --session to continue one.")
