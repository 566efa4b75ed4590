"""Upload a folder of odd files; report what became of each, and whether the server stayed healthy.

    python -m tests.evaluation.odd_files FOLDER [--seconds 20] [--together 24] [--by-folder] [--results FILE]

The server is `footnote serve` in a process of its own. While the odd files are read, small healthy documents are added
to another project and must be ready in time. Exit code 1 when anything that must hold did not: the same process lives
and says that it is well, no document fails for a reason of ours (INTERNAL), no worker is busy after the last, nothing
is left in the temporary folder, and `footnote check` finds rows, full text and vectors in agreement.
"""

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.forks.commands import FootnoteProcess
from tests.graphql.client import INGESTION, Client, Json
from tests.serving import serve_in_process

UPLOAD = """mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) {
  __typename ... on UploadDocumentPayload { document { id } } ... on ValidationError { issues { code } }
  ... on Error { message } } }"""
_CONTROL_PAUSE = 2.0
_WATCH_PAUSE = 0.25
# A document's time is the limit and this: uploading it, waiting for the few before it, storing it.
_PATIENCE = 15.0
_KINDS = 24
_HERTZ = os.sysconf("SC_CLK_TCK")

out = Console(highlight=False, soft_wrap=True)


@dataclass(frozen=True)
class Ended:
    """The outcome of one file; `reached` is the time from upload to outcome in seconds."""

    path: Path
    code: str
    message: str
    reached: float


@dataclass
class Watched:
    """Samples of the processes at work, in bytes and seconds."""

    server_memory: int = 0
    worker_memory: int = 0
    workers: int = 0
    health: list[float] = field(default_factory=list[float])
    said: Counter[str] = field(default_factory=Counter[str])
    broken: Counter[str] = field(default_factory=Counter[str])
    controls: list[float] = field(default_factory=list[float])


@dataclass(frozen=True)
class Served:
    """A running server and its folders."""

    process: FootnoteProcess
    url: str
    environment: dict[str, str]
    log: Path
    temporary: Path


@contextmanager
def serving(folder: Path, seconds: float) -> Generator[Served]:
    """`footnote serve` over a database in `folder`."""
    temporary = folder / "tmp"
    temporary.mkdir()
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{folder}/odd.db",
        "PARSE_SECONDS": f"{seconds:g}",
        "TMPDIR": str(temporary),
    }
    log = folder / "server.log"
    with (
        log.open("w", encoding="utf-8") as errors,
        serve_in_process(environment, stderr=errors) as (process, url),
    ):
        yield Served(process, url, environment, log, temporary)


async def sent(client: Client, project: str, path: Path, watched: Watched) -> httpx.Response:
    """Upload a file, retrying when a kept-alive connection breaks, as idle ones may."""
    values = {"file": None, "projectId": project, "idempotencyKey": uuid.uuid4().hex}
    operations = {"query": UPLOAD, "variables": {"input": values}}
    name = path.name.encode("utf-8", "replace").decode()
    data = await asyncio.to_thread(path.read_bytes)
    for _ in range(3):
        try:
            return await client.http.post(
                client.url,
                data={"operations": json.dumps(operations), "map": json.dumps({"0": ["variables.input.file"]})},
                files={"0": (name, data, "application/octet-stream")},
                headers={"graphql-require-preflight": "1"},
            )
        except httpx.TransportError as error:
            watched.broken[type(error).__name__] += 1
    return httpx.Response(599, text="The connection broke three times.")


async def upload(client: Client, project: str, path: Path, watched: Watched) -> Ended:
    """Upload one file and follow it to its outcome."""
    start = time.perf_counter()
    response = await sent(client, project, path, watched)

    def ended(code: str, message: str = "") -> Ended:
        return Ended(path, code, message, time.perf_counter() - start)

    if response.status_code != 200:
        return ended(f"HTTP {response.status_code}", response.text[:200])
    added: Json = response.json()["data"]["uploadDocument"]
    if "document" not in added:
        codes = [issue["code"] for issue in added.get("issues", [])]
        refused = {"REQUIRED": "NOT TAKEN", "UNSUPPORTED": "UNSUPPORTED"}
        return ended(refused.get("".join(codes)) or added["__typename"], str(added))
    last = (await client.follow(INGESTION, document=added["document"]["id"]))[-1]
    if last["__typename"] == "IngestionCompleted":
        return ended("READY")
    return ended(last["failure"]["code"], last["failure"]["message"])


