"""People who play: users, their preferences, absences, notifications and privacy."""
