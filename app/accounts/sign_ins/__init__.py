"""Sign-ins: how they begin with a password, and where they are kept."""
