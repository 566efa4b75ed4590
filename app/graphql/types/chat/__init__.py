"""GraphQL types of chat: sessions, messages, answers and their events, budgets and citations."""
