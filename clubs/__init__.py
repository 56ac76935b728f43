"""Clubs, with their memberships, house rules, leagues, seasons, divisions, teams and publications."""
