"""Conversations: chat sessions, their turns, and the durable log of every answer."""
