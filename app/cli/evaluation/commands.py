"""The command that measures answers: `footnote eval`."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.groups import make_commands
from app.cli.options import Filter, Json, Model, Open, Project, Set
from app.cli.running import run_command

cli = make_commands()


File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="The questions: JSON Lines, one question per line, at most 5,000; - reads standard input.",
    ),
]
Against = Annotated[Path | None, typer.Option(metavar="RUN", help="Compare with a run that --save wrote.")]
Save = Annotated[
    Path | None, typer.Option(metavar="RUN", help="Save the run with all answers, even if Ctrl-C ends it.")
]
MinRight = Annotated[
    float | None,
    typer.Option(min=0, max=100, metavar="N", help="Exit with 1 if fewer than N percent are right or refused rightly."),
]
AtOnce = Annotated[int, typer.Option(min=1, max=16, metavar="N", help="The number of questions to ask at once.")]
All = Annotated[bool, typer.Option("--all", help="List all questions, not only those that went wrong.")]


@cli.command("eval")
def eval_command(
    file: File,
    project: Project,
    model: Model = None,
    open_: Open = None,
    set_: Set = None,
    filter_: Filter = None,
    against: Against = None,
    save: Save = None,
    min_right: MinRight = None,
    at_once: AtOnce = 2,
    show_all: All = False,
    as_json: Json = False,
) -> None:
    """Ask all questions in a file, and count which answers are right.

    Each line is a question with the expected answer:

    `{"question": "What does delivery cost?", "expected": "4.90 euros", "documents": ["delivery.html"]}`

    `{"question": "Who painted the Mona Lisa?", "answerable": false}`

    An answer is **right** if it contains the text `expected`, in whole words, or if one of the regular expressions in
    `accept` is found in it; case and white space do not matter. With `"answerable": false`, refusing is right. A
    document is **found** if one of its passages is a candidate for the prompt, and **cited** if the answer cites it.

    Each question is asked in its own chat session, which is deleted afterwards. The exit code is 1 if an answer failed,
    if fewer are right than --min-right requires, or if more questions got worse than better since --against. It is 2,
    and nothing is asked, if a line of the file cannot be used.
    """
    from app.cli.evaluation.evaluate import EvaluationPlan, evaluate
    from app.cli.questions.option_layer import read_option_layer

    options = read_option_layer(model, open_, set_ or (), filter_ or ())
    minimum = None if min_right is None else min_right / 100
    plan = EvaluationPlan(file, project, options, at_once, save, against, minimum)
    run_command(lambda: evaluate(plan, as_json=as_json, show_all=show_all))
