"""A function for each action."""
