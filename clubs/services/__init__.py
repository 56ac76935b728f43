"""What can be done in clubs and leagues."""
