"""Who plays: users, their preferences, absences, notices and privacy."""
