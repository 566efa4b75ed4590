"""Set up everything about users: accounts, sign-ins, tokens, members and limits.

Clients of Redis and of identity providers are imported only if settings name one.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from app import errors
from app.accounts.audit import AuditTrail
from app.accounts.authentication import Authentication
from app.accounts.caller_check import CallerCheck
from app.accounts.credential_cache import CredentialCache
from app.accounts.identity_provider.claims import Claims
from app.accounts.identity_provider.users import Identities
from app.accounts.limits.counters import DatabaseCounters, LimitWindow, UsageCounters
from app.accounts.limits.fallback_counters import FallbackCounters
from app.accounts.limits.usage import Attempts, UsageLimits
from app.accounts.links import LinkSigner
from app.accounts.members import Members
from app.accounts.passwords import Passwords
from app.accounts.personal import PersonalData
from app.accounts.sign_ins.password_sign_in import SignInService
from app.accounts.sign_ins.store import DatabaseSignIns, Lifetime, SignIns
from app.accounts.tokens import AccessTokens, SetupTokens
from app.accounts.users import Users
from app.database.models import now
from app.database.protocol import Database
from app.notifier.protocol import Notifier
from app.settings import Settings

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


@dataclass(frozen=True, slots=True)
class Accounts:
    """Everything about users. `probe_redis` raises Unavailable; it is None if Redis is not used."""

    users: Users
    access_tokens: AccessTokens
    setup_tokens: SetupTokens
    sign_ins: SignInService
    authentication: Authentication
    credential_cache: CredentialCache
    personal: PersonalData
    members: Members
    audit: AuditTrail
    links: LinkSigner
    usage: UsageLimits
    audit_days: float
    members_by_address: bool
    probe_redis: Callable[[], Awaitable[None]] | None = None

    async def prune(self) -> None:
        """Delete audit events that are older than the audit trail keeps. Raises Unavailable."""
        await self.audit.prune_events(now() - timedelta(days=self.audit_days))


@asynccontextmanager
async def open_accounts(settings: Settings, database: Database, notifier: Notifier) -> AsyncGenerator[Accounts]:
    """The services, for as long as the block runs. Raises StartError for invalid settings."""
    async with AsyncExitStack() as stack:
        shared = _open_shared(settings, database, stack)
        sign_ins, counters = shared.sign_ins, FallbackCounters(shared.counters)
        passwords = Passwords()
        stack.callback(passwords.close)
        credential_cache = CredentialCache(notifier)
        caller_check = CallerCheck(sign_ins.is_open)
        users = Users(database, passwords, sign_ins, credential_cache, caller_check)
        access_tokens, setup_tokens = AccessTokens(database, credential_cache, caller_check), SetupTokens(database)
        identities, verify_jwt = Identities(database), _open_identity_provider(settings, stack)
        authentication = Authentication(database, access_tokens, sign_ins, identities, credential_cache, verify_jwt)
        yield Accounts(
            users=users,
            access_tokens=access_tokens,
            setup_tokens=setup_tokens,
            sign_ins=SignInService(
                database, users, passwords, Attempts(counters), sign_ins, setup_tokens, credential_cache
            ),
            authentication=authentication,
            credential_cache=credential_cache,
            personal=PersonalData(database, notifier, sign_ins, credential_cache),
            members=Members(database, notifier),
            audit=AuditTrail(database),
            links=LinkSigner(database, authentication),
            usage=UsageLimits(counters, _build_windows(settings)),
            audit_days=settings.audit_days,
            members_by_address=settings.members_by_address,
            probe_redis=shared.probe_redis,
        )


@dataclass(frozen=True, slots=True)
class _SharedState:
    """State that the processes of one server share: in Redis if there is one, else in the database."""

    sign_ins: SignIns
    counters: UsageCounters
    probe_redis: Callable[[], Awaitable[None]] | None = None


def _open_shared(settings: Settings, database: Database, stack: AsyncExitStack) -> _SharedState:
    lifetime = Lifetime(idle=timedelta(days=settings.sign_in_days))
    if not settings.redis_url:
        return _SharedState(DatabaseSignIns(database, lifetime), DatabaseCounters(database))
    from app.accounts.limits.redis_counters import RedisCounters
    from app.accounts.redis_client import RedisClient
    from app.accounts.sign_ins.redis_store import RedisSignIns

    remote = RedisClient(settings.redis_url.get_secret_value())
    stack.push_async_callback(remote.close)
    return _SharedState(RedisSignIns(remote, lifetime), RedisCounters(remote), remote.probe)


def _open_identity_provider(settings: Settings, stack: AsyncExitStack) -> Callable[[str], Awaitable[Claims]] | None:
    """The function that verifies the identity provider's JWTs; None if there is no provider."""
    values = {
        "JWT_ISSUER": settings.jwt_issuer,
        "JWT_JWKS_URL": settings.jwt_jwks_url,
        "JWT_AUDIENCE": settings.jwt_audience,
    }
    if not any(values.values()):
        return None
    missing = [name for name, value in values.items() if not value]
    if missing:
        raise errors.StartError(f"{missing[0]} is missing: JWT_ISSUER, JWT_JWKS_URL and JWT_AUDIENCE belong together.")
    issuer, url, audience = (str(value) for value in values.values())
    from app.accounts.identity_provider.jwks import IdentityProvider

    provider = IdentityProvider(issuer, url, audience, settings.jwt_algorithms)
    stack.push_async_callback(provider.close)
    return provider.verify


def _build_windows(settings: Settings) -> dict[str, list[LimitWindow]]:
    """The usage limits of a user, by the names that `UsageLimits` uses."""
    bounds = {
        "requests": (settings.max_requests_per_minute, _MINUTE),
        "uploads": (settings.max_uploads_per_hour, _HOUR),
        "tokens": (settings.max_tokens_per_day, _DAY),
        "characters": (settings.max_characters_per_day, _DAY),
    }
    return {
        name: [LimitWindow(max_amount, seconds)]
        for name, (max_amount, seconds) in bounds.items()
        if max_amount is not None
    }
