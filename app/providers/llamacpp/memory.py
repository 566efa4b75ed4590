"""Estimate the memory that a model needs, and read how much this machine has available."""

from pathlib import Path

from app.providers.llamacpp.gguf import ModelFile

# For llama.cpp, Python, and the buffers of a batch (measured with models of 23 to 135 million parameters).
_BASE_BYTES = 100_000_000
_MEMINFO = Path("/proc/meminfo")
_CGROUP = Path("/sys/fs/cgroup")


def estimate_bytes(file: ModelFile, window: int, slots: int) -> int:
    """The memory of a process that runs `file` with `slots` windows of `window` tokens."""
    return file.file_bytes + file.cache_bytes * window * slots + _BASE_BYTES


def read_available_bytes() -> int | None:
    """The memory available to a new process, within the container's limit; None if unknown."""
    found = [bytes_ for bytes_ in (_machine_bytes(), _container_bytes()) if bytes_ is not None]
    return min(found, default=None)


def _machine_bytes() -> int | None:
    try:
        lines = _MEMINFO.read_text(encoding="ascii").splitlines()
        available = next(line.split()[1] for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, IndexError):
        return None
    return int(available) * 1024


def _container_bytes() -> int | None:
    """The memory that the control group allows; cached files count as free."""
    try:
        limit = int((_CGROUP / "memory.max").read_text(encoding="ascii"))
        used = int((_CGROUP / "memory.current").read_text(encoding="ascii"))
        lines = (_CGROUP / "memory.stat").read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return None
    cached = next((int(line.split()[1]) for line in lines if line.startswith("inactive_file ")), 0)
    return max(0, limit - used + cached)


def format_bytes(count: int) -> str:
    """`98 MB`, `4.7 GB`."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{max(1, round(count / 1e6))} MB"
