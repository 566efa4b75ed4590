"""The address that a server listens on if no setting names another. Commands need it before they read settings."""

HOST = "127.0.0.1"
PORT = 8000
