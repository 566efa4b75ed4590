"""No pattern of the product can run away: every one is collected, attacked, and its steps are counted."""