async def healthy(client: Client, watched: Watched) -> None:
    """Add small healthy documents one by one, until cancelled."""
    project = await client.project("healthy")
    while True:
        start = time.perf_counter()
        number = len(watched.controls)
        await client.ready(project, f"Control {number}", f"# Control {number}\n\nHealthy text, number {number}.")
        watched.controls.append(time.perf_counter() - start)
        await asyncio.sleep(_CONTROL_PAUSE)


async def watch(server: Served, http: httpx.AsyncClient, watched: Watched) -> None:
    """Sample the processes' memory and the server's health, until cancelled."""
    while True:
        start = time.perf_counter()
        try:
            response = await http.get(f"{server.url}/health")
            watched.said[response.json()["status"]] += 1
        except httpx.HTTPError as error:
            watched.said[type(error).__name__] += 1
        watched.health.append(time.perf_counter() - start)
        workers = children(server.process.pid)
        watched.workers = max(watched.workers, len(workers))
        watched.server_memory = max(watched.server_memory, memory(server.process.pid))
        watched.worker_memory = max([watched.worker_memory, *map(memory, workers)])
        await asyncio.sleep(_WATCH_PAUSE)


def children(parent: int) -> list[int]:
    """The processes that `parent` has started."""
    found: list[int] = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        try:
            found += map(int, task.read_text(encoding="ascii").split())
        except OSError:  # a thread that has ended
            continue
    return found


def memory(process: int) -> int:
    """Resident bytes of a process; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def busy(process: int) -> float:
    """CPU seconds of a process."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _HERTZ


async def still_busy(server: Served) -> list[int]:
    """Workers that are still busy when no document is left."""
    before = {worker: busy(worker) for worker in children(server.process.pid)}
    await asyncio.sleep(1)
    return [worker for worker, seconds in before.items() if busy(worker) - seconds > 0.2]


async def feed(client: Client, paths: Sequence[Path], together: int, watched: Watched) -> list[Ended]:
    """Upload every file, this many at once."""
    project = await client.project("odd")
    waiting = iter(paths)
    ended: list[Ended] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("odd files", total=len(paths))

        async def some() -> None:
            for path in waiting:
                one = await upload(client, project, path, watched)
                ended.append(one)
                if one.code == "INTERNAL":
                    progress.console.print(f"INTERNAL {path}", markup=False)
                progress.advance(task)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(together):
                tasks.create_task(some())
    return ended


async def run(server: Served, paths: Sequence[Path], together: int) -> tuple[list[Ended], Watched, list[int]]:
    """Upload the odd files and the healthy documents at the same time."""
    watched = Watched()
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(timeout=120, limits=limits) as http:
        client = Client(http, server.url)
        async with asyncio.TaskGroup() as tasks:
            beside = [
                tasks.create_task(healthy(client, watched)),
                tasks.create_task(watch(server, http, watched)),
            ]
            ended = await feed(client, paths, together, watched)
            for task in beside:
                task.cancel()
    return ended, watched, await still_busy(server)


def table(title: str, ended: Iterable[Ended], kind: "dict[Path, str]") -> Table:
    """Outcomes by kind of file."""
    counts = Counter((kind[one.path], one.code) for one in ended)
    codes = sorted({code for _, code in counts}, key=lambda code: (code != "READY", code))
    totals = Counter[str]()
    for (name, _), count in counts.items():
        totals[name] += count
    drawn = Table(title, *codes, "all", box=None, pad_edge=False)
    for name, total in totals.most_common():
        drawn.add_row(name, *(str(counts[name, code] or "") for code in codes), str(total))
    drawn.add_row(
        "all", *(str(sum(counts[name, code] for name in totals)) for code in codes), str(sum(totals.values()))
    )
    return drawn


def kinds(paths: Iterable[Path]) -> dict[Path, str]:
    """Each file's suffix, with rare ones grouped."""
    suffixes = {path: path.suffix.lower() or "none" for path in paths}
    common = {suffix for suffix, _ in Counter(suffixes.values()).most_common(_KINDS)}
    return {path: suffix if suffix in common else "others" for path, suffix in suffixes.items()}


def spread(times: Sequence[float]) -> str:
    """Median, 99th percentile and the longest."""
    ordered = sorted(times) or [0.0]
    p99 = ordered[int(len(ordered) * 0.99)]
    return f"p50 {statistics.median(ordered):.3f} s   p99 {p99:.3f} s   max {ordered[-1]:.3f} s"


