"""An insufficient role is forbidden what the owner may do."""

import pytest

from tests.graphql.access.people import REMEMBER, SECRET, Person, World
from tests.graphql.access.rules import KINDS, RULES, SELECTING, call, kind_at
from tests.graphql.schema.walking import Calling, walk

ROLES = ["VIEWER", "EDITOR", "OWNER"]


@pytest.mark.parametrize("who", ["vera", "ed"])
async def test_an_insufficient_role_is_forbidden_and_changes_nothing(world: World, who: str) -> None:
    role = {"vera": "VIEWER", "ed": "EDITOR"}[who]
    tried: set[str] = set()
    async with world.people("alice", who) as (alice, person):
        before = await walk(alice, SELECTING)
        for name, rule in RULES["mutation"].items():
            too_small = rule.least == "MAKER" or (rule.least in ROLES and ROLES.index(rule.least) > ROLES.index(role))
            calling = Calling(SELECTING, "mutation", name)
            if too_small and name not in ("forget", "revokeAccessToken"):  # of these there are no shared ones
                places = [place for place in calling.places() if calling.needs(place)]
                answer = await call(
                    person, "mutation", name, {place: world.seen[kind_at(rule, place)] for place in places}
                )
                assert answer.outcome == "FORBIDDEN", (name, answer)
                assert SECRET not in answer.text
                tried.add(name)
        assert (await walk(alice, SELECTING)).answers == before.answers, "they changed something"
    assert {"deleteProject", "sendMessage", "cancelAnswer"} <= tried
    assert ("deleteDocument" in tried) == (who == "vera")


async def test_the_owner_may_do_everything_that_others_may_not(world: World) -> None:
    """The same operations on one's own project, so that the refusals above have no other cause."""
    async with world.person("bob") as bob:
        project = await bob.project("to be spoilt")
        document = await bob.ready(project, "Larks", "# Larks\n\nLarks sing at dawn.\n")
        session = await bob.session(project)
        message = await bob.answered(session, "Do larks sing at dawn?")
        memory = (await bob.mutate(REMEMBER, projectId=project, content="Likes larks"))["memory"]["id"]
        own = {"Project": project, "Document": document, "ChatSession": session, "Message": message, "Memory": memory}
        own |= {"Node": project, "User": world.own["bob"]["User"], "AccessToken": await _token(bob)}
        last = ["forget", "deleteDocument", "deleteChatSession", "deleteProject"]
        for kind in KINDS:
            names = sorted(RULES[kind], key=lambda name: (last.index(name) if name in last else -1, name))
            for name in names if kind != "mutation" else ["remember", *(name for name in names if name != "remember")]:
                calling, rule = Calling(SELECTING, kind, name), RULES[kind][name]
                if kind == "subscription":
                    continue
                places = {place: own[kind_at(rule, place)] for place in calling.places() if calling.needs(place)}
                answer = await call(bob, kind, name, places)
                # A token sets no first password, and there is no model of the name that is tried.
                is_wrong = rule.least == "ANYBODY" or name in ("changePassword", "switchEmbeddingModel")
                wrong = {"ValidationError"} if is_wrong else set[str]()
                assert answer.outcome in {"OK", "CONFLICT", *wrong}, (name, answer)


async def _token(person: Person) -> str:
    """The id of a new access token."""
    create = """mutation($input: CreateAccessTokenInput!) { createAccessToken(input: $input) {
      ... on CreateAccessTokenPayload { accessToken { id } } } }"""
    return (await person.mutate(create, label="spare"))["accessToken"]["id"]
