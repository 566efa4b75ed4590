"""The commands that serve the product or describe its API: `footnote serve` and `export-schema`."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.running import Exit, complain, err, run

cli = typer.Typer()


@cli.command("serve")
def serve_command(
    host: Annotated[str | None, typer.Option(help="Address to listen on [default: HOST, or 127.0.0.1].")] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one [default: PORT, or 8000]."),
    ] = None,
) -> None:
    """Serve the GraphQL API and its playground.

    Migrates the database first. Ctrl-C stops it: running answers get five seconds to end, and what they have become is
    kept.
    """
    from app.cli.server import serve

    run(lambda: serve.serve(host, port))


@cli.command("export-schema")
def export_schema_command(
    output: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Where to write [default: standard output].")
    ] = None,
) -> None:
    """Write the GraphQL schema as SDL, for code generators and reviews."""
    from app import graphql

    text = graphql.schema_text()
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        complain(f"{output} cannot be written: {error.strerror}.")
        raise typer.Exit(Exit.FAILED) from error
    err.print(f"{output}: written")
