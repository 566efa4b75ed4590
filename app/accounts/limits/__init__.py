"""Usage limits per user and sign-in attempts: sliding windows, counted here or in Redis."""
