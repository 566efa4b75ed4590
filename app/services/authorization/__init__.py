"""What one user, or the operator, may do. Every API goes through here."""
