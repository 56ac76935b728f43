"""Pages of leagues, seasons, teams and cups."""
