"""The connection to the server in a model's child process."""

from dataclasses import replace

from app.providers.base import TimeLimits
from app.providers.openai.connection import OpenAIConnection
from app.providers.resilience.retries import RetryPolicy

PROVIDER = "llamacpp"
"""The first part of these models' names."""


def connect(address: str, key: str, limits: TimeLimits) -> OpenAIConnection:
    """A connection to the child's server at `address`."""
    # A long prompt takes minutes on a CPU, and if the model hangs, there is no other server to try.
    limits = replace(limits, first_token=max(limits.first_token, limits.whole_answer))
    # A request is not retried, because it may have crashed the process.
    once = RetryPolicy(max_retries=0)
    connection = OpenAIConnection(PROVIDER, f"{address}/v1", key, limits, local=True, retries=once)
    # The server closes connections on which it received nothing for five seconds, even while it answers.
    connection.client = connection.client.with_options(default_headers={"Connection": "close"})
    return connection
