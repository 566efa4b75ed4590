"""APIs reach services through authorization."""

import ast
from pathlib import Path

from app.services import Services
from tests.architecture.modules import for_every_module, imports, top_package, tree

# The ways in, and what of the services they may touch: all else is behind `services/authorization/`.
APIS = {"cli", "main", "graphql", "openai_api", "http"}
OF_SERVICES = {"authentication", "sign_ins", "as_user", "health", "readiness", "metrics", "observer", "settings"} | {
    "read_metrics",
    "tracer",
}
# Whoever runs commands can read the database file anyhow.
OPERATORS_APIS = {"cli"}
AUTHORIZATION = "app.services.authorization."
# Names of `services` that an API may import; none of them is, holds or opens the backend.
OPENED = {
    f"app.services.{name}"
    for name in (
        "DRAIN_SECONDS",
        "OWNER_EMAIL",
        "Caller",
        "Component",
        "HealthStatus",
        "Member",
        "MemberRole",
        "ProcessRole",
        "Services",
        "UserAccess",
        "OperatorAccess",
        "open_services",
        "require_caller",
        "worst",
    )
}


def test_services_offer_apis_nothing_that_skips_authorization() -> None:
    """What an API can touch of `Services` asks who is there, or is bound to what a user or the operator may do."""
    assert {each for each in vars(Services) if not each.startswith("_")} == OF_SERVICES | {"operator"}


@for_every_module
def test_apis_reach_services_through_authorization(path: Path) -> None:
    if top_package(path) not in APIS:
        return
    for target in imports(path):
        if target.startswith("app.services"):
            open_to_apis = target == "app.services" or target in OPENED or target.startswith(AUTHORIZATION)
            assert open_to_apis, f"imports {target}"
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute):
            assert "backend" not in node.attr.lower(), f"line {node.lineno} goes around authorization"
            assert node.attr != "operator" or top_package(path) in OPERATORS_APIS, (
                f"line {node.lineno} needs the operator"
            )
