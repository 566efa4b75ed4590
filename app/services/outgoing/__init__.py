"""What the server tells other programs."""
