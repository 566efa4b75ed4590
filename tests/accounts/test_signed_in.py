"""A server that requires sign-in: every API asks, limits hold, and a killed Redis lets nobody in."""

import asyncio

import httpx
import openai
import pytest

from app import errors
from app.graphql import ids
from app.services import MemberRole
from tests.answers import openai as asked_of
from tests.graphql.chat.test_answers import CANCEL
from tests.graphql.client import CREATE_PROJECT, CREATE_SESSION, SEND, Client, Json
from tests.looking import pause, until
from tests.servers.openai import OpenAIServer
from tests.servers.redis import RedisServer
from tests.servers.running import Break, running
from tests.signed_in_server import SignedInServer, StartSignedIn

SET_MEMBER = """mutation($input: SetProjectMemberInput!) { setProjectMember(input: $input) { __typename
  ... on Error { message } ... on ValidationError { issues { path code } } } }"""
VIEWER = "{ viewer { user { email } } }"
TEXT = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) {
  __typename ... on RateLimitedError { retryAfterMs message } } }"""
BOUNDED = """mutation($input: SendMessageInput!) { sendMessage(input: $input) {
  __typename ... on SendMessagePayload { answer { id } } ... on RateLimitedError { retryAfterMs message } } }"""


async def other_than(client: Client, status: int) -> httpx.Response | None:
    """The response to a query, or None if it has this status."""
    response = await client.post(VIEWER)
    return response if response.status_code != status else None


async def test_every_api_requires_a_credential(signed: StartSignedIn) -> None:
    server = await signed()
    async with httpx.AsyncClient() as stranger:
        for credential in (None, "Bearer fn_access_" + "x" * 43, "Bearer nonsense", f"Basic {server.token}"):
            headers = {} if credential is None else {"authorization": credential}
            for method, path, body in (
                ("POST", "/graphql", {"query": VIEWER}),
                ("GET", "/graphql?query=%7Bviewer%7Buser%7Bemail%7D%7D%7D", None),
                ("GET", "/v1/models", None),
                ("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": "Hi"}]}),
            ):
                response = await stranger.request(method, f"{server.url}{path}", json=body, headers=headers)
                assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer"), (
                    path,
                    credential,
                )
                assert "kim" not in response.text
        health = await stranger.get(f"{server.url}/health")
        assert (health.status_code, health.json()) == (200, {"status": "OK"})
        assert (await stranger.get(f"{server.url}/health", headers=server.headers)).json()["components"]
        assert (await stranger.get(f"{server.url}/health", headers={"authorization": "Bearer x"})).status_code == 401
    assert (await server.client.run(VIEWER))["viewer"]["user"]["email"] == "kim@example.org"
    async with openai.AsyncOpenAI(api_key=server.token, base_url=f"{server.url}/v1") as client:
        assert [model.id for model in (await client.models.list()).data] == ["embedded/extractive"]


async def test_every_response_has_security_headers(signed: StartSignedIn) -> None:
    server = await signed()
    async with httpx.AsyncClient() as http:
        for path, accept in (
            ("/graphql", "text/html"),
            ("/graphql", "*/*"),
            ("/health", "*/*"),
            ("/v1/models", "*/*"),
            ("/no", "*/*"),
        ):
            headers = (await http.get(f"{server.url}{path}", headers={"accept": accept})).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["x-frame-options"] == "DENY"
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert "set-cookie" not in headers
            assert "access-control-allow-origin" not in headers


async def test_originals_need_access_to_the_document(signed: StartSignedIn) -> None:
    server = await signed()
    project = (await server.client.mutate(CREATE_PROJECT, name="Files"))["project"]["id"]
    text = "Größe: <script>alert(1)</script>"
    id = await server.client.ready(project, 'A/../b "x".html', text)
    url = (await server.client.run("query($id: ID!) { document(id: $id) { originalUrl } }", id=id))["document"][
        "originalUrl"
    ]
    response = await server.http.get(f"{server.url}{url}")
    assert response.content == text.encode()
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["content-disposition"] == "attachment; filename*=UTF-8''b%20%22x%22.html"
    assert response.headers["content-security-policy"].startswith("sandbox")
    other = await server.accounts.users.create("pat@example.org")
    token, _ = await server.accounts.access_tokens.create(other.id, "test")
    async with httpx.AsyncClient() as http:
        assert (await http.get(f"{server.url}{url}")).status_code == 401
        strange = {"authorization": f"Bearer {token}"}
        hidden = await http.get(f"{server.url}{url}", headers=strange)
        missing = await http.get(f"{server.url}{url.replace(id, id[:-2] + 'xx')}", headers=strange)
        assert (hidden.status_code, hidden.content) == (missing.status_code, missing.content)
        assert hidden.status_code == 404


async def test_a_users_limits_are_reported_with_a_wait(signed: StartSignedIn) -> None:
    with running(OpenAIServer(lambda _: ["Yes."])) as model:
        server = await signed(
            **asked_of(model), max_requests_per_minute=200, max_uploads_per_hour=2, max_tokens_per_day=2
        )
        project = (await server.client.mutate(CREATE_PROJECT, name="Bounds"))["project"]["id"]
        texts = [{"projectId": project, "title": "T", "text": f"Words {number}."} for number in range(3)]
        added = [await server.client.mutate(TEXT, **text) for text in texts]
        assert [one["__typename"] for one in added] == [*["AddTextDocumentPayload"] * 2, "RateLimitedError"]
        assert added[2]["retryAfterMs"] > 0
        session = (await server.client.mutate(CREATE_SESSION, projectId=project, enableRag=False))["chatSession"]["id"]
        await server.client.answered(session, "Go?")
        refused = await server.client.mutate(BOUNDED, sessionId=session, content="Again?")
        assert refused["__typename"] == "RateLimitedError", refused
        assert refused["retryAfterMs"] > 0
        async with asyncio.timeout(120):
            while (response := await server.client.post(VIEWER)).status_code == 200:
                pass
        assert response.status_code == 429
        assert int(response.headers["retry-after"]) > 0
        assert response.json()["errors"][0]["extensions"]["code"] == "RATE_LIMITED"


async def test_a_redis_that_is_killed_lets_nobody_in(signed: StartSignedIn, redis_server: RedisServer) -> None:
    server = await signed(redis_url=redis_server.url)
    signed_in = await server.accounts.sign_ins.sign_in("kim@example.org", "correct horse battery")
    async with httpx.AsyncClient(headers={"authorization": f"Bearer {signed_in.token}"}) as http:
        client = Client(http, server.url)
        assert (await client.run(VIEWER))["viewer"]["user"]["email"] == "kim@example.org"
        redis_server.kill()
        # What was found good a moment ago is believed for two seconds.
        response = await until(lambda: other_than(client, 200))
        assert (response.status_code, response.json()["errors"][0]["extensions"]["code"]) == (503, "UNAVAILABLE")
        assert int(response.headers["retry-after"]) > 0
        # Who has an access token goes on, with limits that this process counts for itself.
        assert (await server.client.run(VIEWER))["viewer"]["user"]["email"] == "kim@example.org"
        components = (await server.http.get(f"{server.url}/health")).json()["components"]
        assert components["redis"]["status"] == "DEGRADED"
        redis_server.start()
        # It kept nothing: who had signed in has to do it again.
        response = await until(lambda: other_than(client, 503))
        assert response.status_code == 401
        components = (await server.http.get(f"{server.url}/health")).json()["components"]
        assert components["redis"]["status"] == "OK"


async def redis_health(server: SignedInServer) -> str:
    """The status of Redis that `/health` tells."""
    return (await server.http.get(f"{server.url}/health")).json()["components"]["redis"]["status"]


async def test_a_redis_that_takes_no_writes_is_told(signed: StartSignedIn, redis_server: RedisServer) -> None:
    """A full one answers, and nobody can sign in."""
    server = await signed(redis_url=redis_server.url)
    assert await redis_health(server) == "OK"
    redis_server.command("CONFIG SET maxmemory 1")
    with pytest.raises(errors.Unavailable):
        await server.accounts.sign_ins.sign_in("kim@example.org", "correct horse battery")
    assert await redis_health(server) == "DEGRADED"
    redis_server.command("CONFIG SET maxmemory 0")
    assert await redis_health(server) == "OK"


async def test_connections_to_a_redis_that_became_a_replica_are_given_up(
    signed: StartSignedIn, redis_server: RedisServer
) -> None:
    """After a failover its name leads to another, and connections to the former one stay open."""
    name, other = redis_server.socket.with_name("name"), RedisServer()
    name.symlink_to(redis_server.socket)
    other.start()
    try:
        server = await signed(redis_url=f"unix://{name}")
        assert await redis_health(server) == "OK"
        redis_server.command("REPLICAOF 127.0.0.1 1")
        assert await redis_health(server) == "DEGRADED"
        name.unlink()
        name.symlink_to(other.socket)
        assert await redis_health(server) == "OK"
        await server.accounts.sign_ins.sign_in("kim@example.org", "correct horse battery")
    finally:
        other.close()


async def test_a_stream_ends_when_its_credential_does(signed: StartSignedIn) -> None:
    with running(OpenAIServer(lambda _: ["One", " two."], faults=[Break("stall", 1)])) as model:
        server = await signed(**asked_of(model))
        project = (await server.client.mutate(CREATE_PROJECT, name="Stream"))["project"]["id"]
        session = (await server.client.mutate(CREATE_SESSION, projectId=project, enableRag=False))["chatSession"]["id"]
        answer = (await server.client.mutate(SEND, sessionId=session, content="Go."))["answer"]["id"]
        query = "subscription($id: ID!) { answerEvents(messageId: $id) { __typename sequence } }"
        body = {"query": query, "variables": {"id": answer}}
        [token] = await server.accounts.access_tokens.tokens_of_user(server.user.id)
        other, _ = await server.accounts.access_tokens.create(server.user.id, "other")
        async with (
            asyncio.timeout(120),
            server.http.stream(
                "POST", server.client.url, json=body, headers={"accept": "text/event-stream"}
            ) as response,
        ):
            lines = response.aiter_lines()
            assert "answerEvents" in "".join([await anext(lines) for _ in range(3)])
            await server.accounts.access_tokens.revoke(token.id, server.user.id)
            while (await server.client.post(VIEWER)).status_code != 401:
                await pause()
            async with httpx.AsyncClient(headers={"authorization": f"Bearer {other}"}) as http:
                await Client(http, server.url).mutate(CANCEL, messageId=answer)
            rest = "\n".join([line async for line in lines])
        assert "UNAUTHENTICATED" in rest
        assert "AnswerCancelled" not in rest
        assert (await server.client.post(VIEWER)).status_code == 401


async def test_adding_a_member_does_not_reveal_who_has_an_account(signed: StartSignedIn) -> None:
    server = await signed()
    project = (await server.client.mutate(CREATE_PROJECT, name="Mine"))["project"]["id"]
    stranger = await server.accounts.users.create("stranger@example.org", "Stranger")
    disabled = await server.accounts.users.create("disabled@example.org")
    await server.accounts.users.disable(disabled.id)
    said: list[Json] = []
    for email in (stranger.email, disabled.email, "nobody@example.org", "no address"):
        said.append(await server.client.mutate(SET_MEMBER, projectId=project, email=email, role="VIEWER"))
    assert said == [said[0]] * 4
    assert said[0]["issues"] == [{"path": ["email"], "code": "INVALID"}]
    # Who is added by the operator is known, and can be given another role, here and elsewhere.
    id = ids.decode(project)
    assert id is not None
    await server.accounts.members.set_member(id[1], stranger.id, MemberRole.VIEWER, None)
    other = (await server.client.mutate(CREATE_PROJECT, name="Also mine"))["project"]["id"]
    for where in (project, other):
        done = await server.client.mutate(SET_MEMBER, projectId=where, email=stranger.email, role="EDITOR")
        assert done["__typename"] == "SetProjectMemberPayload"


async def test_the_operator_may_let_owners_add_anybody(signed: StartSignedIn) -> None:
    server = await signed(members_by_address=True)
    project = (await server.client.mutate(CREATE_PROJECT, name="Mine"))["project"]["id"]
    await server.accounts.users.create("stranger@example.org", "Stranger")
    added = await server.client.mutate(SET_MEMBER, projectId=project, email="Stranger@example.org", role="VIEWER")
    assert added["__typename"] == "SetProjectMemberPayload"
    missing = await server.client.mutate(SET_MEMBER, projectId=project, email="nobody@example.org", role="VIEWER")
    assert missing["issues"] == [{"path": ["email"], "code": "INVALID"}]
