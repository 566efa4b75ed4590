"""Inputs with answer options, as declared in `app.answer_options`. An omitted field is `UNSET`."""

import strawberry

from app.graphql.types.chat.option_fields import with_option_inputs


@strawberry.input(
    description="Default answer options of a project. Omitted fields keep their value; null resets a field to "
    "the server's default."
)
@with_option_inputs(per_project=True)
class AnswerDefaultsInput:
    """The options that a project can have a default for."""


@strawberry.input(description="Options of an answer. Null uses the default.")
@with_option_inputs(per_project=False)
class AnswerOptionsInput(AnswerDefaultsInput):
    """All options of an answer, for a chat session or one question."""
