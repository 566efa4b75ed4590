"""Tests of Footnote, and programs that measure it."""

import os
import sys

# Servers of tests and of measurements begin without a project that nobody asked for.
os.environ.setdefault("SAMPLE_PROJECT", "false")

# The product and the tests are compiled once, not by each process of the tests and by hundreds of servers and commands.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
