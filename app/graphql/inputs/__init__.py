"""What clients send: input types, and the plain values that services take."""
