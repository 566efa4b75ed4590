"""Run a module in this process, which kills itself at a point. The interpreter's own tracing tells when it gets there.

The product runs as it is.
"""

import os
import runpy
import signal
import sys
import threading
from types import CodeType, FrameType
from typing import Any

from tests.torture.points import BY_NAME, Point, has_line


class Killer:
    """A trace function that kills this process at once when a point is passed for the `hit`th time."""

    def __init__(self, point: Point, hit: int) -> None:
        self._point = point
        self._left = hit
        self._file, self._line = str(point.place.file), point.place.line
        self._marked: dict[CodeType, bool] = {}
        self._armed = False

    def install(self) -> None:
        """Install it for future threads: none can be reached from outside once it runs."""
        threading.settrace(self.called)

    def arm(self, *_: object) -> None:
        """Kill from now on, also from this thread; works as a signal handler."""
        self._armed = True
        sys.settrace(self.called)

    def called(self, frame: FrameType, event: str, _: Any) -> Any:
        """A function is entered or a coroutine resumed; only the point's own is traced line by line."""
        code = frame.f_code
        if not self._armed or code.co_filename != self._file:
            return None
        if code not in self._marked:
            self._marked[code] = has_line(code, self._line)
        return self.stepped if self._marked[code] else None

    def stepped(self, frame: FrameType, event: str, _: Any) -> Any:
        """A line is about to run."""
        if event == "line" and frame.f_lineno == self._line and self._is_here(frame):
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return self.stepped

    def _is_here(self, frame: FrameType) -> bool:
        wanted = self._point.when
        return self._point.is_here(frame.f_code, frame.f_lasti) and (wanted is None or wanted(frame.f_locals))


def run(module: str, point: str | None, hit: int, *, at_once: bool) -> None:
    """Run a module as `python -m` does, until the point of this name is passed for the `hit`th time.

    Passes count `at_once`, or from SIGUSR1 on.
    """
    if point is not None:
        killer = Killer(BY_NAME[point], hit)
        killer.install()
        if at_once:
            killer.arm()
        else:
            signal.signal(signal.SIGUSR1, killer.arm)
    runpy.run_module(module, run_name="__main__", alter_sys=True)
