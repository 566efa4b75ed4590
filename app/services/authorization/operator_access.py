"""The operator's access, for commands: everything."""

from app import errors
from app.chat.message_search.integrity import MessageIntegrityChecker
from app.observation.outages import OutageLog
from app.services.authorization.user_access import UserAccess
from app.services.backend import Backend

_RETRY_MS = 1000


class OperatorAccess(UserAccess):
    """Full access, as the server's owner: anyone who can write the database file has it anyway."""

    def __init__(self, backend: Backend) -> None:
        super().__init__(backend, backend.owner, full_access=True)
        self.accounts = backend.accounts
        self.knowledge_check = backend.knowledge.check
        self.original_places = backend.knowledge.library.places
        self.log_check = backend.chat.log_check
        self.branch_check = backend.chat.branch_check
        self.message_check = MessageIntegrityChecker(
            backend.database, backend.knowledge.messages, backend.chat.message_search
        )
        self._backend = backend

    @property
    def database_name(self) -> str:
        """The file of the database, or its name on a server."""
        return self._backend.database.name

    @property
    def running_answers(self) -> int:
        """Number of answers that this process is generating."""
        return self._backend.chat.turns.tasks.count

    async def wait_for_answers(self) -> None:
        """Wait until no answer is being generated in this process."""
        await self._backend.chat.turns.tasks.wait_until_idle()

    async def find_damage(self) -> list[str]:
        """The damage in the database file itself, one sentence each."""
        return await self._backend.database.find_damage()

    def explain_failure(self, message: str) -> str:
        """The message of a failure, once with the address of the model server that it is about."""
        return self._backend.models.problems.explain(message)

    def explain_other_failures(self) -> list[str]:
        """The messages of failures of model servers that were not explained yet, with the addresses."""
        return self._backend.models.problems.explain_rest()

    async def project_names(self) -> list[str]:
        """The names of all projects, in alphabetical order, at most a hundred."""
        return await self._backend.knowledge.projects.project_names()

    async def projects_on_other_models(self, limit: int) -> tuple[list[tuple[str, str]], int]:
        """The first projects' names and models, of those searched with another model than EMBEDDING_MODEL; how many."""
        return await self._backend.knowledge.spaces.projects_on_other_models(limit)

    def pause_reason(self, project_id: str) -> str | None:
        """Why the documents of a project are waiting for their embedding model, if they are."""
        return self._backend.knowledge.ingestion.queue.pauses.pause_reason(project_id)

    def require_documents_progress(self, seconds: float) -> None:
        """Raises Unavailable if the database has kept documents from being processed for this long."""
        knowledge = self._backend.knowledge
        for outages in (knowledge.ingestion.outages, knowledge.space_builder.outages):
            _require_no_outage(outages, seconds)

    def require_answers_progress(self, seconds: float) -> None:
        """Raises Unavailable if the database has kept answers from being written for this long."""
        _require_no_outage(self._backend.chat.answer_log.outages, seconds)

    async def measure_project(self, project_id: str) -> None:
        """Measure what scores mean in a project, if it has changed a lot since it was last measured."""
        await self._backend.knowledge.relevance.measure_project(project_id)


def _require_no_outage(outages: OutageLog, seconds: float) -> None:
    if (reason := outages.find_lasting_reason(seconds)) is not None:
        raise errors.Unavailable(reason, "database", _RETRY_MS)
