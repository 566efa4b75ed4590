"""Notifications between writers and readers, in one process and between several."""

import asyncio
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.database import opening
from app.notifier import topics
from app.notifier.local import LocalNotifier
from app.notifier.machine import LOOK_AGAIN_SECONDS, MachineNotifier
from app.notifier.opening import open_notifier
from app.notifier.server import ServerNotifier
from app.notifier.topics import Topic
from tests import postgres, skipping

# Shorter than the time after which all subscribers look again by themselves.
SOON = LOOK_AGAIN_SECONDS / 2
ANSWER = topics.answer("0" * 32)
# A process that opens a notifier, and says which topic it hears; a line on standard input makes it notify.
PEER = """
import asyncio, sys
from pathlib import Path
from app.notifier import topics
from app.notifier.machine import MachineNotifier

async def main():
    with MachineNotifier.opened(Path(sys.argv[1])) as notifier, notifier.subscribe(topics.ACCESS) as changes:
        print("ready", flush=True)
        notify = lambda: notifier.notify(topics.Topic(sys.stdin.readline()[:-1]))
        asyncio.get_running_loop().add_reader(sys.stdin, notify)
        while True:
            print(*await changes.wait(), flush=True)

asyncio.run(main())
"""


@contextmanager
def peer(database: Path) -> Generator[subprocess.Popen[str]]:
    """Another process on the same database."""
    command = [sys.executable, "-c", PEER, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


def tell(process: subprocess.Popen[str], topic: Topic) -> None:
    """Make another process notify."""
    assert process.stdin is not None
    process.stdin.write(f"{topic}\n")
    process.stdin.flush()


async def heard(process: subprocess.Popen[str]) -> str:
    """What another process hears next."""
    assert process.stdout is not None
    async with asyncio.timeout(SOON):
        return (await asyncio.to_thread(process.stdout.readline)).strip()


def sockets(database: Path) -> set[str]:
    """The sockets of the processes on a database."""
    return {path.name for path in database.with_name(f"{database.name}-wake").iterdir()}


@pytest.mark.parametrize("steps", range(6))
async def test_a_waiter_cancelled_during_a_notification_is_cancelled(steps: int) -> None:
    """A worker that lost its cancellation would keep waiting, and the server would never stop."""
    notifier = LocalNotifier()
    began = asyncio.Event()

    async def work() -> None:
        with notifier.subscribe(topics.ACCESS) as changes:
            began.set()
            while True:
                await changes.wait()

    worker = asyncio.create_task(work())
    await began.wait()
    await asyncio.sleep(0)
    notifier.notify(topics.ACCESS)
    for _ in range(steps):
        await asyncio.sleep(0)
    worker.cancel()
    await asyncio.wait([worker], timeout=120)
    cancelled = worker.cancelled()
    worker.cancel()
    assert cancelled


async def test_what_is_notified_between_two_waits_is_heard_at_the_next() -> None:
    notifier = LocalNotifier()
    with notifier.subscribe(topics.ACCESS, ANSWER) as changes:
        for topic in (ANSWER, topics.ACCESS, ANSWER, topics.INGESTION_QUEUE):
            notifier.notify(topic)
        assert await changes.wait() == {ANSWER, topics.ACCESS}
        changes.discard(ANSWER)
        notifier.notify(ANSWER)
        notifier.notify(topics.EVERYTHING)
        assert await changes.wait() == {topics.ACCESS}


@pytest.mark.parametrize("folder", ["short", "/".join(["long" * 20] * 3)], ids=["short", "long"])
async def test_processes_on_one_database_hear_each_other(tmp_path: Path, folder: str) -> None:
    """However long the path is, which a socket's may not be; and through a link to the database, too."""
    (tmp_path / folder).mkdir(parents=True)
    database, link = tmp_path / folder / "footnote.db", tmp_path / "link.db"
    database.touch()
    link.symlink_to(database)
    with MachineNotifier.opened(link) as notifier, notifier.subscribe(ANSWER) as changes, peer(database) as other:
        assert stat.S_IMODE(database.with_name("footnote.db-wake").stat().st_mode) == 0o700
        tell(other, ANSWER)
        async with asyncio.timeout(SOON):
            assert await changes.wait() == {ANSWER}
        notifier.notify(topics.ACCESS)
        assert await heard(other) == topics.ACCESS


async def test_a_folder_goes_with_its_last_process(tmp_path: Path) -> None:
    with MachineNotifier.opened(tmp_path / "footnote.db"), MachineNotifier.opened(tmp_path / "footnote.db"):
        assert len(sockets(tmp_path / "footnote.db")) == 2
    assert not (tmp_path / "footnote.db-wake").exists()


async def test_a_killed_process_leaves_no_socket_for_long(tmp_path: Path) -> None:
    database = tmp_path / "footnote.db"
    with MachineNotifier.opened(database) as notifier, peer(database) as other:
        assert len(sockets(database)) == 2
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert len(sockets(database)) == 2
        notifier.notify(topics.ACCESS)
        await asyncio.sleep(0)
        assert len(sockets(database)) == 1


async def test_a_stopped_process_delays_nobody_and_hears_all_when_it_goes_on(tmp_path: Path) -> None:
    """Its queue is full after a few messages; what it has missed reaches it later."""
    database = tmp_path / "footnote.db"
    with MachineNotifier.opened(database) as notifier, peer(database) as other:
        other.send_signal(signal.SIGSTOP)
        for number in range(3_000):
            notifier.notify(topics.answer(f"{number}"))
            await asyncio.sleep(0)
        notifier.notify(topics.ACCESS)
        await asyncio.sleep(0)
        other.send_signal(signal.SIGCONT)
        assert await heard(other) == topics.ACCESS


async def test_what_is_no_topic_is_ignored(tmp_path: Path) -> None:
    database = tmp_path / "footnote.db"
    with MachineNotifier.opened(database) as notifier, notifier.subscribe(topics.ACCESS) as changes:
        [name] = sockets(database)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stranger:
            stranger.connect(str(tmp_path / "footnote.db-wake" / name))
            for message in (b"\xff\x00", b"access ", b"ACCESS", b"answer:", b"answer:../x", b"access\n" * 1_000):
                stranger.send(message)
            stranger.send(b"nonsense\naccess\nmore nonsense")
        async with asyncio.timeout(SOON):
            assert await changes.wait() == {topics.ACCESS}
        notifier.notify(topics.EVERYTHING)
        assert await changes.wait() == {topics.ACCESS}


async def test_a_process_whose_socket_was_removed_makes_another(tmp_path: Path) -> None:
    database = tmp_path / "footnote.db"
    with MachineNotifier.opened(database) as notifier, notifier.subscribe(ANSWER) as changes:
        (tmp_path / "footnote.db-wake" / sockets(database).pop()).unlink()
        notifier.ensure_reachable()
        await changes.wait()  # somebody may have notified meanwhile
        with peer(database) as other:
            tell(other, ANSWER)
            async with asyncio.timeout(SOON):
                assert await changes.wait() == {ANSWER}


async def _times_looked_again(notifier: MachineNotifier, seconds: float) -> int:
    """How often subscribers wake by themselves in so much time."""
    looks = 0
    with notifier.subscribe(topics.ACCESS) as changes:

        async def count() -> None:
            nonlocal looks
            while True:
                await changes.wait()
                looks += 1

        counting = asyncio.create_task(count())
        for _ in range(int(seconds)):
            await skipping.skip(1.0)
        counting.cancel()
    return looks


def test_subscribers_look_again_only_while_there_are_other_processes(tmp_path: Path) -> None:
    async def test() -> None:
        database = tmp_path / "footnote.db"
        with MachineNotifier.opened(database) as notifier:
            assert await _times_looked_again(notifier, 5 * LOOK_AGAIN_SECONDS) == 0
            with MachineNotifier.opened(database):
                looks = await _times_looked_again(notifier, 5 * LOOK_AGAIN_SECONDS)
                assert looks in (4, 5)
            await _times_looked_again(notifier, LOOK_AGAIN_SECONDS + 1)  # it has yet to find itself alone
            assert await _times_looked_again(notifier, 5 * LOOK_AGAIN_SECONDS) == 0

    skipping.run(test())


def test_where_no_socket_can_be_made_subscribers_look_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "footnote.db-wake").touch()  # no folder can be there

    async def test() -> None:
        with MachineNotifier.opened(tmp_path / "footnote.db") as notifier:
            notifier.notify(topics.ACCESS)
            assert await _times_looked_again(notifier, 5 * LOOK_AGAIN_SECONDS) in (4, 5)

    skipping.run(test())
    assert "no socket for notifications from other processes" in caplog.text


