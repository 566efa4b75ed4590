"""The commands that serve the APIs or describe them: `footnote serve` and `export-schema`."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.running import ExitCode, err, print_error, run_command

cli = typer.Typer()


@cli.command("serve")
def serve_command(
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="The address to listen on [default: HOST, or 127.0.0.1].")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT", min=0, max=65535, help="The port to listen on; 0 picks a free one [default: PORT, or 8000]."
        ),
    ] = None,
) -> None:
    """Serve the GraphQL API, the OpenAI API, the page and the playground.

    The database is migrated first. Ctrl-C stops the server: running answers get five seconds to finish, and their text
    is kept.
    """
    from app.cli.server import serve

    run_command(lambda: serve.serve(host, port))


@cli.command("models")
def models_command(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with sizes in bytes.")] = False,
) -> None:
    """List model files (GGUF) on this machine, and what each would take.

    Looks in LLAMACPP_FOLDER and where Ollama, LM Studio, Hugging Face and llama.cpp keep models. MEMORY is for the file
    and LLAMACPP_SLOTS windows; the last column is the setting that uses the model.
    """
    from app.cli.server import models

    run_command(lambda: models.list_models(as_json=as_json))


@cli.command("export-schema")
def export_schema_command(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="The file to write [default: standard output].")
    ] = None,
) -> None:
    """Write the GraphQL schema in SDL, for code generators and reviews."""
    from app import graphql

    text = graphql.schema_text()
    if file is None:
        typer.echo(text, nl=False)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        print_error(f"{file} cannot be written: {error.strerror}.")
        raise typer.Exit(ExitCode.FAILED) from error
    err.print(f"{file}: written")
