"""What was promised, compared with what readers got and what reached the broker."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.outages.readers import Reading

Event = dict[str, Any]


def check_readers(readings: Sequence[Reading], whole: str) -> list[str]:
    """What is wrong with answers whose model says `whole`."""
    problems: list[str] = []
    for each in readings:
        stored = each.stored
        if each.sequences != list(range(1, len(each.sequences) + 1)):
            problems.append(f"{each.answer}: events are missing or came twice: {each.sequences}")
        if each.text != stored["content"] or not whole.startswith(each.text):
            problems.append(f"{each.answer}: the reader has {each.text!r}, the database {stored['content']!r}")
        is_whole = each.end == "AnswerCompleted" and stored["status"] == "COMPLETED" and each.text == whole
        is_interrupted = (each.end, each.failure, stored["status"]) == ("AnswerFailed", "INTERRUPTED", "INTERRUPTED")
        if not is_whole and not is_interrupted:
            problems.append(f"{each.answer}: {each.end} {each.failure} {stored['status']} {each.text[-20:]!r}")
    return problems


def check_events(readings: Sequence[Reading], messages: Sequence[Event], kept: Sequence[str]) -> list[str]:
    """What is wrong with the events at the broker; `kept` are the ids of those that were written."""
    problems: list[str] = []
    first = {message["eventId"]: message for message in reversed(messages)}
    if missing := set(kept) - set(first):
        problems.append(f"{len(missing)} events never reached the broker: {sorted(missing)[:3]}")
    in_order = [first[id] for id in dict.fromkeys(message["eventId"] for message in messages)]
    by_session: dict[str, list[tuple[str, str]]] = {}
    for message in in_order:
        if "answer_id" in message["payload"]:
            told = message["eventType"], message["payload"]["answer_id"]
            by_session.setdefault(message["payload"]["session_id"], []).append(told)
    expected: dict[str, list[tuple[str, str]]] = {}
    for each in readings:
        told = [(f"analytics.{name}", each.answer) for name in ("query.submitted", "response.generated")]
        expected.setdefault(each.session, []).extend(told)
    for session, told in expected.items():
        if by_session.get(session) != told:
            problems.append(f"{session}: the events are {by_session.get(session)} instead of {told}")
    return problems


def count_records(logs: str) -> Counter[str]:
    """Records of the servers' logs that are warnings or worse, by the start of their text."""
    counts: Counter[str] = Counter()
    for text in logs.splitlines():
        record = json.loads(text) if text.startswith("{") else {"level": "ERROR", "message": text}
        if record["level"] not in ("DEBUG", "INFO"):
            counts[f"{record['level']} {record['message'][:90]}"] += 1
    return counts
