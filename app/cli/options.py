"""Options that several commands share."""

from typing import Annotated

import typer

Project = Annotated[str, typer.Option("--project", "-p", metavar="NAME", help="The project, by name or id.")]
SearchedProject = Annotated[
    str | None,
    typer.Option("--project", "-p", metavar="NAME", help="The project, by name or id [default: the only project]."),
]
OptionalProject = Annotated[
    str | None, typer.Option("--project", "-p", metavar="NAME", help="Only this project, by name or id [default: all].")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, with the field names of the GraphQL API.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="PROVIDER/MODEL",
        help="The model to answer with [default: the project's, or CHAT_MODEL].",
    ),
]
Open = Annotated[
    bool | None,
    typer.Option(
        "--open/--grounded",
        help="Use the documents where they help, or answer only from them [default: the project's, or GROUNDING].",
    ),
]
Filter = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        metavar="NAME=VALUE",
        help="Search only documents with this status (status=ready), this text in the title (titleContains=report) or "
        "this metadata (metadata.year=2024). Can be given more than once.",
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="Set an answer option, such as ragTopK=8. Can be given more than once."
    ),
]
