"""All objects that live as long as the server. APIs reach them only through `access.Services`."""

from dataclasses import dataclass, field

from app.database.models import User
from app.database.protocol import Database
from app.notifier.protocol import ProcessNotifier
from app.observation.metrics import Metrics
from app.observation.observer import Observer
from app.observation.tracing import Tracer
from app.providers.registry import ModelRegistry
from app.services.accounts import Accounts
from app.services.authentication import RequestAuthentication
from app.services.authorization.followers import FollowerRegistry
from app.services.authorization.project_changes import ProjectChangesReader
from app.services.background import BackgroundWork
from app.services.chat import Chat
from app.services.knowledge import Knowledge
from app.services.outgoing.events import Events
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Backend:
    """The parts of the services. `owner` is the user of a server without sign-in."""

    settings: Settings
    database: Database
    notifier: ProcessNotifier
    events: Events
    models: ModelRegistry
    knowledge: Knowledge
    chat: Chat
    accounts: Accounts
    owner: User
    authentication: RequestAuthentication
    followers: FollowerRegistry
    project_changes: ProjectChangesReader
    observer: Observer
    metrics: Metrics | None
    tracer: Tracer | None
    background_work: dict[str, BackgroundWork] = field(default_factory=dict[str, BackgroundWork])
