"""The GraphQL-over-HTTP audits of the npm package `graphql-http`."""

import pytest

from tests.clients.conftest import Place, Program

AUDITS = 61


def test_every_audit_passes(place: Place, program: Program, subtests: pytest.Subtests) -> None:
    """Recommendations (a `warn`) count as much as requirements."""
    audits = program("audits", url=place.url)
    assert len({audit["id"] for audit in audits}) == AUDITS
    for audit in audits:
        with subtests.test(audit["name"], id=audit["id"]):
            assert audit["status"] == "ok", audit.get("reason")
