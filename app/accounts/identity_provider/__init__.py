"""Users of an identity provider: their JWTs, and the accounts linked to them."""
