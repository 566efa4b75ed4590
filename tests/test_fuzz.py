"""Odd values in every argument of the schema and the OpenAI API. `python -m tests.fuzz` sends more of them."""

from pathlib import Path

import pytest

from app.settings import Settings
from tests.fuzz import running, values
from tests.serving import serve

SEED = 20261122


@pytest.mark.parametrize(("openai", "count"), [(False, 700), (True, 300)])
def test_no_odd_value_breaks_anything(tmp_path: Path, openai: bool, count: int) -> None:
    assert len(values.ODD) > 100
    with serve(Settings.model_validate({"database_url": f"sqlite:///{tmp_path}/footnote.db"})) as url:
        report = running.run(url, SEED, count, openai=openai)
    assert report.wrong == []
    assert report.requests >= count
