"""Datagram sockets between the processes on one database: a folder next to the database, one socket per process.

The folder is next to the database so that every process that can open the database finds it: temporary folders differ
between services, containers and users. A process that dies leaves its socket behind; the first peer that writes to it
removes it.
"""

import errno
import os
import secrets
import socket
import stat
from contextlib import suppress
from pathlib import Path

MAX_MESSAGE_BYTES = 4096
# The longest path of a socket: 108 bytes on Linux and 104 elsewhere, including the terminating zero.
_MAX_PATH_BYTES = 103
_NAME_BYTES = 8
# Prefixes the name of a socket that is not bound yet; nobody writes to it.
_UNFINISHED = "."
# Another process may remove the empty folder just before this one uses it.
_ATTEMPTS = 5


class PeerSockets:
    """This process's socket and the names of its peers' sockets, in the folder `<database>-wake/`."""

    def __init__(self, database: Path) -> None:
        resolved = database.resolve()
        self._database = resolved
        self._folder = resolved.with_name(f"{resolved.name}-wake")
        self._name = secrets.token_hex(_NAME_BYTES)
        self._socket: socket.socket | None = None
        self._folder_fd: int | None = None
        self._prefix = ""
        self._peers: list[str] = []
        self._listed_at: int | None = None

    def open(self) -> int:
        """Create the folder and this process's socket, and return its file descriptor. Raises OSError if it cannot."""
        if not hasattr(socket, "AF_UNIX"):
            raise OSError(errno.EAFNOSUPPORT, "this system has no Unix sockets")
        for attempt in range(_ATTEMPTS):
            try:
                self._make_folder()
                return self._bind()
            except FileNotFoundError:
                self.close()
                if attempt == _ATTEMPTS - 1:
                    raise
            except OSError:
                self.close()
                raise
        raise AssertionError

    def _make_folder(self) -> None:
        with suppress(FileExistsError):
            self._folder.mkdir(mode=0o700)
            self._give_to_owner(str(self._folder))
        found = self._folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, f"{self._folder} is not a folder")
        if found.st_mode & 0o077:
            self._folder.chmod(0o700)
        self._prefix = str(self._folder)
        if len(os.fsencode(self._prefix)) + 2 + 2 * _NAME_BYTES > _MAX_PATH_BYTES:
            # On Linux, an open folder has a short alias, however long its path is.
            self._folder_fd = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
            self._prefix = f"/proc/self/fd/{self._folder_fd}"

    def _bind(self) -> int:
        self._socket = new_socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        new_socket.setblocking(False)
        # Bound under a temporary name first: a peer would take a socket that is not fully bound for a dead one.
        unfinished = self._path(_UNFINISHED + self._name)
        new_socket.bind(unfinished)
        self._give_to_owner(unfinished)
        os.rename(unfinished, self._path(self._name))  # noqa: PTH104 - both are strings
        return new_socket.fileno()

    def _give_to_owner(self, path: str) -> None:
        """Give what an administrator's command creates to the database's owner, whose server must reach it."""
        owner = self._database.stat() if self._database.exists() else None
        if owner is not None and owner.st_uid != os.geteuid():
            with suppress(OSError):
                os.chown(path, owner.st_uid, owner.st_gid)

    def _path(self, name: str) -> str:
        return f"{self._prefix}/{name}"

    @property
    def is_reachable(self) -> bool:
        """Whether peers can still find this process's socket."""
        return self._socket is not None and (self._folder / self._name).exists()

    def list_peers(self) -> list[str]:
        """The names of the other processes' sockets. The folder is read again only when it has changed."""
        try:
            changed_at = os.stat(self._folder).st_mtime_ns  # noqa: PTH116 - a Path takes twice as long
            if changed_at != self._listed_at:
                names = os.listdir(self._folder)  # noqa: PTH208 - the same
                self._peers = [name for name in names if name != self._name and not name.startswith(_UNFINISHED)]
                self._listed_at = changed_at
        except OSError:
            self.forget_listing()
            return []
        return self._peers

    def forget_listing(self) -> None:
        """Read the folder again next time, even if its modification time, which is coarse, has not changed."""
        self._listed_at, self._peers = None, []

    def send(self, peer: str, message: bytes) -> bool:
        """Send without waiting; returns False if the peer's queue is full. Removes a dead peer's socket."""
        if self._socket is None:
            return True
        try:
            self._socket.sendto(message, self._path(peer))
        except (BlockingIOError, InterruptedError):
            return False
        except ConnectionRefusedError:
            with suppress(OSError):
                os.unlink(self._path(peer))  # noqa: PTH108 - a string
            self.forget_listing()
        except FileNotFoundError:
            self.forget_listing()
        except OSError as error:
            return error.errno != errno.ENOBUFS
        return True

    def receive(self) -> bytes | None:
        """The next message, or None. A message that is too long is returned as an empty one."""
        if self._socket is None:
            return None
        try:
            message = self._socket.recv(MAX_MESSAGE_BYTES + 1)
        except OSError:
            return None
        return message if len(message) <= MAX_MESSAGE_BYTES else b""

    def close(self) -> None:
        """Remove this process's socket, and the folder if no socket is left in it."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            for name in (self._name, _UNFINISHED + self._name):
                with suppress(OSError):
                    os.unlink(self._path(name))  # noqa: PTH108 - a string
        if self._folder_fd is not None:
            os.close(self._folder_fd)
            self._folder_fd = None
        with suppress(OSError):
            self._folder.rmdir()
