"""The commands that take questions: `footnote ask`, `chat`, `preview` and `search`."""

from typing import Annotated, Literal

import typer

from app.cli.options import Filter, Json, Model, Open, Project, Set
from app.cli.running import run_command

cli = typer.Typer()

Question = Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in your own words.")]
NewSessionProject = Annotated[
    str | None, typer.Option("--project", "-p", metavar="NAME", help="The project, for a new chat session.")
]
Session = Annotated[str | None, typer.Option("--session", metavar="ID", help="The chat session to continue.")]
Mode = Literal["hybrid", "lexical", "vector"]


@cli.command("ask")
def ask_command(
    question: Question,
    project: Project,
    model: Model = None,
    open_: Open = None,
    set_: Set = None,
    filter_: Filter = None,
    as_json: Json = False,
) -> None:
    """Ask a question. The answer streams, followed by its sources, each with a quotation.

    Standard error shows how the model's context window was used. The exit code is 3 if the documents do not contain an
    answer.
    """
    from app.cli.questions import ask
    from app.cli.questions.option_layer import read_option_layer

    options = read_option_layer(model, open_, set_ or (), filter_ or ())
    run_command(lambda: ask.ask(question, project, options, as_json=as_json))


@cli.command("chat")
def chat_command(
    project: NewSessionProject = None,
    session: Session = None,
    model: Model = None,
    open_: Open = None,
    set_: Set = None,
    filter_: Filter = None,
) -> None:
    """Have a conversation: every line is a question, and the answers build on one another.

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

    With --session, this is the next answer of that chat. The exit code is 3 if nothing relevant is found, so that no
    model would be called.
    """
    from app.cli.questions import preview
    from app.cli.questions.option_layer import read_option_layer

    _check_one(project, session)
    options = read_option_layer(model, open_, set_ or (), filter_ or ())
    run_command(
        lambda: preview.preview(
            question,
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
    filter_: Filter = None,
    as_json: Json = False,
) -> None:
    """Show the passages that a question would find, best first. No model answers.

    The exit code is 3 if no passage reaches the threshold.
    """
    from app.cli.questions import search
    from app.cli.questions.document_filter import read_filter_layer

    said = {"rag_top_k": top, "search_mode": mode and mode.upper(), **read_filter_layer(filter_ or ())}
    run_command(lambda: search.search(query, project, said, as_json=as_json))


def _check_one(project: str | None, session: str | None) -> None:
    if (project is None) == (session is None):
        raise typer.BadParameter("Give either --project, for a new chat session, or --session to continue one.")
