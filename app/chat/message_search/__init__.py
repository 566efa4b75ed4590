"""Search in messages, and its upkeep."""
