"""Measure `footnote copy` of one project from SQLite to PostgreSQL and back: time, processor time and peak memory.

`python -m tests.bench copying 100000`. TEST_POSTGRES_URL names a server; without it, one is started that does not wait
for the disk. The command itself compares rows, vectors and ten searches, and fails if they differ.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from app.services import open_backend
from app.settings import Settings
from tests import postgres
from tests.bench.measured import Row, tell
from tests.bench.search import searching


async def measure(chunks: int = 100_000) -> list[Row]:
    """Copy a new database of so many chunks there and back."""
    with tempfile.TemporaryDirectory() as folder, postgres.empty_database() as server:
        file, back = Path(folder) / "bench.db", Path(folder) / "back.db"
        async with open_backend(Settings.model_validate({"database_url": f"sqlite:///{file}"}), "ask") as footnote:
            await searching.fill_project(footnote, chunks)
        size = f"{chunks:,} chunks, {file.stat().st_size / 1e6:,.0f} MB"
        return [
            Row(f"{size}, to PostgreSQL", _copy(f"sqlite:///{file}", server)),
            Row("back to SQLite", _copy(server, f"sqlite:///{back}")),
        ]


def _copy(source: str, target: str) -> str:
    """Run the command; what it took."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "copy", "--to", target],
        env={**os.environ, "DATABASE_URL": source},
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    said = process.stdout.readline().decode()
    # Not from its usage, which begins with what this process takes. It has done everything, and is about to end.
    peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, said
    tell(said.strip())
    processor = usage.ru_utime + usage.ru_stime
    seconds = time.perf_counter() - began
    memory = f"{int(peak[1]) // 1024} MB" if peak else "unknown"
    return f"{seconds:.1f} s, {processor:.1f} CPU s, at most {memory}"
