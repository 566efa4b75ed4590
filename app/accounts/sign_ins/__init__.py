"""Sign-ins: how users sign in, and where sign-ins are stored."""
