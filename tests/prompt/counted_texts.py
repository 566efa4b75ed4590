"""Twelve kinds of text that tokenizers disagree on, and prompts built from them."""

import base64
import random
from collections.abc import Iterator

from app.providers.base import PromptMessage

KINDS = {
    "prose": "The harbour was quiet in the morning, and nobody had yet noticed that the lighthouse had gone dark. ",
    "code": "def area(width: int, height: int) -> int:\n    if width < 0:\n        raise ValueError(width)\n"
    "    return width * height\n",
    "table": "| name | 2023 | 2024 |\n|---|---:|---:|\n| Hamburg | 1,234.5 | 987.0 |\n| Bremen | 12.25 | 0.001 |\n",
    "json": '{"id": 4711, "tags": ["a", "b"], "price": 12.5e-3, "nested": {"null": null, "ok": true}}\n',
    "German": "Die Donaudampfschifffahrtsgesellschaft beförderte im neunzehnten Jahrhundert zahllose Fahrgäste. ",
    "Russian": "Россия является крупнейшим по площади государством мира и расположена в Европе и Азии. ",
    "Chinese": "中华人民共和国位于亚洲东部，太平洋西岸，是世界上人口最多的国家之一。",
    "Arabic": "المملكة العربية السعودية دولة تقع في جنوب غرب آسيا وتشكل الجزء الأكبر من شبه الجزيرة. ",
    "Hindi": "भारत दक्षिण एशिया में स्थित भारतीय उपमहाद्वीप का सबसे बड़ा देश है। ",
    "Thai": "ประเทศไทยเป็นรัฐชาติอันตั้งอยู่ในเอเชียตะวันออกเฉียงใต้ มีพรมแดนติดประเทศลาว ",
    "emoji": "Great job 🎉🚀 see you 👍🏽 tomorrow 👨‍👩‍👧‍👦 😀😀 ",
    "base64": base64.b64encode(bytes(range(120))).decode() + "\n",
}


def prompts(count: int, chance: random.Random) -> Iterator[tuple[str, list[PromptMessage]]]:
    """Conversations of one to five messages, each mostly of one kind of text, cut at arbitrary places."""
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        messages: list[PromptMessage] = [PromptMessage("system", "You are brief.")] if chance.random() < 0.5 else []
        for turn in range(chance.choice((1, 3, 5))):
            text = KINDS[kind] * chance.randint(1, 4)
            start = chance.randint(0, len(text) // 2)
            messages.append(
                PromptMessage("assistant" if turn % 2 else "user", text[start : start + chance.randint(1, 90)])
            )
        yield kind, messages
