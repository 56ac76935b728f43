"""Players that see only a view: random, novice, club, expert."""
