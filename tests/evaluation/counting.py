"""Compare token estimates with a real llama.cpp server's counts: the distribution of errors by kind of text.

`python -m tests.evaluation.counting` needs what tests/servers/llamacpp.py needs.
"""

import asyncio
import random
import statistics
from collections import defaultdict

from app.providers.openai.provider import OpenAIProvider
from app.providers.tokens import PERCENT, TokenCounter
from tests.prompt.counted_texts import prompts
from tests.servers.llamacpp import CHAT, llamacpp


async def measure() -> None:
    """Measure 500 prompts; a ratio above 1 is an overestimate, one below 1 an underestimate."""
    shares: defaultdict[str, list[float]] = defaultdict(list)
    with llamacpp("chat", CHAT, 2048) as server:
        provider = OpenAIProvider("llamacpp", f"{server}/v1", None, local=True)
        for kind, messages in prompts(500, random.Random(7)):  # noqa: S311
            exact = await provider.language_model("tiny").count_tokens(messages)
            assert exact is not None
            shares[kind].append(TokenCounter().count_messages(messages) / exact)
        await provider.close()
    print(f"estimate ({PERCENT} %) / llama.cpp's own count, template included\n{'kind':10} {'least':>6} p50    most")
    for kind, found in [*sorted(shares.items()), ("all", [share for one in shares.values() for share in one])]:
        print(f"{kind:10} {min(found):6.2f} {statistics.median(found):6.2f} {max(found):6.2f}")


if __name__ == "__main__":
    asyncio.run(measure())
