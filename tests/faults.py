"""Every model server fault and its effect on the answer, in one table for the tests and the handbook."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, repeat

from app.concurrency import QUEUED_PER_SLOT
from app.providers.resilience.circuit_breaker import FAILURES_TO_OPEN, FIRST_PAUSE, LONGEST_PAUSE, MOST_OF_ONE_USER
from app.providers.resilience.retries import RetryPolicy
from tests.servers.running import Break, Drip, Fault, Page, Refusal, Silence

PIECES = ("Goods may be returned ", "within 30 days, ", "unless opened.")
# Characters that some programs take for the end of a line, which ends a frame.
LINE_ENDS = ("Goods may\u0085be returned", "\u2028within 30\u2029days\u000b, ", "unless\r\nopened.")
FIRST_TOKEN_SECONDS, BETWEEN_TOKENS_SECONDS = 2.0, 1.5


@dataclass(frozen=True)
class Case:
    """Faults and their outcome, the same for every provider.

    Each request meets one of `faults`, later ones the last. The answer keeps its first `kept` pieces. `down`: the
    fault counts towards opening the provider's circuit breaker.
    """

    name: str
    does: str
    faults: tuple[Fault, ...]
    failure: str | None
    retryable: bool = False
    requests: int = 1
    kept: int = 0
    down: bool = False
    pieces: tuple[str, ...] = field(default=PIECES)

    @property
    def status(self) -> str:
        """The answer's."""
        return "FAILED" if self.failure else "COMPLETED"

    @property
    def text(self) -> str:
        """The answer's, at its end."""
        return "".join(self.pieces[: self.kept])

    def script(self) -> Iterator[Fault]:
        """A fault for each request."""
        return chain(self.faults[:-1], repeat(self.faults[-1]))


def _failed(name: str, does: str, fault: Fault, failure: str, **more: object) -> Case:
    return Case(name, does, (fault,), failure, **more)  # pyright: ignore[reportArgumentType]


UNAVAILABLE, TIMEOUT, INCOMPLETE = "MODEL_UNAVAILABLE", "MODEL_TIMEOUT", "MODEL_INCOMPLETE"
_DOWN = {"retryable": True, "down": True}
_TRIED = {**_DOWN, "requests": 3}
_FAILED = {"retryable": True, "requests": 3}  # says that it failed: it is there

REFUSING = Case(
    "refusing", "nobody listens at its address", (None,), UNAVAILABLE, retryable=True, requests=0, down=True
)
CASES = [
    _failed("reset", "resets the connection before it answers", Silence(reset=True), UNAVAILABLE, **_TRIED),
    _failed("silent", "accepts the request and sends nothing", Silence(), TIMEOUT, **_DOWN),
    _failed("500", "status 500", Refusal(500), UNAVAILABLE, **_FAILED),
    _failed("503", "status 503", Refusal(503), UNAVAILABLE, **_TRIED),
    _failed("page", "status 200 with a web page", Page(), UNAVAILABLE, **_TRIED),
    _failed("error-0", "reports an error before the first piece", Break("error", 0), UNAVAILABLE, **_FAILED),
    _failed("stall-0", "begins, then stalls before the first piece", Break("stall", 0), TIMEOUT, **_DOWN),
    Case("503-once", "status 503 once, then answers", (Refusal(503), None), None, requests=2, kept=3),
    Case(
        "429-short",
        "status 429 with a short `Retry-After`, then answers",
        (Refusal(429, headers={"Retry-After": "0.2"}), None),
        None,
        requests=2,
        kept=3,
    ),
    _failed(
        "429-long",
        "status 429 with a long `Retry-After`",
        Refusal(429, headers={"Retry-After": "60"}),
        "MODEL_RATE_LIMITED",
        retryable=True,
    ),
    _failed("429", "status 429 without `Retry-After`", Refusal(429), "MODEL_RATE_LIMITED", retryable=True, requests=3),
    _failed("401", "status 401", Refusal(401), "MODEL_UNAUTHORIZED"),
    _failed("404", "status 404", Refusal(404), "MODEL_NOT_FOUND"),
    _failed("400", "status 400", Refusal(400), "MODEL_REFUSED"),
    *(
        _failed(f"reset-{n}", f"resets the connection {when}", Break("reset", n), INCOMPLETE, retryable=True, kept=n)
        for n, when in enumerate(
            [
                "before the first piece",
                "after the first piece",
                "after the second piece",
                "after the last piece, before the end",
            ]
        )
    ),
    _failed("end-0", "ends without any piece", Break("end", 0), INCOMPLETE, retryable=True),
    _failed("end", "ends without its terminal frame", Break("end", 3), INCOMPLETE, retryable=True, kept=3),
    _failed("half", "ends within a frame", Break("half", 2), INCOMPLETE, retryable=True, kept=2),
    _failed("garbage-0", "sends garbage", Break("garbage", 0), INCOMPLETE, retryable=True),
    _failed("garbage", "sends garbage after a piece", Break("garbage", 1), INCOMPLETE, retryable=True, kept=1),
    _failed("stall", "stalls after a piece", Break("stall", 1), TIMEOUT, retryable=True, kept=1),
    _failed("error", "reports an error after a piece", Break("error", 1), UNAVAILABLE, retryable=True, kept=1),
    Case(
        "line-ends", "sends U+0085, U+2028 and similar line ends in its text", (None,), None, kept=3, pieces=LINE_ENDS
    ),
    Case("drip", "sends one byte at a time", (Drip(),), None, kept=3),
]


