"""Preview an answer without calling the model. Nothing is stored."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from app import errors
from app.chat.branches.placement import AT_THE_END, Placement, find_previous_id
from app.chat.memories import Memories
from app.chat.messages import read_conversation
from app.chat.sessions import Sessions, check_documents
from app.chat.turn_limits import check_question
from app.database import models
from app.database.protocol import Database
from app.rag.pipeline import Pipeline, Preview
from app.rag.request import AnswerRequest
from app.rag.usage_meter import UsageMeter


class Previews:
    """Prepares answers up to the point where the model would be called."""

    def __init__(self, database: Database, sessions: Sessions, memories: Memories, pipeline: Pipeline) -> None:
        self._database = database
        self._sessions = sessions
        self._memories = memories
        self._pipeline = pipeline

    async def preview_session(
        self,
        session_id: str,
        content: str,
        *,
        user_id: str,
        overrides: Mapping[str, Any],
        placement: Placement,
        reformulate: bool,
        meter: UsageMeter,
    ) -> Preview:
        """Preview a turn of a session. Raises NotFound, Invalid or an AnswerError, as a real turn would.

        `meter` counts the tokens used to rewrite the question, also if the preview fails.
        """
        found = (await self._sessions.by_ids([session_id]))[0]
        if found is None:
            raise errors.NotFound("chat session", session_id)
        return await self._preview(found, content, user_id, overrides, placement, reformulate=reformulate, meter=meter)

    async def preview_new_session(
        self,
        project_id: str,
        content: str,
        *,
        user_id: str,
        settings: Mapping[str, Any],
        reformulate: bool,
        meter: UsageMeter,
    ) -> Preview:
        """Preview the first turn of a session with these settings, not creating it. Raises like `preview_session`."""
        session = models.ChatSession(id=models.new_id(), project_id=project_id, created_by=user_id, title="")
        return await self._preview(
            session, content, user_id, settings, AT_THE_END, reformulate=reformulate, meter=meter
        )

    async def _preview(
        self,
        session: models.ChatSession,
        content: str,
        user_id: str,
        overrides: Mapping[str, Any],
        placement: Placement,
        *,
        reformulate: bool,
        meter: UsageMeter,
    ) -> Preview:
        check_question(content)
        self._sessions.check_values(overrides)

        def read(db: Session) -> AnswerRequest:
            project = db.get(models.Project, session.project_id)
            creator = db.get(models.User, session.created_by)
            if project is None:
                raise errors.NotFound("project", session.project_id)
            check_documents(db, project.id, overrides.get("document_ids"))
            options = self._sessions.resolve_pipeline_options(session, project, creator, overrides)
            return AnswerRequest(
                project.id,
                user_id,
                read_conversation(db, find_previous_id(db, session.id, placement), content),
                replace(options, reformulate=reformulate),
                local_only=project.local_providers_only,
                memories=self._memories.read_memories(db, project.id, user_id),
            )

        return await self._pipeline.preview(await self._database.run_read(read), meter)
