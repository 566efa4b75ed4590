"""Chat as clients see it: sessions, messages, answers and their events, budgets and citations."""
