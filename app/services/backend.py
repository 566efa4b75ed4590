"""Every object that lives as long as the server. APIs reach them through `access.Services` only."""

import asyncio
from dataclasses import dataclass, field

from app.database.engine import Database
from app.database.models import User
from app.providers.registry import ModelRegistry
from app.services.accounts import Accounts
from app.services.authentication import RequestAuthentication
from app.services.authorization.watching import FollowerRegistry
from app.services.chat import Chat
from app.services.knowledge import Knowledge
from app.settings import Settings
from app.signals import LocalSignal


@dataclass(frozen=True, slots=True)
class Backend:
    """What the services are made of. `owner` is the user of a server that nobody has to sign in to."""

    settings: Settings
    database: Database
    signal: LocalSignal
    models: ModelRegistry
    knowledge: Knowledge
    chat: Chat
    accounts: Accounts
    owner: User
    authentication: RequestAuthentication
    followers: FollowerRegistry
    background_tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict[str, "asyncio.Task[None]"])
