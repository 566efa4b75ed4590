"""Measure how long sign-in attempts and credential checks take.

A wrong password and a user who does not exist should take the same time: whoever measures learns nothing.
"""

import random
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from app import errors
from app.accounts.credential_cache import CredentialCache
from app.accounts.limits.counters import LimitWindow, LocalCounters
from app.accounts.limits.usage import Attempts
from app.accounts.passwords import OWASP_LOW_MEMORY, RFC_9106_LOW_MEMORY, Passwords
from app.accounts.sign_ins.password_sign_in import SignInService
from app.notifier.local import LocalNotifier
from tests.accounts.account_services import PASSWORD, AccountServices, open_account_services
from tests.bench.measured import Row, compare_times, percentiles, timed

_ROUNDS = 60
_REQUESTS = 300
_HASHES = 9
_ENDLESS = (LimitWindow(10**9, 60),)


async def measure() -> list[Row]:
    """Medians of attempts in random order, so that other load on the machine affects all kinds alike."""
    rows: list[Row] = []
    for name, parameters in (("OWASP", OWASP_LOW_MEMORY), ("RFC 9106", RFC_9106_LOW_MEMORY)):
        passwords = Passwords(parameters)
        times = [await timed(lambda passwords=passwords: passwords.verify(None, PASSWORD)) for _ in range(_HASHES)]
        rows.append(Row(f"argon2, {name} low memory", str(percentiles(times))))
        passwords.close()
    with tempfile.TemporaryDirectory() as folder:
        async with open_account_services(Path(folder), parameters=OWASP_LOW_MEMORY, cache_seconds=0) as accounts:
            rows += await _sign_ins(accounts)
            rows += await _credentials(accounts)
    return rows


async def _sign_ins(accounts: AccountServices) -> list[Row]:
    user = await accounts.kim()
    await accounts.users.create("without@example.org")
    # Counted as always, but with no end: an attempt that is refused would measure nothing.
    attempts = Attempts(LocalCounters(), account_windows=_ENDLESS, address_windows=_ENDLESS)
    parts = (
        accounts.database,
        accounts.users,
        accounts.passwords,
        attempts,
        accounts.sign_ins,
        accounts.setup_tokens,
        accounts.credential_cache,
    )
    signing_in = SignInService(*parts)
    kinds = {
        "wrong password": (user.email, "wrong password"),
        "no such user": ("nobody@example.org", PASSWORD),
        "no password": ("without@example.org", PASSWORD),
        "right password": (user.email, PASSWORD),
    }
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(_ROUNDS):
        for kind, (email, password) in random.sample(list(kinds.items()), len(kinds)):
            start = time.perf_counter()
            with suppress(errors.Invalid):
                await signing_in.sign_in(email, password, "192.0.2.7")
            times[kind].append((time.perf_counter() - start) * 1000)
    wrong = times.pop("wrong password")
    return [compare_times(f"sign-in, {kind}", taken, "wrong password", wrong) for kind, taken in times.items()]


async def _credentials(accounts: AccountServices) -> list[Row]:
    user = await accounts.kim("pat@example.org")
    token, _ = await accounts.access_tokens.create(user.id, "bench")
    asked = [await timed(lambda: accounts.authentication.authenticate(token)) for _ in range(_REQUESTS)]
    remembered = CredentialCache(LocalNotifier(), 60)
    caller = await accounts.authentication.authenticate(token)
    remembered.remember("key", caller, remembered.version)
    start = time.perf_counter()
    for _ in range(_REQUESTS):
        remembered.get("key")
    each = (time.perf_counter() - start) / _REQUESTS * 1e6
    looked_up = percentiles(asked).p50 * 1000
    return [Row("an access token, remembered", f"{each:.2f} µs", f"looked up {looked_up:.0f} µs", each / looked_up)]
