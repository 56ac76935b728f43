"""Pairings that depend on earlier results."""
