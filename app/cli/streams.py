"""Handle standard streams that are closed, cannot be written to, or lack some characters."""

import codecs
import errno
import os
import sys
from contextlib import suppress

# Errors of writing to an open file. A pipe that nobody reads is not a failure.
_WRITING_FAILED = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


def open_closed_streams() -> None:
    """Open the null device in place of each standard stream that the caller has closed.

    Otherwise the next file or socket gets its number, and whoever closes that ends the process (uvloop does not allow
    it), or prints into it. Processes that parse documents inherit the streams.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest free number is this one
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115


def escape_unknown_characters() -> None:
    """Escape characters that the encoding of standard output lacks; otherwise they would end the command.

    The escapes are those of JSON, in which such characters occur only in strings.
    """
    codecs.register_error("json-escapes", _escape_characters)
    if (reconfigure := getattr(sys.stdout, "reconfigure", None)) is not None:
        # A stream that was a file when Python started, and has become a pipe, has no position to ask for.
        with suppress(OSError):
            reconfigure(errors="json-escapes")


def _escape_characters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)), error.end


def announce(text: str) -> None:
    """Print a line for the person who started a server, which continues if nobody reads it or the disk is full.

    Ctrl-C ends every program of a pipe, so that `tee` may be gone when the server prints that it stops.
    """
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError:
        _discard_output()


def _discard_output() -> None:
    """Discard the rest of standard output. Python would try to write it again at exit, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def end_if_output_failed(error: OSError) -> None:
    """Exit with one line if standard output is where `error` comes from, such as a file on a full disk."""
    if error.errno not in _WRITING_FAILED:
        return
    try:
        os.write(1, b"\n")  # the error itself does not say which file it is about
    except OSError:
        _discard_output()
        print(f"footnote: The output cannot be written: {error.strerror}.", file=sys.stderr)  # noqa: T201
        sys.exit(1)
