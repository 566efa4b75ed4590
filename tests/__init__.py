"""Tests of Footnote, and programs that measure it."""

import os
import signal
import sys
import threading

# Servers of tests and of measurements begin without a project that nobody asked for.
os.environ.setdefault("SAMPLE_PROJECT", "false")

# The product and the tests are compiled once, not by each process of the tests and by hundreds of servers and commands.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Under `nohup`, SIGHUP is ignored, and by all that is started, too; what is handled here is not handled there.
_in_main_thread = threading.current_thread() is threading.main_thread()
if _in_main_thread and hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda _, __: None)
