"""The account services over a real database file, wired as the server wires them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from argon2 import Parameters
from argon2.low_level import Type
from sqlalchemy import text

from app.accounts.audit import AuditTrail
from app.accounts.authentication import Authentication
from app.accounts.caller_check import CallerCheck
from app.accounts.credential_cache import CredentialCache
from app.accounts.identity_provider.jwks import IdentityProvider
from app.accounts.identity_provider.users import Identities
from app.accounts.limits.counters import DatabaseCounters, UsageCounters
from app.accounts.limits.usage import Attempts
from app.accounts.members import Members
from app.accounts.passwords import Passwords
from app.accounts.personal import PersonalData
from app.accounts.sign_ins.password_sign_in import SignInService
from app.accounts.sign_ins.store import DatabaseSignIns, SignIns
from app.accounts.tokens import AccessTokens, SetupTokens
from app.accounts.users import Users
from app.database import models, opening
from app.database.protocol import Database
from app.notifier.local import LocalNotifier
from tests import newest

# Argon2's least: what is tested is not how hard it is.
LIGHT = Parameters(Type.ID, version=19, salt_len=16, hash_len=32, time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class AccountServices:
    """The account services, wired together."""

    database: Database
    passwords: Passwords
    credential_cache: CredentialCache
    sign_ins: SignIns
    users: Users
    access_tokens: AccessTokens
    setup_tokens: SetupTokens
    signing_in: SignInService
    authentication: Authentication
    personal: PersonalData
    members: Members
    audit: AuditTrail

    async def kim(self, email: str = "kim@example.org") -> models.User:
        """A user with a password."""
        return await self.users.create(email, "Kim", PASSWORD)

    async def project(self, name: str = "Shop") -> models.Project:
        """A project without members."""
        async with self.database.begin() as db:
            project = models.Project(name=name)
            db.add(project)
        return project

    async def count(self, table: str) -> int:
        """The number of rows in a table."""
        async with self.database.read() as db:
            return (await db.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one()

    async def kinds(self, user_id: str) -> list[str]:
        """The kinds of a user's audit entries, oldest first."""
        return [event.kind for event in await self.audit.events_of_user(user_id)][::-1]


@asynccontextmanager
async def open_database(folder: Path) -> AsyncGenerator[Database]:
    """Open the database in this folder; a new one is built by the migrations."""
    file = folder / "footnote.db"
    newest.put(file)
    database = opening.open_database(f"sqlite:///{file}")
    try:
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def open_account_services(
    folder: Path,
    *,
    sign_ins: SignIns | None = None,
    counters: UsageCounters | None = None,
    parameters: Parameters = LIGHT,
    provider: IdentityProvider | None = None,
    cache_seconds: float = 60.0,
) -> AsyncGenerator[AccountServices]:
    """The accounts on the database in `folder`; callers are remembered for long, so that forgetting is seen."""
    async with open_database(folder) as database:
        notifier = LocalNotifier()
        passwords, credential_cache = Passwords(parameters), CredentialCache(notifier, cache_seconds)
        kept = sign_ins or DatabaseSignIns(database)
        caller_check = CallerCheck(kept.is_open)
        users = Users(database, passwords, kept, credential_cache, caller_check)
        access_tokens, setup_tokens = AccessTokens(database, credential_cache, caller_check), SetupTokens(database)
        attempts = Attempts(counters or DatabaseCounters(database))
        yield AccountServices(
            database,
            passwords,
            credential_cache,
            kept,
            users,
            access_tokens,
            setup_tokens,
            SignInService(database, users, passwords, attempts, kept, setup_tokens, credential_cache),
            Authentication(
                database, access_tokens, kept, Identities(database), credential_cache, provider and provider.verify
            ),
            PersonalData(database, notifier, kept, credential_cache),
            Members(database, notifier),
            AuditTrail(database),
        )
        passwords.close()
