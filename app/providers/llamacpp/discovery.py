"""Find GGUF files in the folders of programs for local models."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import cast

from app.providers.llamacpp.gguf import ModelFile, UnusableFile, read_model_file
from app.providers.server_values import decode_json, read_fields

_SUFFIX = ".gguf"
# More than publisher, repository, snapshot and file.
_MAX_DEPTH = 6
_MAX_ENTRIES = 50_000
_MAX_MANIFEST_BYTES = 1 << 20
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_OLLAMA_HOST, _OLLAMA_LIBRARY = "registry.ollama.ai", "library"


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model that was found; `source` is the program whose folder it is in."""

    name: str
    source: str
    file: ModelFile


def find_models(own: Path, environment: Mapping[str, str], home: Path) -> list[FoundModel]:
    """The models in our own folder and in those of other programs, each file once, by name."""
    found: dict[Path, FoundModel] = {}
    for name, source, path in _find_files(own, environment, home):
        try:
            real = path.resolve(strict=True)
            if real not in found:
                found[real] = FoundModel(name, source, read_model_file(path))
        except (UnusableFile, OSError, RuntimeError):
            continue  # a later part, the vision part of a model, not a model, or a link that leads nowhere
    return sorted(found.values(), key=lambda model: (model.source, model.name.lower()))


def _find_files(own: Path, environment: Mapping[str, str], home: Path) -> Iterator[tuple[str, str, Path]]:
    """Name, source and path of each file."""
    cache = Path(environment.get("XDG_CACHE_HOME") or home / ".cache")
    hub = Path(environment.get("HF_HOME") or cache / "huggingface") / "hub"
    folders = [
        ("LLAMACPP_FOLDER", own),
        ("LM Studio", home / ".lmstudio" / "models"),
        ("LM Studio", cache / "lm-studio" / "models"),
        ("Hugging Face", Path(environment.get("HF_HUB_CACHE") or hub)),
        ("llama.cpp", Path(environment.get("LLAMA_CACHE") or cache / "llama.cpp")),
    ]
    for source, folder in folders:
        for path in islice(_walk(folder), _MAX_ENTRIES):
            if path.name.lower().endswith(_SUFFIX):
                yield path.name.removesuffix(_SUFFIX), source, path
    ollama = [home / ".ollama" / "models", Path("/usr/share/ollama/.ollama/models")]
    named = environment.get("OLLAMA_MODELS")
    for folder in [Path(named)] if named else ollama:
        yield from _find_in_ollama(folder)


def _find_in_ollama(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Find Ollama's models: files are named by hash, and a manifest per model and tag says which is the model."""
    manifests = folder / "manifests"
    for path in islice(_walk(manifests), _MAX_ENTRIES):
        host, *owner, model, tag = ("", "", *path.relative_to(manifests).parts)[-4:]
        prefix = [part for part in (host, *owner) if part not in ("", _OLLAMA_HOST, _OLLAMA_LIBRARY)]
        if digest := _read_digest(path):
            yield f"{'/'.join([*prefix, model])}:{tag}", "Ollama", folder / "blobs" / digest.replace(":", "-")


def _read_digest(manifest: Path) -> str | None:
    try:
        with manifest.open("rb") as file:
            found = read_fields(decode_json(file.read(_MAX_MANIFEST_BYTES)))
    except (OSError, ValueError):
        return None
    layers = found.get("layers")
    fields = map(read_fields, cast("list[object]", layers) if isinstance(layers, list) else [])
    digest = next((layer.get("digest") for layer in fields if layer.get("mediaType") == _OLLAMA_MODEL), None)
    return digest if isinstance(digest, str) and "/" not in digest else None


def _walk(folder: Path, depth: int = _MAX_DEPTH) -> Iterator[Path]:
    """The files in a folder and its subfolders; unreadable ones are skipped."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        try:
            is_file, is_folder = entry.is_file(), entry.is_dir(follow_symlinks=False)
        except OSError:  # a link to itself, or into a folder that may not be read
            continue
        if is_file:
            yield folder / entry.name
        elif depth and is_folder and not entry.name.startswith("."):
            yield from _walk(folder / entry.name, depth - 1)
