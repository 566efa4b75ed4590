"""Options that several commands share."""

from typing import Annotated

import typer

Project = Annotated[str, typer.Option("--project", "-p", metavar="NAME", help="The project.")]
OptionalProject = Annotated[
    str | None, typer.Option("--project", "-p", metavar="NAME", help="Only this project [default: all].")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, with the field names of the GraphQL API.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
