"""Clubs and leagues over the API."""
