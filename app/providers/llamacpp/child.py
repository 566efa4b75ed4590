"""The program of the child process that runs one model: llama.cpp's own server, which serves only the parent.

It reads one line of JSON from standard input, writes reports to standard output as lines of JSON, and ends when its
standard input closes, which happens however its parent ends. It imports nothing from the application, so it starts at
once, and a crash loses nothing.
"""

import importlib
import json
import os
import select
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None

xllamacpp: Any = importlib.import_module("xllamacpp")  # it has no types, and no wheel for some systems

# An answer that is cancelled while its prompt is read stops after two more batches: in about a tenth of a second.
# With batches of 8 tokens, a prompt takes a fifth longer than with batches of 64; larger ones gain nothing on a CPU.
_BATCH_SECONDS = 0.05
_SMALLEST_BATCH, _LARGEST_BATCH, _GPU_BATCH = 4, 64, 512
# Prompt tokens per second and thread, times the bytes of the model (measured with 98 and 606 million bytes).
_READING_SPEED = 20e9
_READ_BYTES, _REPORTED_PERCENT = 16 << 20, 10
_ERRORS_AND_WARNINGS = 2
_RESERVED_SNAPSHOTS = 3  # for models that cannot rewind their cache
_FAILED = 1
_LOG_SECONDS = 0.2  # llama.cpp logs the reason for a failure on a thread, which ends with the process


def main() -> None:
    """Load the model, report the server's address, and serve until the parent ends."""
    reports = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # llama.cpp's own output must not look like a report
    launch: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    _end_with_parent()
    _yield_to_parent(launch["cores"])

    def report(**fields: object) -> None:
        reports.write(json.dumps(fields) + "\n")
        reports.flush()

    _read_ahead(launch["parts"], launch["file_bytes"], report)
    try:
        server = xllamacpp.Server(_make_params(launch))
    except RuntimeError:
        time.sleep(_LOG_SECONDS)
        sys.exit(_FAILED)
    report(address=server.listening_address)
    threading.Event().wait()


def _end_with_parent() -> None:
    """End when standard input closes: at once if the system sends a signal, else once no call into C is running."""
    if fcntl is not None and sys.platform == "linux":  # elsewhere the signal is ignored by default
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
        if select.select([0], [], [], 0)[0]:
            os._exit(0)

    def wait() -> None:
        with suppress(OSError):
            while os.read(0, 4096):
                pass
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def _yield_to_parent(cores: list[int]) -> None:
    """Give the server priority for the processor, and when memory runs out. The server may be pinned to one core."""
    with suppress(AttributeError, OSError):
        os.sched_setaffinity(0, cores)
    with suppress(AttributeError, OSError):
        os.nice(5)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _read_ahead(parts: list[str], total: int, report: Callable[..., None]) -> None:
    """Read the model into the system's cache, which takes most of the loading time, and report the progress."""
    shown, read = 0, 0
    buffer = bytearray(_READ_BYTES)
    for part in parts:
        with Path(part).open("rb", buffering=0) as file:
            while count := file.readinto(buffer):
                read += count
                percent = 100 * read // total
                if percent >= shown + _REPORTED_PERCENT:
                    shown = percent
                    report(percent=percent)


def _make_params(launch: dict[str, Any]) -> Any:
    params = xllamacpp.CommonParams()
    params.model.path = launch["parts"][0]
    params.model_alias = {launch["name"]}
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], 0, [launch["key"]]
    params.ui, params.offline, params.endpoint_slots = False, True, False
    params.verbosity = _ERRORS_AND_WARNINGS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = launch["threads"]
    # Each slot has its own window, so that one answer never takes space from another.
    params.n_parallel, params.n_ctx, params.kv_unified = launch["slots"], launch["window"] * launch["slots"], False
    # Copies of old prompts would take memory that `memory.estimate_bytes` does not include.
    params.cache_ram_mib, params.n_ctx_checkpoints = 0, _RESERVED_SNAPSHOTS
    params.fit_params = has_gpu = _has_gpu()
    if launch["use"] == "CHAT":
        params.use_jinja = True
        params.n_batch = params.n_ubatch = _GPU_BATCH if has_gpu else _choose_batch(launch)
        if not has_gpu:  # on a CPU, flash attention is slower in small batches, and can double the generation time
            params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    else:
        params.embedding = True
        params.n_batch = params.n_ubatch = launch["window"]  # a text is processed in one batch
    if launch["use"] == "RERANK":
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_RANK
    return params


def _choose_batch(launch: dict[str, Any]) -> int:
    """The largest power of two of tokens that this machine can read in about _BATCH_SECONDS; at least one per slot."""
    tokens = _BATCH_SECONDS * _READING_SPEED * launch["threads"] / launch["file_bytes"]
    batch = _SMALLEST_BATCH
    while batch < _LARGEST_BATCH and (2 * batch <= tokens or batch < launch["slots"]):
        batch *= 2
    return batch


def _has_gpu() -> bool:
    kinds = xllamacpp.ggml_backend_dev_type
    gpus = {kinds.GGML_BACKEND_DEVICE_TYPE_GPU, kinds.GGML_BACKEND_DEVICE_TYPE_IGPU}
    return any(device["type"] in gpus for device in xllamacpp.get_device_info())


if __name__ == "__main__":
    main()
