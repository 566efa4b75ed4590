"""Durability: answers given again, logs in few bytes, documents that wait for an embedding model."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import context, op

from migrations import losses

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("messages", sa.Column("replaced_by", sa.String(length=32), nullable=True))
    op.add_column("messages", sa.Column("asked_by", sa.String(length=32), nullable=True))
    # Before there were accounts, who opened a session was the only one to ask in it.
    op.execute(
        "UPDATE messages SET asked_by = "
        "(SELECT created_by FROM chat_sessions WHERE chat_sessions.id = messages.session_id)"
    )
    op.create_index("ix_messages_reply_to", "messages", ["reply_to"])
    op.create_table(
        "compact_logs",
        sa.Column("message_id", sa.String(length=32), nullable=False),
        sa.Column("entries", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name=op.f("fk_compact_logs_message_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_compact_logs")),
    )
    op.create_table(
        "paused_vectors",
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_paused_vectors_document_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", "position", name=op.f("pk_paused_vectors")),
    )


def downgrade() -> None:
    losses.refuse(
        {
            "which answers were given again": "SELECT id FROM messages WHERE replaced_by IS NOT NULL",
            "who asked in shared sessions": "SELECT messages.id FROM messages JOIN chat_sessions "
            "ON chat_sessions.id = messages.session_id WHERE messages.asked_by <> chat_sessions.created_by",
        }
    )
    if not context.is_offline_mode():
        _write_logs_out()
    # Vectors of documents that wait are made again.
    op.drop_table("paused_vectors")
    op.drop_table("compact_logs")
    op.drop_index("ix_messages_reply_to", "messages")
    op.drop_column("messages", "asked_by")
    op.drop_column("messages", "replaced_by")


def _write_logs_out() -> None:
    """Logs in few bytes as logs with a row for each event, in which the version before reads them."""
    logs = sa.text(
        "SELECT compact_logs.message_id, entries, content, reasoning FROM compact_logs "
        "JOIN messages ON messages.id = compact_logs.message_id"
    )
    row = sa.text("INSERT INTO answer_events (message_id, sequence, payload) VALUES (:message, :sequence, :payload)")
    for message_id, entries, content, reasoning in op.get_bind().execute(logs).all():
        for sequence, event in enumerate(_events(json.loads(entries), content, reasoning or ""), 1):
            values = {"message": message_id, "sequence": sequence, "payload": json.dumps(event)}
            op.get_bind().execute(row, values)


def _events(entries: list[Any], content: str, reasoning: str) -> list[dict[str, Any]]:
    """A number is where a piece of the content ends, a list of one where a piece of the reasoning does."""
    events: list[dict[str, Any]] = []
    end = thought = 0
    for entry in entries:
        if isinstance(entry, int):
            events.append({"kind": "DELTA", "text": content[end:entry], "uses": []})
            end = entry
        elif isinstance(entry, list):
            events.append({"kind": "REASONING", "text": reasoning[thought : entry[0]]})
            thought = entry[0]
        else:
            events.append(entry)
            end = len(entry["content"]) if entry["kind"] == "REPLACED" else end
    return events
