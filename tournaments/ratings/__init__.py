"""Ratings: games, the rating model, lists, pages and API."""
