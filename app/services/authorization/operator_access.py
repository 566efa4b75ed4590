"""What the operator may do with commands: everything."""

from contextlib import AbstractContextManager

from app.database import integrity
from app.knowledge import library
from app.services.authorization.user_access import UserAccess
from app.services.backend import Backend
from app.signals import Watcher


class OperatorAccess(UserAccess):
    """Everything, as the server's owner: whoever can read and write the database file could do it anyhow."""

    def __init__(self, backend: Backend) -> None:
        super().__init__(backend, backend.owner, everything=True)
        self.accounts = backend.accounts
        self.knowledge_check = backend.knowledge.check
        self.log_check = backend.chat.log_check
        self._backend = backend

    @property
    def database_name(self) -> str | None:
        """The file of the database, or its name on a server."""
        return self._backend.database.url.database

    @property
    def running_answers(self) -> int:
        """How many answers this process is giving now."""
        return self._backend.chat.turns.running

    async def damage(self) -> list[str]:
        """What is damaged in the database file itself, a sentence each."""
        return await integrity.damage(self._backend.database)

    async def project_names(self) -> list[str]:
        """The names of all projects, in alphabetical order, at most a hundred."""
        return await self._backend.knowledge.projects.project_names()

    def watch_queue(self) -> AbstractContextManager[Watcher]:
        """Wakes its watcher when documents are queued."""
        return self._backend.signal.watch(library.QUEUE_TOPIC)

    def held_up(self, project_id: str) -> str | None:
        """Why the documents of a project are waiting for their embedding model, if they are."""
        return self._backend.knowledge.ingestion.queue.pauses.pause_reason(project_id)
