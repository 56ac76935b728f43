"""Pages of clubs and leagues."""
