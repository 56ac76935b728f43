"""Clubs and what they run: memberships, house rules, leagues, seasons, divisions, teams, publishing."""