def report(ended: list[Ended], watched: Watched, folder: Path | None) -> None:
    """Figures of the run."""
    paths = [one.path for one in ended]
    out.print(table("kind", ended, kinds(paths)))
    if folder is not None:
        out.print(table("folder", ended, {path: path.relative_to(folder).parts[0] for path in paths}))
    out.print(f"\nupload to end: {spread([one.reached for one in ended])}")
    for one in sorted(ended, key=lambda one: -one.reached)[:10]:
        out.print(f"  {one.reached:7.3f} s  {one.code:13} {one.path.name[-80:]}", markup=False)
    out.print(f"healthy documents beside: {len(watched.controls)}, {spread(watched.controls)}")
    out.print(f"health: {dict(watched.said)}, {spread(watched.health)}", markup=False)
    out.print(f"connections that broke while a file was sent: {dict(watched.broken)}", markup=False)
    out.print(
        f"memory: server {watched.server_memory >> 20} MB, worker {watched.worker_memory >> 20} MB; "
        f"at most {watched.workers} workers"
    )


def wrong(server: Served, ended: list[Ended], watched: Watched, still: list[int], seconds: float) -> list[str]:
    """The guarantees that failed while the server ran."""
    found = [f"the server is gone: {server.process.returncode}"] if server.process.poll() is not None else []
    log = server.log.read_text(encoding="utf-8", errors="replace").splitlines()
    for one in ended:
        if one.code == "INTERNAL" or one.code.startswith("HTTP") or one.code.endswith("Error"):
            reference = one.message.rpartition("log: ")[2].rstrip(").")
            lines = [line for line in log if reference in line] if reference else []
            found.append(f"{one.code} {one.path.name}: {one.message} {' '.join(lines)}")
        if one.reached > seconds + _PATIENCE:
            found.append(f"{one.path.name} took {one.reached:.1f} s")
    if still:
        found.append(f"workers compute although nothing is left: {still}")
    if not set(watched.said) <= {"OK", "DEGRADED"}:  # that is: the database is busy writing, and says so
        found.append(f"health: {dict(watched.said)}")
    if not watched.controls or max(watched.controls) > seconds + _PATIENCE:
        found.append("a healthy document was not ready in time")
    found += [f"traceback in the log: {line}" for line in log if line.startswith("Traceback")]
    return found


def stopped(server: Served) -> list[str]:
    """The guarantees that failed after the server was asked to stop."""
    found: list[str] = []
    if server.process.poll() is None:
        server.process.send_signal(signal.SIGTERM)
        if code := server.process.wait(30):
            found.append(f"the server's exit code is {code}")
    found += [f"left in the temporary folder: {file.name}" for file in server.temporary.iterdir()]
    checked = subprocess.run(
        [sys.executable, "-m", "app", "check"], env=server.environment, check=False, capture_output=True, text=True
    )
    out.print(f"check: {checked.stdout.strip()}", markup=False)
    if checked.returncode:
        found.append(f"footnote check: {checked.stdout}{checked.stderr}")
    return found


def keep(ended: Iterable[Ended], file: Path, folder: Path) -> None:
    """Write a line of JSON per file, for comparing runs."""
    lines = (
        {"file": str(one.path.relative_to(folder)), "code": one.code, "message": one.message, "seconds": one.reached}
        for one in sorted(ended, key=lambda one: one.path)
    )
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def main(folder: Path, seconds: float, together: int, *, by_folder: bool, results: Path | None) -> int:
    """Serve, feed, report; the exit code."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    with tempfile.TemporaryDirectory() as place, serving(Path(place), seconds) as server:
        ended, watched, still = asyncio.run(run(server, paths, together))
        report(ended, watched, folder if by_folder else None)
        if results is not None:
            keep(ended, results, folder)
        found = wrong(server, ended, watched, still, seconds) + stopped(server)
    for line in found:
        out.print(f"WRONG: {line}", markup=False)
    out.print("Something did not hold." if found else "Everything held.")
    return 1 if found else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="folder of files of any kind")
    parser.add_argument("--seconds", type=float, default=20, help="PARSE_SECONDS of the server")
    parser.add_argument("--together", type=int, default=24, help="how many files are on their way at once")
    parser.add_argument("--by-folder", action="store_true", help="also count by the folders in FOLDER")
    parser.add_argument("--results", type=Path, help="where to write what became of each file")
    given = parser.parse_args()
    sys.exit(main(given.folder, given.seconds, given.together, by_folder=given.by_folder, results=given.results))
