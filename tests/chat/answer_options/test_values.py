"""Values of answer options: every bound holds, and projects can set and reset theirs."""

import shutil
from pathlib import Path

import httpx
import pytest
from sqlalchemy import String

from app.answer_options import OPTIONS, AnswerOption
from app.database.base import Base
from app.settings import Settings
from tests.chat.answer_options.shop import UPDATE, changed, shop, shown
from tests.graphql.client import Client
from tests.serving import serve

NAMES = ("model", "preferred_model")  # columns with names of models


@pytest.mark.parametrize(
    ("minimum", "maximum", "allowed_range", "allowed", "refused"),
    [
        (1, 50, "between 1 and 50", [1, 50], [0, 51]),
        (1000, None, "at least 1,000", [1000, 10**9], [999]),
        (None, 2, "at most 2", [-1, 2], [2.1, float("nan")]),
        (None, None, None, [-1, 10**9], []),
    ],
)
def test_each_bound_of_an_option_holds_alone(
    minimum: int | None, maximum: int | None, allowed_range: str | None, allowed: list[float], refused: list[float]
) -> None:
    option = AnswerOption(description="A number.", minimum=minimum, maximum=maximum)
    assert option.allowed_range == allowed_range
    assert all(map(option.is_in_range, allowed))
    assert not any(map(option.is_in_range, refused))


def test_tables_hold_the_longest_name_of_a_model() -> None:
    """PostgreSQL refuses a longer one: a single calibration for such a model kept all of them from being saved."""
    longest = OPTIONS["model"].max_length
    columns = [table.c[name] for table in Base.metadata.tables.values() for name in NAMES if name in table.c]
    assert len(columns) > 3
    lengths = {str(column): column.type.length for column in columns if isinstance(column.type, String)}
    assert len(lengths) == len(columns)
    assert not {column for column, length in lengths.items() if length is None or longest is None or length < longest}


async def test_a_project_can_reset_its_defaults_and_rejects_wrong_ones(filled: Path, tmp_path: Path) -> None:
    shutil.copy(filled, tmp_path / "footnote.db")
    with serve(Settings.model_validate({"database_url": f"sqlite:///{tmp_path / 'footnote.db'}"})) as url:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, url)
            project = await shop(client)
            await changed(client, project, ragTopK=9, grounding="OPEN")
            wrong = await changed(client, project, ragTopK=51, model="nobody/knows")
            assert [issue["path"] for issue in wrong["issues"]] == [
                ["answerDefaults", "ragTopK"],
                ["answerDefaults", "model"],
            ]
            assert await shown(client, "Project", project, "rag_top_k") == 9
            await changed(client, project, ragTopK=None)
            assert await shown(client, "Project", project, "rag_top_k") == 5
            assert await shown(client, "Project", project, "grounding") == "OPEN"
            assert (await client.mutate(UPDATE, id=project, answerDefaults=None))[
                "__typename"
            ] == "UpdateProjectPayload"
            assert await shown(client, "Project", project, "grounding") == "GROUNDED"
