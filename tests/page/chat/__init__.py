"""Tests of chats on the page."""
