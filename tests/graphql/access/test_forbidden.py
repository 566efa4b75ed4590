"""What a member sees but may not change is refused in the mutation's result, and the others of an operation go on."""

import pytest

from tests.graphql.access.people import World

OF_SESSION = {"updateChatSession": 'id: "%s", title: "Mine"', "deleteChatSession": 'id: "%s"'}
OF_ANSWER = dict.fromkeys(("cancelAnswer", "regenerateAnswer", "selectBranch"), 'messageId: "%s"')
REFUSED = {
    "__typename": "ForbiddenError",
    "message": "This chat session belongs to someone else; create one of your own.",
}


@pytest.mark.parametrize("mutation", [*OF_SESSION, "sendMessage", *OF_ANSWER])
async def test_somebody_elses_shared_chat(world: World, mutation: str) -> None:
    session, answer = world.seen["ChatSession"], world.seen["Message"]
    inputs = {
        **{name: given % session for name, given in OF_SESSION.items()},
        **{name: given % answer for name, given in OF_ANSWER.items()},
        "sendMessage": f'sessionId: "{session}", content: "What?"',
    }
    called = f"{mutation}(input: {{ {inputs[mutation]} }}) {{ __typename ... on Error {{ message }} }}"
    remember = f'remember(input: {{ projectId: "{world.seen["Project"]}", content: "I like {mutation}." }})'
    async with world.people("vera") as (vera,):
        found = await vera.run(f"mutation {{ refused: {called} then: {remember} {{ __typename }} }}")
    assert found == {"refused": REFUSED, "then": {"__typename": "RememberPayload"}}
