"""The default answer options of a project."""

import strawberry

from app.answer_options import AnswerOptions
from app.graphql.context import Info
from app.graphql.types.chat.option_fields import with_option_values
from app.knowledge.relevance import Relevance


@strawberry.type(
    name="AnswerDefaults",
    description="Default answer options for the chat sessions of a project: its own where it sets them, "
    "otherwise the server's.",
)
@with_option_values
class AnswerDefaultsType:
    project_id: strawberry.Private[str]
    options: strawberry.Private[AnswerOptions]

    async def load_options(self, info: Info) -> AnswerOptions:
        """The options in effect."""
        return self.options

    async def load_relevance(self, info: Info) -> Relevance:
        """What is measured on the project's documents."""
        return await info.context.loaders.relevance.load(self.project_id)