def section() -> str:
    """The handbook's section on faults, with the numbers the code uses."""
    retries = RetryPolicy()
    longest = retries.longest_pause
    return f"""
A request that may succeed later is tried {retries.max_retries + 1} times in all, with pauses in between, but only until
the first piece of the answer arrives. A pause lasts as long as the server requests in `Retry-After`, up to
{longest:g} s. After the first piece, nothing is repeated: the text so far is kept, and the failure says whether it is
worth asking again.

After {FAILURES_TO_OPEN} failures in a row that mean "it is down", Footnote stops sending requests to a model, for about
{FIRST_PAUSE:g} s at first and up to {LONGEST_PAUSE:g} s later. During this pause, answers that need the model fail at
once, searches continue without its vectors, and documents wait. Then a single request finds out whether the model is
back.

* If the server cannot be reached, all of its models are paused. If it answers with a status from 502 to 504, or not in
  time, only the requested model is paused, because other models behind the same router may work.
* If only one user's requests fail in this way, the model is paused for that user only, because others may send smaller
  requests: at most {MOST_OF_ONE_USER} of the {FAILURES_TO_OPEN} failures count if they come from one user.
* An internal error of the server (status 500) does not count.

At most `MODEL_REQUESTS_AT_ONCE` requests to a provider run at once. Beyond that, users and their projects take turns,
and search queries go first. A request that gets no slot within `MODEL_FIRST_TOKEN_SECONDS` fails, and so does one that
arrives when {QUEUED_PER_SLOT} already wait for each slot. `health` shows which providers are paused, and how many
requests wait. It is DEGRADED if a model is paused for everyone, but not if it is paused for one user.

Each of these faults is tested against a server that speaks the OpenAI protocol and one that speaks Ollama's, with the
same outcome:

{table()}
"""


def table() -> str:
    """Each fault with its outcome, as a Markdown table."""
    columns = ["the server", "the answer", "worth asking again?", "requests", "text that is kept", "counts as down?"]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for case in (REFUSING, *CASES):
        answer = f"`{case.status}`, `{case.failure}`" if case.failure else f"`{case.status}`"
        again = ("yes" if case.retryable else "no") if case.failure else ""
        requests, down = case.requests or "none", "yes" if case.down else ""
        lines.append(f"| {case.does} | {answer} | {again} | {requests} | {_kept(case)} | {down} |")
    return "\n".join(lines) + "\n"


def _kept(case: Case) -> str:
    if not case.kept:
        return "none"
    return "all of it" if case.kept == len(case.pieces) else "what came"
