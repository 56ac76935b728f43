"""Public pages of clubs and leagues."""
