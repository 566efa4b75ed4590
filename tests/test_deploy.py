"""The files of deploy/: proxies stream a real server's answers, and rules and dashboard name metrics that exist."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from app.observation.metrics import Metrics
from app.observation.server_state import ServerState
from app.settings import Settings
from tests.answers import openai
from tests.forks.commands import run_footnote
from tests.graphql.access.people import CANCEL
from tests.graphql.client import EVENTS, SEND, received, subscribe
from tests.servers import proxies
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, running
from tests.signed_in_server import StartSignedIn

ROOT = proxies.DEPLOY.parent
Proxy = Callable[[Path, str], AbstractContextManager[str]]


@pytest.mark.parametrize("proxy", [proxies.nginx, proxies.caddy])
async def test_a_proxy_passes_on_every_word_at_once(signed: StartSignedIn, tmp_path: Path, proxy: Proxy) -> None:
    """The model says a word and waits: the word arrives, over a WebSocket and as server-sent events."""
    with running(OpenAIServer(lambda _: ["First", "second"], faults=[Break("stall"), Break("stall")])) as model:
        server = await signed(**openai(model), public_url=f"https://{proxies.HOST}", trusted_proxies=["127.0.0.1"])
        session = await server.client.session(await server.client.project("Shop"), enableRag=False)
        headers = {**server.headers, "host": proxies.HOST, "x-request-id": "asked-once"}
        tls = proxies.client_context()
        with proxy(tmp_path, server.url) as url:
            async with httpx.AsyncClient(verify=tls, headers=headers, timeout=60) as http:
                page = await http.get(f"{url}/")
                assert (page.status_code, "<title>Footnote" in page.text) == (200, True)
                assert (await http.get(f"{url}/metrics")).status_code == 404
                for follow in (over_socket, as_events):
                    sent = await server.client.mutate(SEND, sessionId=session, content="Say two words.")
                    answer = sent["answer"]["id"]
                    assert await follow(http, url, answer) == "First"
                    await server.client.mutate(CANCEL, messageId=answer)


async def over_socket(http: httpx.AsyncClient, url: str, answer: str) -> str:
    """The first words of an answer, over a WebSocket."""
    tls = proxies.client_context() if url.startswith("https") else None
    address = url.replace("http", "ws", 1).replace("127.0.0.1", proxies.HOST) + "/graphql"
    headers = {"authorization": http.headers["authorization"]}
    host, port = "127.0.0.1", int(url.rpartition(":")[2])
    protocols = [Subprotocol("graphql-transport-ws")]
    async with connect(
        address, host=host, port=port, ssl=tls, subprotocols=protocols, additional_headers=headers
    ) as ws:
        await ws.send(json.dumps({"type": "connection_init"}))
        assert (await received(ws))["type"] == "connection_ack"
        async for event in subscribe(ws, EVENTS, id=answer):
            if event["__typename"] == "AnswerDelta":
                return event["text"]
    raise AssertionError("no words came")


async def as_events(http: httpx.AsyncClient, url: str, answer: str) -> str:
    """The first words of an answer, as server-sent events."""
    body = {"query": EVENTS, "variables": {"id": answer}}
    async with http.stream("POST", f"{url}/graphql", json=body, headers={"accept": "text/event-stream"}) as response:
        assert response.status_code == 200
        async for line in response.aiter_lines():
            if line.startswith("data:") and "AnswerDelta" in line:
                return json.loads(line.removeprefix("data:"))["data"]["answerEvents"]["text"]
    raise AssertionError("no words came")


def test_rules_and_dashboard_name_metrics_that_exist() -> None:
    names = set(re.findall(r"# TYPE (\S+)", Metrics().render(ServerState()).decode()))
    known = names | {f"{name}{end}" for name in names for end in ("_bucket", "_sum", "_count")}
    rules = yaml.safe_load((proxies.DEPLOY / "alerts.yaml").read_text(encoding="utf-8"))
    expressions = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    dashboard = json.loads((proxies.DEPLOY / "dashboard.json").read_text(encoding="utf-8"))
    expressions += [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    used = set(re.findall(r"(?:footnote|process)_\w+", " ".join(expressions)))
    assert used - known == set()
    shown = {name for name in names if name.startswith("footnote_") and not name.endswith("_created")}
    handbook = (ROOT / "app" / "handbook" / "09-operating.md").read_text(encoding="utf-8")
    assert {name for name in shown if name.removeprefix("footnote_") not in handbook} == set()


def test_examples_name_settings_that_exist() -> None:
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    named = set(composed["services"]["footnote"]["environment"])
    for kind in yaml.safe_load_all((proxies.DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")):
        containers: list[Any] = kind["spec"]["template"]["spec"]["containers"] if "replicas" in kind["spec"] else []
        named |= {variable["name"] for container in containers for variable in container["env"]}
    unit = (proxies.DEPLOY / "footnote.service").read_text(encoding="utf-8")
    named |= set(re.findall(r"^Environment=(\w+)=", unit, re.MULTILINE))
    known = {name.upper() for name in Settings.model_fields} | {"OTEL_EXPORTER_OTLP_ENDPOINT"}
    assert "DATABASE_URL" in named
    assert named - known == set()
    assert composed["services"]["footnote"]["env_file"] == [{"path": ".env", "required": False}]
    assert set(composed["services"]["footnote"]["depends_on"]) == set(composed["services"]) - {"footnote"}


def test_nginx_passes_on_what_the_server_allows() -> None:
    example = (proxies.DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    [megabytes] = re.findall(r"client_max_body_size (\d+)m;", example)
    [seconds] = re.findall(r"proxy_read_timeout (\d+)s;", example)
    allowed = Settings.model_validate({})
    assert int(megabytes) * 1_000_000 > allowed.max_upload_bytes + allowed.max_body_bytes
    # Nothing comes before the end of an answer that is not streamed.
    assert int(seconds) > max(allowed.model_whole_answer_seconds, allowed.model_first_token_seconds)


def test_kubernetes_waits_as_long_as_the_server_may_take() -> None:
    parts = list(yaml.safe_load_all((proxies.DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")))
    [container] = [each for part in parts for each in part["spec"].get("template", part)["spec"].get("containers", [])]
    probes = [container[f"{kind}Probe"] for kind in ("liveness", "readiness", "startup")]
    # A busy database keeps /readyz waiting for two seconds.
    assert all(probe["timeoutSeconds"] > 2 for probe in probes)
    # What is migrated first has to be done by then: it would begin again.
    assert probes[-1]["failureThreshold"] * 10 >= 3600


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can keep a process on a core")
def test_settings_of_the_operator_win_over_those_of_the_unit(tmp_path: Path) -> None:
    """systemd reads its `EnvironmentFile` after `Environment`; options of the command would win over both."""
    unit = (proxies.DEPLOY / "footnote.service").read_text(encoding="utf-8")
    [line], [command] = (re.findall(rf"^{name}=(.*)$", unit, re.MULTILINE) for name in ("Environment", "ExecStart"))
    of_unit = dict(setting.split("=", 1) for setting in line.split())
    database = f"sqlite:///{tmp_path}/footnote.db"
    of_operator = {"DATABASE_URL": database, "PORT": "0", "WORKERS": "64", "PIN_WORKERS": "true"}
    program, *arguments = command.split()
    assert (program, of_unit["WORKERS"]) == ("/opt/footnote/bin/footnote", "2")
    refused = run_footnote(*arguments, environment={**os.environ, **of_unit, **of_operator})
    assert "each of the processes of WORKERS=64 needs a core" in refused.stderr


@pytest.mark.parametrize(
    ("file", "command"), [("alerts.yaml", "promtool check rules"), ("footnote.service", "systemd-analyze verify")]
)
def test_the_programs_that_read_them_accept_them(tmp_path: Path, file: str, command: str) -> None:
    program, *arguments = command.split()
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    text = (proxies.DEPLOY / file).read_text(encoding="utf-8")
    (tmp_path / file).write_text(text.replace("/opt/footnote/bin/footnote serve", sys.executable), encoding="utf-8")
    checked = subprocess.run([program, *arguments, tmp_path / file], capture_output=True, text=True)
    assert (checked.returncode, file in checked.stderr) == (0, False), checked.stdout + checked.stderr
