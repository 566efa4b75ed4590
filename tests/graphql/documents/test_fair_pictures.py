"""Fairness between users who ask for pictures of pages: however many one asks for, the others get theirs in turn."""

import asyncio

import httpx

from tests.files.pdf import paragraph, pdf, slow_pdf
from tests.graphql.client import Client
from tests.graphql.documents.test_fair_ingestion import upload
from tests.signed_in_server import StartSignedIn

MANY, SERVED = 100, 1 + 64


async def picture_url(client: Client, data: bytes) -> str:
    """Where the picture of the first page of a new document is."""
    document = (await upload(client, await client.project("pictures"), data))["document"]["id"]
    return client.url.replace("/graphql", f"/documents/{document}/pages/1")


async def test_a_user_who_asks_for_very_many_pictures_does_not_delay_others(signed: StartSignedIn) -> None:
    server = await signed(max_requests_per_minute=None)
    lee = await server.accounts.users.create("lee@example.org", "Lee", "correct horse battery")
    token, _ = await server.accounts.access_tokens.create(lee.id, "test")
    async with httpx.AsyncClient(timeout=120, headers={"authorization": f"Bearer {token}"}) as http:
        own = await picture_url(Client(http, server.url), pdf([paragraph("A page.")]))
        slow = await picture_url(server.client, slow_pdf(pages=1, strokes=5_000))
        assert (await http.get(slow)).status_code == 404, "nobody draws what they may not see"
        responses = [asyncio.create_task(server.http.get(slow)) for _ in range(MANY)]
        refused = await _first_refused(responses)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        [error] = refused.json()["errors"]
        assert error["message"] == "Page drawing is busy: too many requests are waiting for it."
        assert error["extensions"]["code"] == "UNAVAILABLE"
        drawn = _count(responses, 200)
        assert (await http.get(own)).status_code == 200
        assert _count(responses, 200) - drawn < MANY // 4, "those drawn before it was asked for, not all that waited"
        await asyncio.gather(*responses)
    assert {task.result().status_code for task in responses} == {200, 503}
    assert SERVED - 1 <= _count(responses, 200) < MANY


async def _first_refused(responses: list[asyncio.Task[httpx.Response]]) -> httpx.Response:
    """The first response that is no picture."""
    for response in asyncio.as_completed(responses):
        if (found := await response).status_code != 200:
            return found
    raise AssertionError("all were drawn")


def _count(responses: list[asyncio.Task[httpx.Response]], status: int) -> int:
    return sum(task.done() and task.result().status_code == status for task in responses)
