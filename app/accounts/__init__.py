"""Users, credentials, roles, usage limits and the audit trail."""
