"""Explain how a model's process ended, from its exit code and its output."""

import re
import signal
import sys

# An error in llama.cpp's log: `0.00.003.763 E llama_model_load: error loading model: unknown …`; or what it prints
# before it aborts: `/…/llama-context.cpp:2289: GGML_ASSERT(…) failed`
_REASON = re.compile(r"^(?:[\d.]+ E .*?: +(?:error loading model: )*|/\S+:\d+: )(.+)", re.MULTILINE)
_MAX_REASON = 200
# Messages of llama.cpp, the C++ and C libraries, the dynamic loader and Python.
_OUT_OF_MEMORY = re.compile(
    r"bad_alloc|insufficient memory|out of memory|(?:failed to|cannot) allocate|MemoryError"
    r"|what\(\): +Resource temporarily unavailable",
    re.IGNORECASE,
)


def explain_end(exit_code: int | None, output: bytes | bytearray) -> str:
    """How a process ended, worded as a predicate; `output` is the end of its output."""
    code = exit_code or 0
    if code == -signal.SIGTERM or (sys.platform != "win32" and code == -signal.SIGKILL):
        return "was killed, perhaps because memory ran out"
    text = output.decode("utf-8", "replace")
    if _OUT_OF_MEMORY.search(text):
        return "ran out of memory"
    found = _REASON.search(text)
    reason = f": {found[1][:_MAX_REASON]}" if found else ""
    if code < 0:
        return f"crashed (signal {-code}){reason}"
    return f"stopped with exit code {code}{reason}"
