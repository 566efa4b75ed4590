"""Where everything is kept: models (tables as classes), engine (connections and transactions), pages (keyset lists)."""
