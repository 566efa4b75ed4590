"""The list of models, and single models."""

from tests.openai_api.api import OpenAIServer, error
from tests.openai_api.conftest import Start
from tests.servers.running import Refusal, running

MODELS = [
    {"id": "chat", "object": "model", "max_model_len": 4096},
    {"id": "org/large:70b", "object": "model"},
    {"id": "text-embedding-3-small", "object": "model"},
]


async def test_chat_models_are_listed_in_the_shape_of_the_api(start: Start) -> None:
    with running(OpenAIServer(models=MODELS)) as model:
        response = await (await start(model)).raw("GET", "/models")
    body = response.json()
    assert body["object"] == "list"
    assert [entry["id"] for entry in body["data"]] == ["embedded/extractive", "openai/chat", "openai/org/large:70b"]
    assert body["data"][1] == {
        "id": "openai/chat",
        "object": "model",
        "created": 0,
        "owned_by": "openai",
        "context_window": 4096,
    }


async def test_one_model_by_its_name(start: Start) -> None:
    with running(OpenAIServer(models=MODELS)) as model:
        api = await start(model)
        for path, id in [
            ("openai/org/large:70b", "openai/org/large:70b"),
            ("openai%2Forg%2Flarge:70b", "openai/org/large:70b"),
            ("chat", "openai/chat"),
        ]:
            assert (await api.raw("GET", f"/models/{path}")).json()["id"] == id
        for path in ("gpt-4", "openai/text-embedding-3-small", "openai/missing"):
            found = error(await api.raw("GET", f"/models/{path}"), 404)
            assert (found["code"], found["param"]) == ("model_not_found", "model")
        for base in (api.base, f"{api.url}/projects/Docs/v1"):
            found = error(await api.http.get(f"{base}/models/openai/missing"), 404)
            assert found["message"] == f"There is no model “openai/missing”; {base}/models lists the available ones."


async def test_when_a_server_is_down_configured_models_are_still_listed(start: Start) -> None:
    with running(OpenAIServer(model_list=Refusal(500))) as model:
        body = (await (await start(model)).raw("GET", "/models")).json()
    assert [entry["id"] for entry in body["data"]] == ["embedded/extractive", "openai/chat"]
