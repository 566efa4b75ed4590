"""Tests of what people do around their chats: visits, sign-ins, other tabs."""
