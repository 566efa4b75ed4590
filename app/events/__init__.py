"""Events for other programs: the outbox that they are written to, and the relay that delivers them."""