class SlowConnection:
    """A connection of asyncpg whose first statement takes an hour."""

    def __init__(self) -> None:
        self.sending = asyncio.Event()
        self.sent: list[str] = []

    def add_termination_listener(self, _: object) -> None: ...

    async def add_listener(self, *_: object) -> None: ...

    def is_closed(self) -> bool:
        return False

    async def executemany(self, _: str, messages: list[tuple[str, str]]) -> None:
        if not self.sending.is_set():
            self.sending.set()
            await asyncio.sleep(3600)
        self.sent += [message for _, message in messages]

    async def close(self) -> None: ...

    def terminate(self) -> None: ...


async def test_what_was_being_sent_when_the_server_stops_is_sent() -> None:
    connection = SlowConnection()

    async def connect() -> SlowConnection:
        return connection

    async with ServerNotifier.opened(connect, (OSError,)) as notifier:
        notifier.notify(ANSWER)
        await connection.sending.wait()
    assert [[*topics.decode(message.encode())] for message in connection.sent] == [[ANSWER]]


async def test_what_is_notified_while_earlier_topics_are_sent_is_heard_soon_as_well() -> None:
    """The end of an answer follows its last words so closely that these are still on their way."""
    with postgres.empty_database() as url:
        database = opening.open_database(url)
        async with open_notifier(database.location) as notifier, open_notifier(database.location) as other:
            for number in range(20):
                ended = topics.answer(f"{number}")
                with other.subscribe(ended) as changes:
                    for words in range(50):
                        notifier.notify(topics.answer(f"{number}-{words}"))
                        await asyncio.sleep(0)
                    notifier.notify(ended)
                    async with asyncio.timeout(SOON):
                        assert await changes.wait() == {ended}
        await database.close()
