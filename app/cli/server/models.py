"""The command `footnote models`: model files on this machine, and the memory that each one needs."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.cli import printing
from app.cli.running import ExitCode, err
from app.providers.embedded import sentence_encoder
from app.providers.llamacpp import memory
from app.providers.llamacpp.discovery import FoundModel, find_models
from app.settings import Settings, read_settings


async def list_models(*, as_json: bool) -> ExitCode:
    """Print the models found, with the setting that uses each."""
    settings = read_settings()
    found = await asyncio.to_thread(_find_models, settings)
    if as_json:
        printing.print_json([_as_json(model, settings) for model in found])
        return ExitCode.OK
    if found:
        printing.print_table(("MODEL", "FROM", "FILE", "MEMORY", "WINDOW", "TO USE IT"), _rows(found, settings))
    else:
        err.print(
            "No GGUF files in LLAMACPP_FOLDER, nor in the folders of Ollama, LM Studio, Hugging Face and llama.cpp."
        )
    err.print(_describe_multilingual())
    available = memory.read_available_bytes()
    if found and available is not None:
        err.print(f"{memory.format_bytes(available)} of memory are available.")
    return ExitCode.OK


def _describe_multilingual() -> str:
    """How to use the model that comes as a package, not as a file."""
    takes = memory.format_bytes(sentence_encoder.MEMORY_BYTES)
    problem = sentence_encoder.find_problem()
    needs = "" if problem is None else f"\n{problem}"
    return f"For 16 languages in one project, in {takes}: EMBEDDING_MODEL=embedded/multilingual{needs}"


def _find_models(settings: Settings) -> list[FoundModel]:
    return find_models(Path(settings.llamacpp_folder).expanduser(), os.environ, Path.home())


def _rows(found: Sequence[FoundModel], settings: Settings) -> list[tuple[str, ...]]:
    return [
        (
            model.name,
            model.source,
            memory.format_bytes(model.file.file_bytes),
            memory.format_bytes(_estimate_bytes(model, settings)),
            f"{_choose_window(model, settings):,}",
            f"{_variable(model)}={_setting(model, settings)}",
        )
        for model in found
    ]


def _as_json(model: FoundModel, settings: Settings) -> dict[str, Any]:
    return {
        "name": model.name,
        "source": model.source,
        "kind": "EMBEDDING" if model.file.embeds else "CHAT",
        "model": _setting(model, settings),
        "fileBytes": model.file.file_bytes,
        "memoryBytes": _estimate_bytes(model, settings),
        "contextWindow": _choose_window(model, settings),
        "maxContextWindow": model.file.window,
    }


def _setting(model: FoundModel, settings: Settings) -> str:
    """The value that names the model, relative to our own folder if it is in it."""
    path, own = model.file.parts[0].absolute(), Path(settings.llamacpp_folder).expanduser().absolute()
    return f"llamacpp/{path.relative_to(own) if path.is_relative_to(own) else path}"


def _variable(model: FoundModel) -> str:
    return "EMBEDDING_MODEL" if model.file.embeds else "CHAT_MODEL"


def _choose_window(model: FoundModel, settings: Settings) -> int:
    return model.file.choose_window(settings.llamacpp_num_ctx, writing=not model.file.embeds)


def _estimate_bytes(model: FoundModel, settings: Settings) -> int:
    return memory.estimate_bytes(model.file, _choose_window(model, settings), settings.llamacpp_slots)
