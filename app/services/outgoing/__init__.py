"""Events that the server sends to other programs."""
