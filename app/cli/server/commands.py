"""The commands that serve the APIs, or list what is available: `footnote serve`, `work`, `models` and `export-…`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app import default_address
from app.cli.groups import make_commands
from app.cli.running import ExitCode, err, print_error, run_command

cli = make_commands()
# They come last in `--help`: people need them least.
lists_cli = make_commands()


@cli.command("serve")
def serve_command(
    host: Annotated[
        str | None,
        typer.Option(metavar="HOST", help=f"The address to listen on [default: HOST, or {default_address.HOST}]."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            min=0,
            max=65535,
            help=f"The port to listen on; 0 picks a free one [default: PORT, or {default_address.PORT}].",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=64, help="The number of processes that share the address [default: WORKERS, or 1]."
        ),
    ] = None,
) -> None:
    """Serve the GraphQL API, the OpenAI API, the page and the playground.

    The database is migrated first. Ctrl-C stops the server: running answers get five seconds to finish, and their text
    is kept. With several workers, a worker that dies is replaced. SIGHUP replaces all workers, one after the other;
    each finishes its work first.
    """
    from app.cli.server import starting

    async def serve_alone_or_together() -> ExitCode:
        settings = starting.read_server_settings(host, port, workers)
        if settings.workers == 1:
            from app.cli.server import serve

            return await serve.serve(settings)
        from app.cli.server import supervisor

        return await supervisor.serve(settings)

    run_command(serve_alone_or_together, is_server=True)


@cli.command("serve-worker", hidden=True)
def serve_worker_command(listening: int, channel: int, number: int, announces: bool) -> None:
    """Serve as one of the workers of `footnote serve`, which passes its sockets."""
    from app.cli.server import worker

    run_command(lambda: worker.serve(listening, channel, number, announces=announces), is_server=True)


@cli.command("work")
def work_command(
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            min=0,
            max=65535,
            help="Serve /metrics, /livez and /readyz on this port; 0 picks a free one.",
        ),
    ] = None,
) -> None:
    """Process documents for servers on the same database, without serving an API.

    Servers with PROCESS_DOCUMENTS=false leave all documents to this command. Ctrl-C stops it; other processes take over
    the documents that it was processing.
    """
    from app.cli.server import work

    run_command(lambda: work.work(port), is_server=True)


@lists_cli.command("models")
def models_command(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with sizes in bytes.")] = False,
) -> None:
    """List model files (GGUF) on this machine, and the memory that each one needs.

    Looks in LLAMACPP_FOLDER and where Ollama, LM Studio, Hugging Face and llama.cpp keep models. MEMORY is for the file
    and LLAMACPP_SLOTS windows. The last column is the setting that uses the model.
    """
    from app.cli.server import models

    run_command(lambda: models.list_models(as_json=as_json))


@lists_cli.command("export-schema")
def export_schema_command(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The file to write [default: standard output].")
    ] = None,
) -> None:
    """Write the GraphQL schema in SDL, for code generators and reviews."""
    from app import graphql

    _write_text(graphql.schema_text(), file)


@lists_cli.command("export-events")
def export_events_command(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The file to write [default: standard output].")
    ] = None,
) -> None:
    """Write the JSON schemas of all events: an object with a schema for each `eventType`."""
    from app.events.envelope import event_schemas

    _write_text(json.dumps(event_schemas(), indent=2, ensure_ascii=False) + "\n", file)


def _write_text(text: str, file: Path | None) -> None:
    if file in (None, Path("-")):
        typer.echo(text, nl=False)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        print_error(f"{file} cannot be written: {error.strerror}.")
        raise typer.Exit(ExitCode.FAILED) from error
    err.print(f"{file}: written")
