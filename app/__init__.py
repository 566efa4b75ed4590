"""Footnote: chat that answers from a project's documents, with footnotes the server has checked."""

import os

__version__ = "0.2.0"

# Set before numpy is imported. Our matrix products are small, and OpenBLAS's threads, one per core, would busy-wait for
# some hundredths of a second after the start and after each large product.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
