"""Footnote: chat that answers from a project's documents, with footnotes the server has checked."""

import os

__version__ = "0.2.0"

# Before numpy is imported: its products here are small, and a thread of its own per core would spin on that core for
# some hundredths of a second after the start, and after each product that is not.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
