"""The commands that take a question: `footnote ask`, `preview` and `search`."""

from typing import Annotated, Literal

import typer

from app.cli.running import run

cli = typer.Typer()

Project = Annotated[str, typer.Option("--project", "-p", metavar="NAME", help="Name of the project.")]
Model = Annotated[str | None, typer.Option(help="Model that answers, as provider/model [default: CHAT_MODEL].")]
Open = Annotated[
    bool | None,
    typer.Option(
        "--open/--grounded",
        help="Use the documents where they help, or answer from them only [default: the project's, or GROUNDING].",
    ),
]
Mode = Literal["hybrid", "lexical", "vector"]
Question = Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know, in your own words.")]


@cli.command("ask")
def ask_command(question: Question, project: Project, model: Model = None, open_: Open = None) -> None:
    """Ask a question; the answer streams, then its sources are listed with the words that support it.

    How the model's context window was shared out is drawn on standard error. Exit code 3 when the documents do not hold
    an answer.
    """
    from app.cli.questions import ask

    run(lambda: ask.ask(question, project, model, grounding=_grounding(open_)))


@cli.command("preview")
def preview_command(
    question: Question,
    project: Project,
    model: Model = None,
    open_: Open = None,
    reformulate: Annotated[
        bool, typer.Option("--reformulate", help="Let the model rewrite the question first; else no model is asked.")
    ] = False,
    messages: Annotated[bool, typer.Option("--messages", help="Show what the model would read, too.")] = False,
) -> None:
    """Show what an answer would be made of, without asking: passages, and how the context window is shared out.

    Exit code 3 when nothing relevant is found, so that no model would be asked.
    """
    from app.cli.questions import preview

    run(
        lambda: preview.preview(
            question, project, model, grounding=_grounding(open_), reformulate=reformulate, messages=messages
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
            case_sensitive=False, help="Search words, meaning (vectors), or both [default: SEARCH_MODE, or both]."
        ),
    ] = None,
) -> None:
    """Show the passages that a question would find, best first. No model answers.

    Exit code 3 when nothing passes the threshold.
    """
    from app.cli.questions import search

    run(lambda: search.search(query, project, top, mode))


def _grounding(open_: bool | None) -> Literal["GROUNDED", "OPEN"] | None:
    """None where nobody says: then the project or the server does."""
    return None if open_ is None else "OPEN" if open_ else "GROUNDED"
