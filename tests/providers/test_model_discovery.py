"""`footnote models`: files in the folders of several programs, as their headers describe them."""

import json
import os
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.forks.commands import run_footnote
from tests.servers.gguf import write_gguf

List = Callable[..., subprocess.CompletedProcess[str]]
WRITER: dict[str, str | int] = {
    "general.architecture": "llama",
    "llama.context_length": 4096,
    "llama.block_count": 10,
    "llama.embedding_length": 1024,
    "llama.attention.head_count": 8,
    "llama.attention.head_count_kv": 2,
}
EMBEDDER: dict[str, str | int] = {"general.architecture": "bert", "bert.context_length": 512, "bert.pooling_type": 1}


@pytest.fixture
def models(tmp_path: Path) -> List:
    """Run `footnote models` as a user whose home is this test's folder."""

    def run(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        named = {"HOME": str(tmp_path), "LLAMACPP_FOLDER": str(tmp_path / "own"), **settings}
        hidden = ("HF_HOME", "HF_HUB_CACHE", "LLAMA_CACHE", "OLLAMA_MODELS", "XDG_CACHE_HOME")
        environment = {name: value for name, value in os.environ.items() if name not in hidden} | named
        done = run_footnote("models", *arguments, environment=environment)
        assert done.returncode == 0, done.stderr
        return done

    return run


def put(path: Path, keys: dict[str, str | int]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_gguf(path, keys)
    return path


def put_in_ollama(folder: Path, name: str, digest: str) -> Path:
    manifest = folder / "manifests" / name
    manifest.parent.mkdir(parents=True)
    layers = [
        {"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:0"},
        {"mediaType": "application/vnd.ollama.image.model", "digest": digest},
    ]
    manifest.write_text(json.dumps({"layers": layers}))
    return put(folder / "blobs" / digest.replace(":", "-"), WRITER)


def test_models_of_several_programs_are_listed(models: List, tmp_path: Path) -> None:
    put(tmp_path / "own" / "deep" / "Mine.gguf", WRITER)
    put(tmp_path / "own" / "mmproj.gguf", {"general.architecture": "clip"})
    (tmp_path / "own" / "broken.gguf").write_bytes(b"GGUF")
    studio = put(tmp_path / ".lmstudio" / "models" / "maker" / "repository" / "Large.gguf", WRITER)
    hub = tmp_path / ".cache" / "huggingface" / "hub" / "models--maker--embedder"
    blob = put(hub / "blobs" / "1234", EMBEDDER)
    linked = hub / "snapshots" / "5678" / "embedder.gguf"
    linked.parent.mkdir(parents=True)
    linked.symlink_to(blob)
    library = put_in_ollama(tmp_path / ".ollama" / "models", "registry.ollama.ai/library/small/1b", "sha256:abc")
    found = {model["name"]: model for model in json.loads(models("--json").stdout)}
    assert {name: (model["source"], model["model"]) for name, model in found.items()} == {
        "Mine": ("LLAMACPP_FOLDER", "llamacpp/deep/Mine.gguf"),
        "Large": ("LM Studio", f"llamacpp/{studio}"),
        "embedder": ("Hugging Face", f"llamacpp/{linked}"),
        "small:1b": ("Ollama", f"llamacpp/{library}"),
    }
    assert {name: model["kind"] for name, model in found.items() if model["kind"] != "CHAT"} == {
        "embedder": "EMBEDDING"
    }
    mine = found["Mine"]
    assert (mine["contextWindow"], mine["maxContextWindow"]) == (4096, 4096)
    # Two windows of ten layers with two heads of 128 numbers for keys and values, two bytes each, beside the file.
    assert mine["memoryBytes"] - mine["fileBytes"] - 100_000_000 == 2 * 4096 * 10 * 2 * (128 + 128) * 2


def test_a_header_of_any_length_is_read(models: List, tmp_path: Path) -> None:
    put(tmp_path / "own" / "Long.gguf", {"tokenizer.chat_template": "x" * (20 << 20), **WRITER})
    [found] = json.loads(models("--json").stdout)
    assert (found["name"], found["maxContextWindow"]) == ("Long", 4096)


def test_the_table_says_what_each_takes_with_the_windows_that_are_set(models: List, tmp_path: Path) -> None:
    put(tmp_path / "own" / "Mine.gguf", WRITER)
    shown = models(LLAMACPP_NUM_CTX="1024", LLAMACPP_SLOTS="4").stdout.splitlines()
    assert shown[0].split() == ["MODEL", "FROM", "FILE", "MEMORY", "WINDOW", "TO", "USE", "IT"]
    expected = ["Mine", "LLAMACPP_FOLDER", "1", "MB", "142", "MB", "1,024", "CHAT_MODEL=llamacpp/Mine.gguf"]
    assert [line.split() for line in shown[1:]] == [expected]


def test_nothing_found_is_told_with_the_places(models: List) -> None:
    listed = models()
    assert listed.stdout == ""
    assert listed.stderr.splitlines() == [
        "No GGUF files in LLAMACPP_FOLDER, nor in the folders of Ollama, LM Studio, Hugging Face and llama.cpp.",
        "For 16 languages in one project, in 140 MB: EMBEDDING_MODEL=embedded/multilingual",
    ]


def test_a_file_that_is_downloaded_again_meanwhile_ends_nothing(models: List, tmp_path: Path) -> None:
    """A file that becomes shorter while it is mapped into memory ends the process that reads it."""
    first = put(tmp_path / "own" / "0.gguf", {**WRITER, **{f"tokenizer.{number}": "x" for number in range(50_000)}})
    for number in range(1, 20):
        (tmp_path / "own" / f"{number}.gguf").hardlink_to(first)
    whole, ended = first.read_bytes(), threading.Event()

    def download() -> None:
        while not ended.is_set():
            first.write_bytes(whole)  # shortens it first
            for _ in range(20):
                assert first.read_bytes() == whole

    with ThreadPoolExecutor(1) as threads:
        downloading = threads.submit(download)
        try:
            models()
        finally:
            ended.set()
            downloading.result()


def test_what_cannot_be_followed_or_understood_is_left_out(models: List, tmp_path: Path) -> None:
    put(tmp_path / "own" / "Mine.gguf", WRITER)
    for loop in (tmp_path / "own" / "again.gguf", tmp_path / "own" / "deep" / "again"):
        loop.parent.mkdir(exist_ok=True)
        loop.symlink_to(loop)
    library = tmp_path / ".ollama" / "models"
    put_in_ollama(library, "registry.ollama.ai/library/small/1b", "sha256:abc")
    odd = library / "manifests" / "registry.ollama.ai" / "library" / "odd"
    odd.mkdir()
    model: dict[str, object] = {"mediaType": "application/vnd.ollama.image.model"}
    for tag, content in enumerate(({"layers": [{**model, "digest": 5}]}, {"layers": [{**model, "digest": ["x"]}]}, [])):
        (odd / str(tag)).write_text(json.dumps(content))
    (odd / "deep").write_text("[" * 100_000)
    assert sorted(model["name"] for model in json.loads(models("--json").stdout)) == ["Mine", "small:1b"]
