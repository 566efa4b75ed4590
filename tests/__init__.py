"""Tests of Footnote, and programs that measure it."""

import os

# Servers of tests and of measurements begin without a project that nobody asked for.
os.environ.setdefault("SAMPLE_PROJECT", "false")
