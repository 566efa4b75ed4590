"""Say why a server cannot be reached. Texts of errors are not quoted: they may contain addresses and secrets."""

import errno
import os
import socket
import ssl
from collections.abc import Iterator
from typing import cast

_TIMED_OUT = "the connection timed out"
CLOSED = "the connection was closed"
FAILED = "the connection failed"
_MAX_CAUSES = 10
# X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH of OpenSSL, whose messages name the server.
_OTHER_NAME = frozenset({62, 64})
_NO_TLS = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE"})


def describe_failure(error: BaseException, otherwise: str = FAILED) -> str:
    """Why there is no connection, as a clause; `otherwise` if neither the error nor what it comes from says it."""
    return next((cause for each in _find_causes(error) if (cause := _describe(each)) is not None), otherwise)


def _find_causes(error: BaseException) -> Iterator[BaseException]:
    """The error and those it comes from; libraries wrap the errors of the system in their own, and some hide them."""
    cause: BaseException | None = error
    for _ in range(_MAX_CAUSES):
        if cause is None:
            return
        yield cause
        if isinstance(cause, BaseExceptionGroup):
            cause = cast("BaseExceptionGroup[BaseException]", cause).exceptions[0]
        else:
            cause = cause.__cause__ or cause.__context__


def _describe(error: BaseException) -> str | None:
    match error:
        case ssl.SSLCertVerificationError():
            is_other = error.verify_code in _OTHER_NAME
            return f"its certificate is not trusted ({'it is for another name' if is_other else error.verify_message})"
        case ssl.SSLError():
            return "it does not speak TLS" if error.reason in _NO_TLS else "there is no TLS connection to it"
        case socket.gaierror():
            return "its name is not known"
        case ConnectionRefusedError() | OSError(errno=errno.ECONNREFUSED):
            return "the connection was refused"
        case ConnectionResetError() | ConnectionAbortedError() | BrokenPipeError():
            return CLOSED
        case TimeoutError():
            return _TIMED_OUT
        case OSError(errno=int(number)) if number > 0:
            reason = os.strerror(number)
            return f"{reason[:1].lower()}{reason[1:]}"
        case _:
            return None
