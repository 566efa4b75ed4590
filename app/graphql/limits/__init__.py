"""What one operation may ask for: its size and cost, and the bounds of every argument."""
