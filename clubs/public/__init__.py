"""What visitors see of clubs and leagues."""
