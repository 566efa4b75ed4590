"""A real llama.cpp server with a small real model, from the package `xllamacpp`; skipped where it is missing.

The models are found in the folder FOOTNOTE_MODELS, else in ../shared/models beside the repository. In continuous
integration a missing one is a failure.
"""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
MODELS = Path(os.environ.get("FOOTNOTE_MODELS") or ROOT.parent / "shared" / "models")
CHAT, EMBEDDING = MODELS / "tiny-chat.gguf", MODELS / "all-minilm-l6-v2-f16.gguf"
WINDOW = 1024

PROGRAM = """
import sys, xllamacpp
kind, path, window = sys.argv[1:]
p = xllamacpp.CommonParams()
p.model.path, p.hostnames, p.port, p.offline, p.ui = path, ["127.0.0.1"], 0, True, False
p.n_parallel, p.n_ctx = 2, int(window) * 2
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1
p.endpoint_slots = True
if kind == "embed":
    p.embedding, p.n_batch, p.n_ubatch = True, int(window), int(window)
else:
    p.use_jinja = True
server = xllamacpp.Server(p)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
"""


def missing() -> str | None:
    if importlib.util.find_spec("xllamacpp") is None:
        return "xllamacpp is not installed"
    absent = [path.name for path in (CHAT, EMBEDDING) if not path.is_file()]
    return f"no {' and no '.join(absent)} in FOOTNOTE_MODELS" if absent else None


@contextmanager
def llamacpp(kind: str, model: Path, window: int) -> Generator[str]:
    """The address of a server that stops when its standard input closes."""
    reason = missing()
    if reason and os.environ.get("CI") == "true":
        pytest.fail(f"llama.cpp must be tested here: {reason}")
    if reason:
        pytest.skip(reason)
    command = [sys.executable, "-c", PROGRAM, kind, str(model), str(window)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin and process.stdout
        try:
            lines = iter(process.stdout.readline, "")
            address = next((line.split()[-1] for line in lines if line.startswith("listening")), None)
            assert address, "llama.cpp did not start"
            yield address
        finally:
            process.stdin.close()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
