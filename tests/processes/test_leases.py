"""Leases under a clock that jumps: live processes keep their rows, dead ones lose them."""

import os
import socket
from datetime import timedelta

import pytest
from sqlalchemy import String

from app.database import models
from app.database.leases import LEASE, RENEW_SECONDS, LeaseOwner

PLACE = LeaseOwner().name.rsplit(":", 2)[0]
ELSEWHERE = "another-machine:1:aaaaaaaaaaaa"
HERE = f"{PLACE}:{os.getppid()}:aaaaaaaaaaaa"
"""The mark of a process that lives."""
EARLIER = f"{socket.gethostname()}:{os.getpid()}:aaaaaaaaaaaa"
"""As versions before this one marked rows: it may be that of another machine with the same name."""


class Watch:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.parametrize("shift", [timedelta(), timedelta(days=-365), timedelta(days=365)])
@pytest.mark.parametrize("mark", [ELSEWHERE, HERE, EARLIER], ids=["elsewhere", "here", "earlier"])
def test_processes_that_renew_stay_alive_whatever_the_clock_says(mark: str, shift: timedelta) -> None:
    owner = LeaseOwner(watch := Watch())
    lease = models.now() + LEASE + shift
    for _ in range(20):
        assert not owner.is_gone(mark, lease)
        watch.seconds += RENEW_SECONDS
        lease += timedelta(seconds=RENEW_SECONDS)
    assert not owner.is_gone(mark, lease)
    watch.seconds += LEASE.total_seconds()
    assert not owner.is_gone(mark, lease)
    watch.seconds += 1
    assert owner.is_gone(mark, lease)


def test_a_dead_local_process_loses_its_lease_at_once_and_this_one_never() -> None:
    owner = LeaseOwner(watch := Watch())
    lease = models.now() + LEASE
    assert owner.is_gone(f"{PLACE}:{2**22 + 1}:aaaaaaaaaaaa", lease)
    assert owner.is_gone(f"{PLACE}:{os.getpid()}:aaaaaaaaaaaa", lease)
    assert not owner.is_gone(owner.name, lease)
    watch.seconds += 10 * LEASE.total_seconds()
    assert not owner.is_gone(owner.name, lease - timedelta(days=1))
    assert not owner.has_expired(owner.name, lease)
    watch.seconds += LEASE.total_seconds() + 1
    assert owner.has_expired(owner.name, lease), "a row of this process that it does not know of"
    assert owner.is_gone(None, None)


def test_a_mark_fits_into_its_column_however_long_the_host_name_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "h" * 253)
    kind = models.Message.__table__.columns["owner"].type
    assert isinstance(kind, String)
    assert len(LeaseOwner().name) <= (kind.length or 0)
