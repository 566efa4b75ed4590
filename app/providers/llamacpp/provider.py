"""The provider for GGUF files that the operator configures."""

import asyncio
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from app import errors
from app.cores import count_cores
from app.providers import base
from app.providers.llamacpp.connection import PROVIDER
from app.providers.llamacpp.gguf import UnusableFile, read_model_file
from app.providers.llamacpp.models import LlamacppEmbeddingModel, LlamacppLanguageModel
from app.providers.llamacpp.process import LaunchOptions, ModelProcess, ModelUse

_MAX_THREADS = 16
_SHOWN = 200


class LlamacppProvider:
    """The GGUF files named in the settings, and no others: API users choose among them by name."""

    name = PROVIDER
    is_local = True

    def __init__(self, processes: Sequence[ModelProcess]) -> None:
        self._processes: Mapping[tuple[str, ModelUse], ModelProcess] = {
            (process.model, process.use): process for process in processes
        }
        self.fixed_models = tuple(
            base.ModelInfo(process.model, "CHAT" if process.use == "CHAT" else "EMBEDDING", process.options.window)
            for process in processes
        )

    def language_model(self, model: str) -> LlamacppLanguageModel:
        """The chat model called `model`. Raises ModelNotFound for a file that the settings do not name."""
        return LlamacppLanguageModel(self._find_process(model, "CHAT"))

    def embedding_model(self, model: str) -> LlamacppEmbeddingModel:
        """The embedding model called `model`. Raises ModelNotFound for a file that the settings do not name."""
        return LlamacppEmbeddingModel(self._find_process(model, "EMBEDDING"))

    async def list_models(self) -> list[base.ModelInfo]:
        """The files named in the settings; loads none. Raises ModelNotFound if one is missing."""
        for process in self._processes.values():
            await asyncio.to_thread(process.read_file)
        return list(self.fixed_models)

    async def close(self) -> None:
        """End all processes, even if one of them cannot be ended; then raise its error."""
        ended = await asyncio.gather(*(each.close() for each in self._processes.values()), return_exceptions=True)
        for failure in filter(None, ended):
            raise failure

    def _find_process(self, model: str, use: ModelUse) -> ModelProcess:
        process = self._processes.get((model, use))
        if process is None:
            setting = "CHAT_MODEL" if use == "CHAT" else "EMBEDDING_MODEL"
            # The end of a path is the most informative part.
            shown = model if len(model) <= _SHOWN else f"…{model[-_SHOWN:]}"
            raise errors.ModelNotFound(f"There is no model “{PROVIDER}/{shown}” here: {setting} does not name it.")
        return process


def open_process(folder: Path, model: str, use: ModelUse, options: LaunchOptions) -> ModelProcess:
    """The process for a file, not started yet. Raises UnusableFile.

    Relative paths are relative to `folder`. The window in `options` is the maximum for the model.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        raise UnusableFile(
            "needs the package xllamacpp, which is not installed: run `make run LOCAL=1` in a checkout, or install "
            "Footnote with the extra `local`"
        )
    file = read_model_file(folder.expanduser() / Path(model).expanduser())
    if use == "CHAT" and not file.writes:
        raise UnusableFile(f"holds a model that computes vectors and cannot write ({file.architecture})")
    if use == "EMBEDDING" and not file.embeds:
        raise UnusableFile(f"holds a model that writes and computes no vectors ({file.architecture})")
    window = file.choose_window(options.window, writing=use == "CHAT")
    return ModelProcess(model, file, use, replace(options, window=window))


def choose_threads() -> int:
    """The number of processors that this process may use, minus one for the server."""
    return max(1, min(count_cores() - 1, _MAX_THREADS))
